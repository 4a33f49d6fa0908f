#include <ferry/serialization/exception/stack/dropGuardFrames.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace ferry::detail {

namespace {

/// Whether the frame is a function of MPI.
bool isOfMpi(const StackFrame& frame) { return frame.function.starts_with("MPI_") || frame.function.starts_with("mpi_"); }

/// Whether the frame is a function of the guard that the program calls.
bool isDoorOfGuard(const StackFrame& frame) {
    const std::string_view function = frame.function;
    return isOfMpi(frame) || function.starts_with("ferry::guarded(") || function == "ferry::guarded" || function == "exit" ||
           function == "quick_exit";
}

/// Whether the frame is a function of the C library that calls handlers of exit().
bool isOfExit(const StackFrame& frame) {
    const std::string_view function = frame.function;
    return frame.file.empty() && (function.starts_with("_dl_") || function == "__run_exit_handlers" || function == "exit");
}

/// Whether the frame may lie between a throw of the guard and the call of the program.
bool mayBeOfGuard(const StackFrame& frame, std::string_view module) {
    if (frame.file.empty())
        return frame.module == module && (frame.function.empty() || frame.function.find("ferry::") != std::string::npos);
    return isInFerry(frame) || isOfSystem(frame);
}

/// Whether the frame is surely of Ferry, or of its preloaded library.
bool isOfFerry(const StackFrame& frame) {
    if (!frame.file.empty()) return isInFerry(frame);
    const std::string_view module = frame.module;
    return module.substr(module.rfind('/') + 1).starts_with("libferry_");
}

/// Whether the library's own frame tells the call of the guard's frame, such as PMPI_Recv or MPI_Recv and mpi_recv_.
bool tellsCall(const StackFrame& ofLibrary, const StackFrame& ofGuard) {
    const auto lower = [](std::string_view name) {
        std::string result;
        for (const char letter : name) result += static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
        while (result.ends_with('_')) result.pop_back();
        return result;
    };
    return lower(ofLibrary.function).ends_with(lower(ofGuard.function));
}

/// Drops the guard's frames below a function of the program that MPI has called, such as an operator. The call itself stays, unless a
/// frame of the MPI library tells it.
void dropBelowCallbacks(std::vector<StackFrame>& stack) {
    const auto mayBeDropped = [](const StackFrame& frame) { return isOfFerry(frame) || isOfSystem(frame); };
    std::size_t begin = 0;
    while (begin < stack.size() && mayBeDropped(stack[begin])) ++begin;    // thrown in the guard itself
    for (; begin < stack.size(); ++begin) {
        std::size_t end = begin;    // behind the outermost call
        for (std::size_t i = begin; i < stack.size() && mayBeDropped(stack[i]); ++i) {
            if (isOfFerry(stack[i]) && isOfMpi(stack[i])) end = i + 1;
        }
        if (end == begin) continue;
        StackFrame& call = stack[end - 1];
        call.file.clear();
        call.line = 0;
        const bool isTold = tellsCall(stack[begin - 1], call);
        stack.erase(stack.begin() + static_cast<std::ptrdiff_t>(begin),
                    stack.begin() + static_cast<std::ptrdiff_t>(isTold ? end : end - 1));
    }
}

}    // namespace

void dropGuardFrames(std::vector<StackFrame>& stack) {
    std::size_t count = 0;    // of frames to drop
    for (std::size_t i = 0; i < stack.size(); ++i) {
        const bool isKnown = stack[i].file.empty() ? stack[i].module == stack.front().module : isInFerry(stack[i]);
        const bool isDoor = isKnown && isDoorOfGuard(stack[i]);
        const bool isOfGuard = isDoor || isOfExit(stack[i]) || mayBeOfGuard(stack[i], stack.front().module);
        if (!isOfGuard || (i == 0 && isOfSystem(stack[i]))) break;
        if (isDoor) count = i + 1;
    }
    if (count < stack.size()) stack.erase(stack.begin(), stack.begin() + static_cast<std::ptrdiff_t>(count));
    dropBelowCallbacks(stack);
}

}    // namespace ferry::detail
