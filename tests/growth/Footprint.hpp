#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace ferry::test {

/// The resources of a process: memory that it has allocated, memory that lies in RAM, open files, threads, and files in the temporary
/// folder, which should be the process's own. Shared memory of Ferry has no name, and is among the open files. Errors: std::runtime_error
/// and std::filesystem::filesystem_error where /proc does not tell.
struct Footprint {
    static Footprint now();

    /// Says in one line what has grown since an earlier moment, beyond what caches and allocators may take. Empty: nothing.
    std::string growthSince(const Footprint& earlier) const;
    std::string text() const;

    std::size_t allocatedBytes = 0;    ///< in all arenas
    std::size_t residentBytes = 0;
    std::size_t openFiles = 0;
    std::size_t threads = 0;
    std::size_t temporaryFiles = 0;
};

}    // namespace ferry::test
