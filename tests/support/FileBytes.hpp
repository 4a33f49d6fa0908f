#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ferry::test {

/// Returns the whole contents of the file. Errors: std::runtime_error.
std::string bytesOf(const std::filesystem::path& path);

/// Replaces the file. Errors: std::runtime_error.
void writeBytes(const std::filesystem::path& path, std::string_view bytes);

/// Returns the path of a file in the folder of the running program. Errors: std::filesystem::filesystem_error.
std::filesystem::path besideProgram(std::string_view name);

}    // namespace ferry::test
