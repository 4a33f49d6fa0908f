#pragma once

#include <cxxabi.h>
#include <exception>

namespace ferry::detail {

/// The exception that unwinds a thread ended by pthread_exit() or pthread_cancel(). Code that catches everything must first catch this one
/// and rethrow it: `catch (ForcedUnwind&) { throw; }`. Otherwise the C library ends the process without any report.
#ifdef __GLIBCXX__
using ForcedUnwind = abi::__forced_unwind;
#else
struct ForcedUnwind {};    // the C++ runtime has no such exception
#endif

}    // namespace ferry::detail
