#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include <ferry/framework/master/Master.hpp>
#include <ferry/framework/slave/Slave.hpp>
#include <ferry/tests/simulation/swarm/SwarmCase.hpp>
#include <ferry/tests/simulation/swarm/SwarmTree.hpp>

namespace ferry::test {

/// One run of the job of a case: the handlers, the master's program, and what the model of the job expects.
class SwarmJob {
public:
    using TaskKey = std::pair<int, int>;    ///< index of the step, and the number of the task in it
    using Done = std::vector<int>;          ///< a task that is done: its key, and the first numbers of the results that it has read

    /// wrongFromSize: as SwarmPlant. finished: the tasks that a journal must have from an earlier run.
    SwarmJob(const SwarmCase& swarm, SwarmLog& log, int wrongFromSize, std::set<Done> finished)
        : swarm_(swarm),
          log_(log),
          wrongFromSize_(wrongFromSize),
          finishedBefore_(std::move(finished)) {}

    void define(Slave& slave);
    /// Errors: NoSlavesLeft.
    void conduct(Master& master);
    /// Compares the numbers of runs of each task with those that must be. To be called when the simulation is over.
    void checkRuns();

    /// The tasks whose replies the master has got, and that belong into a journal.
    const std::set<Done>& finished() const noexcept { return finished_; }

private:
    friend class SwarmMaster;

    const SwarmCase& swarm_;
    SwarmLog& log_;
    int wrongFromSize_;
    std::set<Done> finishedBefore_;
    std::set<Done> finished_{};
    std::set<TaskKey> notAgain_{};                             ///< the journal has their replies
    std::map<TaskKey, int> runs_{};                            ///< number of times that a handler has begun the task
    std::map<TaskKey, std::pair<int, int>> expectedRuns_{};    ///< least and greatest number
    std::vector<std::size_t> sharedSizes_{};
};

}    // namespace ferry::test
