#include <ferry/tests/growth/Footprint.hpp>

#include <malloc.h>
#include <filesystem>
#include <iterator>
#include <mutex>

#include <fmt/format.h>

#include <ferry/tests/largeGraphs/ProcessMemory.hpp>

namespace ferry::test {

namespace {

constexpr std::size_t allowedAllocated = 256 << 10;
constexpr std::size_t allowedResident = 16 << 20;    // an allocator keeps free memory in pieces

std::size_t entriesOf(const std::filesystem::path& folder) {
    const std::filesystem::directory_iterator entries(folder);
    return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

}    // namespace

Footprint Footprint::now() {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);    // whoever counts the open files has a file open itself
    const auto memory = ::mallinfo2();
    Footprint footprint;
    footprint.allocatedBytes = memory.uordblks + memory.hblkhd;
    footprint.residentBytes = ferry::test::residentBytes();
    footprint.openFiles = entriesOf("/proc/self/fd");
    footprint.threads = entriesOf("/proc/self/task");
    footprint.temporaryFiles = entriesOf(std::filesystem::temp_directory_path());
    return footprint;
}

std::string Footprint::growthSince(const Footprint& earlier) const {
    std::string text;
    const auto compare = [&text](const char* name, std::size_t before, std::size_t after, std::size_t allowed) {
        if (after > before + allowed) text += fmt::format("{}{}: {} before, {} now", text.empty() ? "" : "; ", name, before, after);
    };
    compare("allocated bytes", earlier.allocatedBytes, allocatedBytes, allowedAllocated);
    compare("bytes in RAM", earlier.residentBytes, residentBytes, allowedResident);
    compare("open files", earlier.openFiles, openFiles, 0);
    compare("threads", earlier.threads, threads, 0);
    compare("temporary files", earlier.temporaryFiles, temporaryFiles, 0);
    return text;
}

std::string Footprint::text() const {
    return fmt::format("{} KiB allocated, {} KiB in RAM, {} open files, {} threads, {} temporary files", allocatedBytes >> 10,
                       residentBytes >> 10, openFiles, threads, temporaryFiles);
}

}    // namespace ferry::test
