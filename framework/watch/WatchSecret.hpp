#pragma once

#include <array>
#include <cstddef>

namespace ferry::detail {

/// A secret that only the processes of one job know.
using WatchSecret = std::array<std::byte, 16>;

/// A new secret from the operating system. Errors: std::system_error when the system gives none.
WatchSecret makeWatchSecret();

}    // namespace ferry::detail
