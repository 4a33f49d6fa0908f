#include <ferry/framework/watch/ProcessState.hpp>

#include <array>
#include <fstream>
#include <iterator>

#include <unistd.h>

#include <fmt/format.h>

namespace ferry::detail {

namespace {

std::string fileText(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string linkText(const char* path) {
    std::array<char, 256> bytes{};
    const ssize_t length = readlink(path, bytes.data(), bytes.size());
    return length > 0 ? std::string(bytes.data(), static_cast<std::size_t>(length)) : std::string();
}

}    // namespace

ProcessState stateOfProcess(std::int32_t process) {
    const std::string line = fileText(fmt::format("/proc/{}/stat", process));
    if (line.empty()) return fileText("/proc/self/stat").empty() ? ProcessState::Unknown : ProcessState::Gone;
    return stateInLine(line);
}

ProcessState stateInLine(const std::string& line) {
    const std::size_t end = line.rfind(')');    // the name before the parenthesis may hold any character
    if (end == std::string::npos || end + 2 >= line.size()) return ProcessState::Unknown;
    switch (line[end + 2]) {
        case 'T': return ProcessState::Stopped;
        case 't': return ProcessState::Traced;
        case 'Z':
        case 'X':
        case 'x': return ProcessState::Gone;
        default: return ProcessState::Running;
    }
}

std::uint64_t hostIdentity() {
    constexpr std::uint64_t basis = 0xcbf29ce484222325;    // FNV-1a
    constexpr std::uint64_t prime = 0x100000001b3;
    std::uint64_t hash = basis;
    for (const char letter : fileText("/proc/sys/kernel/random/boot_id") + linkText("/proc/self/ns/pid") + linkText("/proc/self/ns/net"))
        hash = (hash ^ static_cast<unsigned char>(letter)) * prime;
    return hash;
}

}    // namespace ferry::detail
