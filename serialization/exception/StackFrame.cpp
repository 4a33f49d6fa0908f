#include <ferry/serialization/exception/StackFrame.hpp>

#include <string_view>

#include <fmt/format.h>

namespace ferry {

namespace {

std::string_view lastPart(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

}    // namespace

std::string describe(const StackFrame& frame) {
    if (frame.function.empty()) return fmt::format("{}+{:#x}", frame.module.empty() ? "?" : lastPart(frame.module), frame.offset);
    if (frame.file.empty()) return fmt::format("{} ({})", frame.function, lastPart(frame.module));
    return fmt::format("{} ({}:{})", frame.function, lastPart(frame.file), frame.line);
}

}    // namespace ferry
