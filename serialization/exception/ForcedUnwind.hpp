#pragma once

#include <cxxabi.h>
#include <exception>

namespace ferry {

/// The exception that unwinds a thread which pthread_exit() or pthread_cancel() ends. A catch-all must catch this first and let it pass:
/// `catch (ForcedUnwind&) { throw; }`. Else the C library ends the process without any report.
#ifdef __GLIBCXX__
using ForcedUnwind = abi::__forced_unwind;
#else
struct ForcedUnwind {};    // the C++ runtime has none
#endif

}    // namespace ferry
