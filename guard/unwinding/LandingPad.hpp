#pragma once

#include <cstdint>
#include <vector>

namespace ferry::pmpi {

/// The possible effects of the code at a landing pad, as far as the code can be read. All paths up to a handler count, whether they can be
/// taken or not. The code can be read on x86-64 and aarch64 only.
struct LandingPad {
    bool isUnclear = false;                   ///< part of the code cannot be read
    bool canTerminate = false;                ///< std::terminate is called
    bool isNoHandler = false;                 ///< the code catches the exception only to call std::terminate: clang++ does so for
                                              ///< `noexcept`
    std::vector<std::uintptr_t> resumes{};    ///< addresses, inside the calls, at which the exception is passed on

    static LandingPad at(std::uintptr_t address);
};

}    // namespace ferry::pmpi
