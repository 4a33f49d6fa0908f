#include <ferry/tests/largeGraphs/ProcessMemory.hpp>

#include <sys/resource.h>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>

namespace ferry::test {

namespace {

/// Reads a line such as "VmRSS:     1234 kB" from the status of the process. Returns the number of bytes.
std::size_t statusBytes(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(name + ":")) return std::stoull(line.substr(name.size() + 1)) * 1024;
    }
    throw std::runtime_error("/proc/self/status has no line " + name);
}

}    // namespace

std::size_t residentBytes() { return statusBytes("VmRSS"); }
std::size_t addressSpaceBytes() { return statusBytes("VmSize"); }
std::size_t peakResidentBytes() { return statusBytes("VmHWM"); }

void resetPeak() {
    std::ofstream clear("/proc/self/clear_refs");
    clear << "5" << std::flush;
    if (!clear) throw std::runtime_error("/proc/self/clear_refs cannot be written");
}

void limitAddressSpace(std::size_t bytes) {
    const rlimit limit{bytes, bytes};
    if (setrlimit(RLIMIT_AS, &limit) != 0) throw std::runtime_error("the address space cannot be limited");
}

}    // namespace ferry::test
