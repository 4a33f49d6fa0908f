#pragma once

#include <cstdint>
#include <span>

namespace ferry::pmpi {

/// The kind and the target of a machine instruction. Supports x86-64 and aarch64; on other processors each instruction is Unknown.
struct Instruction {
    enum class Kind {
        Unknown,
        Plain,     ///< goes to the next instruction
        Branch,    ///< goes to the next instruction or to the target
        Jump,
        Call,
        Stop,    ///< the code names no target: the instruction returns or ends the program
    };
    Kind kind = Kind::Unknown;
    std::uintptr_t next = 0;       ///< address of the next instruction
    std::uintptr_t target = 0;     ///< target of a branch, jump or call; 0: computed at run time
    bool isTargetThere = false;    ///< the target holds the address to go to

    /// Decodes the instruction at the beginning of these bytes.
    static Instruction at(std::span<const std::uint8_t> bytes);
};

}    // namespace ferry::pmpi
