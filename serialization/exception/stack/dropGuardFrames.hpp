#pragma once

#include <vector>

#include <ferry/serialization/exception/stack/StackFrame.hpp>

namespace ferry::detail {

/// Drops the innermost frames if they are those of a call of MPI that the guard (guard/) has thrown from, with the call itself. The stack
/// then begins with the function of the program that has made the call. A stack that has nothing but the guard's frames stays whole.
///
/// A stack that begins in a function that MPI has called, such as an operator, loses the guard's frames below. The call itself stays.
///
/// A frame without debug information counts as the guard's if it is in the module of the call, and no frame of another module is before it.
void dropGuardFrames(std::vector<StackFrame>& stack);

}    // namespace ferry::detail
