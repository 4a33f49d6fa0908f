#pragma once

#include <ferry/benchmarks/serialization/Contenders.hpp>
#include <ferry/benchmarks/support/Suite.hpp>

namespace bench {

/// Prints Ferry's time of each case and its ratios to other contenders, with the goal beside each ratio, as a table in Markdown.
void printRatios(const Suite& suite);
void printBytes(const StreamBytes& bytes);

}    // namespace bench
