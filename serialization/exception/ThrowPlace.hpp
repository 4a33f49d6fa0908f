#pragma once

namespace ferry::detail {

/// A line of the source that throws.
struct ThrowPlace {
    const char* file = "";    ///< a literal; empty when unknown
    int line = 0;
};

/// Sets the place for the record of the next throw on this thread.
void announceThrow(ThrowPlace place) noexcept;

/// Returns the announced place and clears it.
ThrowPlace takeAnnouncedThrow() noexcept;

}    // namespace ferry::detail
