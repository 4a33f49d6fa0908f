#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ferry/connector/simulate.hpp>
#include <ferry/framework/master/Master.hpp>
#include <ferry/framework/slave/Slave.hpp>

namespace ferry::test {

/// A simulated job whose slaves join in groups while it runs. A slave that joins reaches rank 0 alone, as in a job of processes.
struct JoiningJob {
    int firstRanks = 2;           ///< the ranks that are there at the beginning
    std::vector<int> groups{};    ///< the numbers of slaves that join together; the program of the master lets all of them join
    std::function<void(Slave&)> define{};
    std::function<void(Connector&)> begin{};    ///< called on each rank before its part of the job
    std::function<void(Master&)> program{};

    int rankCount() const;
};

/// Runs the job. The result has the exit status of each rank.
SimulationOf<int> simulateJoining(const JoiningJob& job, const SimulationOptions& options);

}    // namespace ferry::test
