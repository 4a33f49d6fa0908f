#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ferry::test {

/// All that the file holds. Errors: std::runtime_error.
std::string bytesOf(const std::filesystem::path& path);

/// Makes the file anew. Errors: std::runtime_error.
void writeBytes(const std::filesystem::path& path, std::string_view bytes);

}    // namespace ferry::test
