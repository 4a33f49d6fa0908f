#include <ferry/guard/region/HeldBack.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <ferry/guard/unwinding/NoexceptFrame.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/stack/StackFrame.hpp>
#include <ferry/serialization/exception/stack/Symbols.hpp>

namespace ferry::pmpi {

namespace {

/// The innermost call of the program on the stack.
std::string callOf(std::span<void* const> returnAddresses) {
    for (void* const& address : returnAddresses) {
        for (const detail::StackFrame& frame : detail::symbolise({&address, 1})) {
            if (frame.function.starts_with("MPI_") || frame.function.starts_with("ferry::guarded("))
                return frame.function.substr(0, frame.function.find('('));
        }
    }
    return "a call of MPI";
}

/// Describes the function at an address. If several functions were inlined into each other, only the compiler knows which one it is.
std::string functionAt(void* const& returnAddress) {
    const std::vector<detail::StackFrame> frames = detail::symbolise({&returnAddress, 1});
    const std::string innermost = detail::describe(frames.front());
    return frames.size() == 1 ? innermost : fmt::format("{} in {}", innermost, frames.back().function);
}

void tell(const NoexceptFrame& frame) {
    const std::string text = fmt::format(
        "ferry: rank {}: {} returns with nothing done, since no exception can leave {} (noexcept). The next call of MPI after that "
        "function throws the failure\n",
        detail::rankOfThisThread(), callOf(frame.returnAddresses), functionAt(frame.returnAddresses.back()));
    std::fputs(text.c_str(), stderr);    // throws nothing, even without a standard error
}

/// Prints the line for each of the first functions only: they are enough. Handlers of exit() may call this function, too.
void tellOnce(const NoexceptFrame& frame) {
    static std::array<std::uintptr_t, 20> told{};
    auto* const place = std::find_if(told.begin(), told.end(), [&](std::uintptr_t one) { return one == 0 || one == frame.function; });
    if (place == told.end() || *place == frame.function) return;
    *place = frame.function;
    tell(frame);
}

}    // namespace

bool HeldBack::holds(const std::exception& thrown) {
    const std::optional<NoexceptFrame> frame = NoexceptFrame::around(thrown);
    if (!frame || calls_.areTooMany()) return false;
    tellOnce(*frame);
    return true;
}

}    // namespace ferry::pmpi
