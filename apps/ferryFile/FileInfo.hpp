#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include <ferry/serialization/checkpoint/FileDescription.hpp>

namespace ferryfile {

/// The result of reading a whole file.
struct FileInfo {
    ferry::FileDescription description;
    std::uint64_t fileBytes = 0;
    bool isByteSwapped = false;
    std::int32_t version = 0;      ///< of the file's format
    std::size_t chunkCount = 0;    ///< without marks
    std::size_t markCount = 0;     ///< of a journal: chunks that say only what was on the disk
    std::uint64_t intCount = 0;
    /// All problems behind the description, in the order of the file; empty for a file without damage.
    std::vector<std::string> problems;
};

/// Reads the whole file. Goes on behind damaged chunks.
/// Errors: ferry::FileError when not even the description of the file can be read.
FileInfo inspect(const std::filesystem::path& path);

/// Prints the information for a person.
/// The names of classes are those of the program that saved the file.
void print(std::ostream& out, const FileInfo& info, bool showsClasses);

}    // namespace ferryfile
