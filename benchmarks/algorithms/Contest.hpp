#pragma once

#include <functional>
#include <string>
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace bench {

/// A way to do the measured work, on all ranks together.
struct Contender {
    std::string name;
    std::function<void()> run;
};

/// Runs all contenders in turn, round after round, so that a disturbance of the machine affects all of them. Prints a row of a table for
/// each contender: the median time of the slowest rank, and its ratio to the first contender.
void contest(ferry::Connector& c, const char* title, const std::vector<Contender>& contenders);

}    // namespace bench
