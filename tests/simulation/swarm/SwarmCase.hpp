#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ferry/connector/transport/simulation/Fault.hpp>
#include <ferry/tests/connector/Injection.hpp>
#include <ferry/tests/connector/RegionActions.hpp>

namespace ferry::test {

/// A rank of the step's connector throws. The throw happens at a throw point of the step, or at the end of the step when it has fewer
/// points.
struct SwarmThrow {
    int rank = 0;
    int atPoint = 1;    ///< counted from 1, within the step
    InjectedForm form = InjectedForm::Own;
};

/// One step of all ranks of a connector.
struct SwarmStep {
    enum class Kind {
        Act,       ///< an action of RegionActions
        Data,      ///< arrays and a graph of `size` elements
        Late,      ///< each rank waits for a message that nobody sends, until a deadline of `size` microseconds
        Region,    ///< a guarded region with the inner steps
        Split      ///< groups of ranks, each with the inner steps
    };
    Kind kind = Kind::Act;
    RegionAction action = RegionAction::Barrier;
    int root = 0;
    int size = 1;    ///< for Split: the number of groups
    bool isCaught = true;
    std::vector<SwarmThrow> throws{};    ///< for Act, Data and Late
    std::vector<SwarmStep> inside{};
};

/// One step of the master of a job.
struct SwarmTask {
    enum class Kind {
        Plain,     ///< tasks with `size` numbers in the reply
        Team,      ///< a task of `ranks` slaves, which do the inner steps
        Keep,      ///< results that stay with slaves
        Total,     ///< tasks that read all kept results
        Bring,     ///< the master gets all kept results
        Forget,    ///< the master drops all kept results
        Share,     ///< a new shared object with `size` numbers
        Await      ///< waits for all tasks so far
    };
    Kind kind = Kind::Plain;
    int count = 1;
    int size = 1;
    int ranks = 1;
    int priority = 0;
    int failures = 0;    ///< number of tries that throw
    int retries = 0;
    int backOffUs = 0;
    int deadlineUs = 0;    ///< 0: no deadline
    bool isRepeatable = true;
    bool isCancelled = false;
    bool isDropped = false;
    bool isContinued = false;    ///< a further task follows from the reply (Future::then)
    std::vector<SwarmStep> inside{};
};

/// Allocations of a rank that fail while the rank has its part, and until it has left.
struct SwarmShortage {
    int rank = 0;
    std::uint64_t at = 1;    ///< the first allocation that fails, counted from 1 at the beginning of the part
    int count = 1;           ///< the number of allocations that fail, one behind the other
};

/// A configuration and a program, as explicit data: nothing of it is random any more but the schedule.
struct SwarmCase {
    std::uint64_t seed = 1;    ///< of the schedule
    int ranks = 2;
    int groupSize = 0;                   ///< of the groups with sub-masters; 0: there are no sub-masters
    int callTimeUs = 1;                  ///< SimulationOptions::callTime
    int packetDelayUs = 0;               ///< 0: the seed decides
    int tellsDeathsUs = 0;               ///< 0: nobody is told of deaths
    bool hasJournal = false;             ///< the job runs twice with one journal
    int flushMs = 0;                     ///< the flush interval of the journal
    std::vector<Fault> faults{};         ///< of which ranks die
    std::vector<Fault> halts{};          ///< pauses and leaps of clocks, of which nobody dies
    int clockDrift = 0;                  ///< SimulationOptions::clockDrift
    std::vector<SwarmShortage> shortages{};
    std::vector<SwarmStep> program{};    ///< before the job, on all ranks
    std::vector<SwarmTask> job{};

    bool areMortal() const noexcept { return !faults.empty(); }
    bool isScarce() const noexcept { return !shortages.empty(); }
    /// True when ranks may end anywhere in the program.
    bool mayBreak() const noexcept { return areMortal() || isScarce(); }
};

/// Draws a case. The seed decides.
SwarmCase drawCase(std::uint64_t seed);

/// Draws a case in which nobody dies, but a rank has too little memory for a moment.
SwarmCase drawScarceCase(std::uint64_t seed);

/// The case as the text of a test case in C++ that runs it. Members with their default values are left out.
std::string toCpp(const SwarmCase& swarm, const std::string& name);

}    // namespace ferry::test
