#pragma once

// Declares std::filesystem::path. libstdc++ 12 has a header for that alone, and <filesystem> brings locales and streams besides.
// So programs that include a header of Ferry compile faster. Sources that use paths include <filesystem>.

#include <string>    // IWYU pragma: keep
#if defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE == 12
#include <bits/fs_fwd.h>    // IWYU pragma: export
#else
#include <filesystem>    // IWYU pragma: export
#endif
