#pragma once

// The concepts and functions of <ranges>. libstdc++ 12 brings them with <span>, without the views.
// So programs that include a header of Ferry compile faster. Other libraries and versions may not bring them.

#include <span>    // IWYU pragma: export
#if !defined(_GLIBCXX_RELEASE) || _GLIBCXX_RELEASE != 12
#include <ranges>    // IWYU pragma: export
#endif
