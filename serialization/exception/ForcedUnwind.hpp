#pragma once

#include <cxxabi.h>
#include <exception>

namespace ferry {

/// What unwinds a thread that pthread_exit() or pthread_cancel() ends. Who catches everything must catch this first and let it pass:
/// `catch (ForcedUnwind&) { throw; }`. Else the C library ends the process without any report.
#ifdef __GLIBCXX__
using ForcedUnwind = abi::__forced_unwind;
#else
struct ForcedUnwind {};    // the C++ runtime has none
#endif

}    // namespace ferry
