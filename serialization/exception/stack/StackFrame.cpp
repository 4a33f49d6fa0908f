#include <ferry/serialization/exception/stack/StackFrame.hpp>

#include <cstddef>
#include <string_view>

#include <fmt/format.h>

namespace ferry::detail {

namespace {

std::string_view lastPart(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

std::string shortName(const std::string& name) {
    constexpr std::size_t maxShown = 120;
    return name.size() <= maxShown ? name : name.substr(0, maxShown) + "...";
}

bool isInLayer(std::string_view path) {
    return path.starts_with("serialization/") || path.starts_with("connector/") || path.starts_with("framework/") ||
           path.starts_with("guard/");
}

/// The folder that contains the layers, as the compiler saw it.
std::string_view sourceRoot() {
    constexpr std::string_view path = __FILE__;
    return path.substr(0, path.rfind("serialization/"));
}

}    // namespace

std::string describe(const StackFrame& frame) {
    if (frame.function.empty()) return fmt::format("{}+{:#x}", frame.module.empty() ? "?" : lastPart(frame.module), frame.offset);
    const std::string function = shortName(frame.function);
    if (frame.file.empty()) return fmt::format("{} ({})", function, lastPart(frame.module));
    return fmt::format("{} ({}:{})", function, lastPart(frame.file), frame.line);
}

bool isOfSystem(const StackFrame& frame) {
    return frame.file.starts_with("/usr/include/") || frame.file.find("/include/c++/") != std::string::npos ||
           frame.function.starts_with("__libc_start") || frame.function == "_start";
}

bool isInFerry(const StackFrame& frame) {
    constexpr std::string_view installed = "/ferry/";
    const std::string_view file = frame.file;
    if (file.starts_with(sourceRoot()) && isInLayer(file.substr(sourceRoot().size()))) return true;
    if (const std::size_t place = file.rfind(installed); place != file.npos && isInLayer(file.substr(place + installed.size())))
        return true;
    return std::string_view(frame.function).ends_with("::raise() const");
}

}    // namespace ferry::detail
