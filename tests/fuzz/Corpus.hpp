#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <utility>
#include <vector>

namespace ferry::test {

/// The messages of a folder's files, in the order of their names: the ints as they lie in memory, bytes behind the last whole int left out.
/// Errors: std::runtime_error for a folder or file that cannot be read.
std::vector<std::pair<std::filesystem::path, std::vector<std::int32_t>>> readCorpus(const std::filesystem::path& folder);

/// Writes one file, whose folder is made when it is not there.
void writeCorpusFile(const std::filesystem::path& path, std::span<const std::int32_t> ints);

}    // namespace ferry::test
