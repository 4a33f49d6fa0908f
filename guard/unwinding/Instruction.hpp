#pragma once

#include <cstdint>
#include <span>

namespace ferry::pmpi {

/// Where a machine instruction leads. Of x86-64 and aarch64; those of other processors are all Unknown.
struct Instruction {
    enum class Kind {
        Unknown,
        Plain,     ///< to the next one
        Branch,    ///< to the next one, or to the target
        Jump,
        Call,
        Stop,    ///< nowhere that the code says: it returns, or ends the program
    };
    Kind kind = Kind::Unknown;
    std::uintptr_t next = 0;       ///< the address behind it
    std::uintptr_t target = 0;     ///< of a branch, jump or call; 0: it is computed
    bool isTargetThere = false;    ///< the address to go to lies at the target

    /// The one at the begin of these bytes.
    static Instruction at(std::span<const std::uint8_t> bytes);
};

}    // namespace ferry::pmpi
