#pragma once

#include <functional>
#include <string>
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace bench {

/// One way to do what is measured, on all ranks together.
struct Contender {
    std::string name;
    std::function<void()> run;
};

/// Runs all in turn, round after round, so that what disturbs the machine disturbs all, and prints the median of each, of the slowest rank,
/// as a row of a table beside its ratio to the first.
void contest(ferry::Connector& c, const char* title, const std::vector<Contender>& contenders);

}    // namespace bench
