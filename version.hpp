#pragma once

/// The version of Ferry: as macros for the headers, as functions for the library that the program runs with.
///
///     #include <ferry/version.hpp>
///
///     #if FERRY_VERSION < FERRY_VERSION_OF(0, 1, 0)
///     #error "this program needs Ferry 0.1"
///     #endif
///
///     int main() { return ferry::versionNumber() >= FERRY_VERSION ? 0 : 1; }

// CMake reads the version from these lines.
#define FERRY_VERSION_MAJOR 0
#define FERRY_VERSION_MINOR 1
#define FERRY_VERSION_PATCH 0

#define FERRY_VERSION_OF(major_, minor_, patch_) ((major_)*1000000 + (minor_)*1000 + (patch_))
#define FERRY_VERSION FERRY_VERSION_OF(FERRY_VERSION_MAJOR, FERRY_VERSION_MINOR, FERRY_VERSION_PATCH)

namespace ferry {

/// The version of the library that the program runs with, such as "0.1.0".
const char* version() noexcept;

/// The version of the library that the program runs with, as FERRY_VERSION numbers it. A shared library may be newer than the headers.
int versionNumber() noexcept;

}    // namespace ferry
