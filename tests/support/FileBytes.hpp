#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ferry::test {

/// Returns the whole contents of the file. Errors: std::runtime_error.
std::string bytesOf(const std::filesystem::path& path);

/// Replaces the file. Errors: std::runtime_error.
void writeBytes(const std::filesystem::path& path, std::string_view bytes);

}    // namespace ferry::test
