#include <ferry/serialization/exception/StackFrame.hpp>

#include <string_view>

#include <fmt/format.h>

namespace ferry {

namespace {

std::string_view lastPart(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

std::string shortName(const std::string& name) {
    constexpr std::size_t maxShown = 120;
    return name.size() <= maxShown ? name : name.substr(0, maxShown) + "...";
}

}    // namespace

std::string describe(const StackFrame& frame) {
    if (frame.function.empty()) return fmt::format("{}+{:#x}", frame.module.empty() ? "?" : lastPart(frame.module), frame.offset);
    const std::string function = shortName(frame.function);
    if (frame.file.empty()) return fmt::format("{} ({})", function, lastPart(frame.module));
    return fmt::format("{} ({}:{})", function, lastPart(frame.file), frame.line);
}

bool isInSystemHeader(const StackFrame& frame) {
    return frame.file.rfind("/usr/include/", 0) == 0 || frame.file.find("/include/c++/") != std::string::npos;
}

}    // namespace ferry
