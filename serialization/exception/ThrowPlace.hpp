#pragma once

namespace ferry {

/// A line of the source that throws.
struct ThrowPlace {
    const char* file = "";    ///< a literal; empty when unknown
    int line = 0;
};

/// For the throw that follows next on this thread: its record says this place.
void announceThrow(ThrowPlace place) noexcept;

/// Returns the announced place, once.
ThrowPlace takeAnnouncedThrow() noexcept;

}    // namespace ferry
