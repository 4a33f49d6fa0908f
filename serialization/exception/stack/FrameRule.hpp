#pragma once

#include <cstdint>

namespace ferry::detail {

/// Says how the registers of a caller follow from those of the function that it has called, at one return address. Read from the tables
/// that the compiler has made for the unwinder. Only on x86-64; elsewhere every rule is Unknown.
struct FrameRule {
    enum class Kind : std::uint8_t {
        Unknown,      ///< no table, a frame of a signal, or an expression: only the unwinder knows
        Outermost,    ///< the function has no caller
        Simple,
    };
    Kind kind = Kind::Unknown;
    bool isFromFramePointer = false;        ///< base of callerStackBytes: the frame pointer, else the stack pointer
    std::uint32_t callerStackBytes = 0;     ///< from the base up to the stack pointer of the caller, below which the return address lies
    std::uint32_t savedFramePointer = 0;    ///< bytes from the caller's stack pointer down to its frame pointer; 0: the same as here

    /// The rule of the function that contains the call before this return address.
    /// Threads: safe from any thread. Locks the list of modules of the loader.
    static FrameRule at(std::uintptr_t returnAddress) noexcept;

    friend bool operator==(const FrameRule&, const FrameRule&) = default;
};

}    // namespace ferry::detail
