#pragma once

namespace ferry::detail {

/// Says on standard error when another copy of Ferry is in this process, whose registry of classes is another object: each of them knows
/// only its own classes, ranks and exceptions. So it is with a plugin that has Ferry linked in, in a program that exports no symbols.
void noteRegistryOfThisCopy(const void* registry);

}    // namespace ferry::detail
