#pragma once

#include <cstdint>
#include <string>

namespace ferry {

/// One function of a stack. What is unknown is empty, or 0.
struct StackFrame {
    std::string function;    ///< demangled
    std::string file;        ///< path of the source, as the compiler saw it
    int line = 0;
    std::string module;          ///< path of the program or shared library
    std::uint64_t offset = 0;    ///< of the call in its module, as addr2line takes it

    friend bool operator==(const StackFrame&, const StackFrame&) = default;
};

/// One line such as "improve(Room const&) (rooms.cpp:57)"; for a function without a name "libm.so.6+0x1c2f0". Paths are cut to their last
/// part, and very long names at their end.
std::string describe(const StackFrame& frame);

/// Whether its line says little of the program: it is in a header of the system or the compiler, or where the C library starts a program.
bool isOfSystem(const StackFrame& frame);

/// Whether its line is in Ferry's own sources or installed headers, or it is the raise() that FERRY_EXCEPTION makes.
bool isInFerry(const StackFrame& frame);

}    // namespace ferry
