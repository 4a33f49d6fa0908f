#pragma once

namespace ferry::detail {

/// Registers Ferry's own classes that may come from any rank. So every rank knows them, whichever classes its program names. Ranks with
/// different programs must agree on the classes that they know.
void registerLibraryClasses();

}    // namespace ferry::detail
