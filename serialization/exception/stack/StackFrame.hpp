#pragma once

#include <cstdint>
#include <string>

namespace ferry::detail {

/// One function of a stack. Unknown data is empty or 0.
struct StackFrame {
    std::string function;    ///< demangled
    std::string file;        ///< path of the source, as the compiler saw it
    int line = 0;
    std::string module;          ///< path of the program or shared library
    std::uint64_t offset = 0;    ///< offset of the call in its module, as addr2line takes it

    friend bool operator==(const StackFrame&, const StackFrame&) = default;
};

/// One line, for example "improve(Room const&) (rooms.cpp:57)". For a function without a name: "libm.so.6+0x1c2f0". Only the last part of a
/// path is shown. Very long names are cut at their end.
std::string describe(const StackFrame& frame);

/// Whether the frame says little about the program: its line is in a header of the system or the compiler, or it is the C library's start
/// of the program.
bool isOfSystem(const StackFrame& frame);

/// Whether the frame's line is in Ferry's own sources or installed headers, or the frame is the raise() made by FERRY_EXCEPTION.
bool isInFerry(const StackFrame& frame);

}    // namespace ferry::detail
