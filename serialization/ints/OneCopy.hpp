#pragma once

namespace ferry::detail {

/// Writes a warning to standard error when this process has a second copy of Ferry, with its own registry of classes. Each copy knows only
/// its own classes, ranks and exceptions. Example: a plugin has Ferry linked in, and the program exports no symbols.
void noteRegistryOfThisCopy(const void* registry);

}    // namespace ferry::detail
