#include <ferry/tests/guard/Faults.hpp>

#include <fmt/format.h>

namespace ferry::test {

InjectedFault::InjectedFault(int theRank, int theStep)
    : Exception(fmt::format("rank {} fails at step {}", theRank, theStep)),
      rank(theRank),
      step(theStep) {}

void Faults::fail() const { throw InjectedFault(rank_, armed_); }

}    // namespace ferry::test
