#include <ferry/serialization/exception/dropGuardFrames.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace ferry::detail {

namespace {

/// Whether the frame is a function of the guard that the program calls.
bool isDoorOfGuard(const StackFrame& frame) {
    const std::string_view function = frame.function;
    return function.starts_with("MPI_") || function.starts_with("mpi_") || function.starts_with("ferry::guarded(") ||
           function == "ferry::guarded";
}

/// Whether the frame may lie between a throw of the guard and the call of the program.
bool mayBeOfGuard(const StackFrame& frame, std::string_view module) {
    if (frame.file.empty())
        return frame.module == module && (frame.function.empty() || frame.function.find("ferry::") != std::string::npos);
    return isInFerry(frame) || isOfSystem(frame);
}

}    // namespace

void dropGuardFrames(std::vector<StackFrame>& stack) {
    std::size_t count = 0;    // of frames to drop
    for (std::size_t i = 0; i < stack.size(); ++i) {
        const bool isKnown = stack[i].file.empty() ? stack[i].module == stack.front().module : isInFerry(stack[i]);
        const bool isDoor = isKnown && isDoorOfGuard(stack[i]);
        const bool isOfGuard = isDoor || mayBeOfGuard(stack[i], stack.front().module);
        if (!isOfGuard || (i == 0 && isOfSystem(stack[i]))) break;
        if (isDoor) count = i + 1;
    }
    if (count < stack.size()) stack.erase(stack.begin(), stack.begin() + static_cast<std::ptrdiff_t>(count));
}

}    // namespace ferry::detail
