#pragma once

#include <array>
#include <cstddef>

namespace ferry {

/// What the processes of one job know, and no others.
using WatchSecret = std::array<std::byte, 16>;

/// A new one, from the operating system. Errors: std::system_error when it gives none.
WatchSecret makeWatchSecret();

}    // namespace ferry
