#pragma once

// The algorithms of <algorithm> on iterators. libstdc++ 12 brings them with <functional>, without those on ranges.
// So programs that include a header of Ferry compile faster. Other libraries and versions may not bring them.

#include <functional>    // IWYU pragma: export
#if !defined(_GLIBCXX_RELEASE) || _GLIBCXX_RELEASE != 12
#include <algorithm>    // IWYU pragma: export
#endif
