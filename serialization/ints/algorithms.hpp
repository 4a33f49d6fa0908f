#pragma once

// The algorithms of <algorithm> on iterators. With libstdc++, <functional> brings them without those on ranges and with execution policies,
// so programs that include a header of Ferry compile faster.

#include <functional>    // IWYU pragma: export
#ifndef __GLIBCXX__
#include <algorithm>    // IWYU pragma: export
#endif
