#pragma once

// The durations, time points and clocks of <chrono>. With libstdc++, <mutex> brings them without calendars and streams, so programs that
// include a header of Ferry compile faster.

#include <mutex>    // IWYU pragma: export
#ifndef __GLIBCXX__
#include <chrono>    // IWYU pragma: export
#endif
