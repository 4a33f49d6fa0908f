#pragma once

namespace ferry::detail {

/// Registers the classes of Ferry's own that may come from any rank, so that every rank knows them, whichever its program names: ranks with
/// different programs must agree on what they know.
void registerLibraryClasses();

}    // namespace ferry::detail
