#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include <ferry/serialization/checkpoint/FileDescription.hpp>

namespace ferryfile {

/// What a whole look at a file has found.
struct FileInfo {
    ferry::FileDescription description;
    std::uint64_t fileBytes = 0;
    bool isByteSwapped = false;
    std::size_t chunkCount = 0;
    std::uint64_t intCount = 0;
    /// Of everything that is wrong behind the description, in the order of the file; empty for a file that is whole.
    std::vector<std::string> problems;
};

/// Reads the whole file, and goes on behind damaged chunks. Errors: ferry::FileError when not even its description can be read.
FileInfo inspect(const std::filesystem::path& path);

/// Prints it for a person. The names of classes are those that the program knew which saved the file.
void print(std::ostream& out, const FileInfo& info, bool showsClasses);

}    // namespace ferryfile
