#pragma once

#include <type_traits>

#include <ferry/framework/ending/ExitStatus.hpp>

namespace ferry::detail {

/// Runs the program of a rank, as given to Application::run and runOnAll. Returns its exit status: the visible part of the int that the
/// program returns, or 0 when it returns nothing.
template <class Program, class Argument>
int callRankProgram(Program& program, Argument& argument) {
    static_assert(std::is_invocable_v<Program&, Argument&>,
                  "ferry: the program of run() takes a ferry::Master&, that of runOnAll() a ferry::Connector&");
    if constexpr (std::is_invocable_v<Program&, Argument&>) {
        using Result = std::invoke_result_t<Program&, Argument&>;
        static_assert(std::is_void_v<Result> || std::is_same_v<Result, int>,
                      "ferry: the program of run() and runOnAll() returns nothing, or an int: the exit status");
        if constexpr (std::is_same_v<Result, int>) {
            return visibleExitStatus(program(argument));
        } else {
            program(argument);
        }
    }
    return exitStatus::success;
}

}    // namespace ferry::detail
