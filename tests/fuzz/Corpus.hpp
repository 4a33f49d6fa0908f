#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <utility>
#include <vector>

namespace ferry::test {

/// Reads the messages of a folder's files, in the order of their names. Ints are read in memory order.
/// Bytes behind the last whole int are dropped.
/// Errors: std::runtime_error for a folder or file that cannot be read.
std::vector<std::pair<std::filesystem::path, std::vector<std::int32_t>>> readCorpus(const std::filesystem::path& folder);

/// Writes one file. Creates its folder when it does not exist.
void writeCorpusFile(const std::filesystem::path& path, std::span<const std::int32_t> ints);

}    // namespace ferry::test
