#pragma once

// The durations, time points and clocks of <chrono>. libstdc++ 12 brings them with <mutex>, without calendars and streams.
// So programs that include a header of Ferry compile faster. Other libraries and versions may not bring them.

#include <mutex>    // IWYU pragma: export
#if !defined(_GLIBCXX_RELEASE) || _GLIBCXX_RELEASE != 12
#include <chrono>    // IWYU pragma: export
#endif
