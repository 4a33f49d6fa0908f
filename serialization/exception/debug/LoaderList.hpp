#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <ferry/serialization/exception/debug/DwarfReader.hpp>

namespace ferry::detail {

/// The program or a shared library, as the loader has placed it.
struct LoadedFile {
    std::string path{};         ///< for the program: a path that leads to its file
    std::uintptr_t base = 0;    ///< added to the addresses of the file
};

/// The loaded file that contains this address. Empty: none does.
std::optional<LoadedFile> loadedFileAt(std::uintptr_t address);

/// The readable bytes of a loaded file from an address on. Empty: the address is in none.
DwarfReader::Bytes loadedBytesFrom(std::uintptr_t address) noexcept;

/// The number of files that the process has unloaded. Other code may lie at the same addresses when it has changed.
std::uint64_t countOfUnloads() noexcept;

}    // namespace ferry::detail
