#pragma once

#include <cstdint>
#include <vector>

namespace ferry::pmpi {

/// What the code at a landing pad may do, as far as it can be read: on all paths through it up to a handler, whether they can be taken or
/// not. On processors other than x86-64 and aarch64 it cannot be read.
struct LandingPad {
    bool isUnclear = false;                   ///< some of it cannot be read
    bool canTerminate = false;                ///< std::terminate is called
    bool isNoHandler = false;                 ///< and what calls it has caught the exception for that: clang++ has this for `noexcept`
    std::vector<std::uintptr_t> resumes{};    ///< the places, in the calls, where the exception is sent on

    static LandingPad at(std::uintptr_t address);
};

}    // namespace ferry::pmpi
