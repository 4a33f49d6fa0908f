#pragma once

// The concepts and functions of <ranges>. With libstdc++, <span> brings them without the views, so programs that include a header of
// Ferry compile faster.

#include <span>    // IWYU pragma: export
#ifndef __GLIBCXX__
#include <ranges>    // IWYU pragma: export
#endif
