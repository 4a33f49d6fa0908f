// Tasks that several slaves do together, on thousands of schedules, with throws, slips and deaths in every phase.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/exception/NoSlavesLeft.hpp>
#include <ferry/framework/exception/PoisonTask.hpp>
#include <ferry/framework/simulateJob.hpp>
#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/simulation/Seeds.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace teamexercise {

using namespace std::chrono_literals;

/// The mistake that one rank of a team makes in a collective of all its ranks.
enum class Slip : int {
    None,
    OtherCollective,
    OtherRoot,
    LeavesOut,      ///< goes on without the collective
    Returns,        ///< ends its handler
    Receives,       ///< waits for a message that no rank of the team sends
    WaitsInGroup    ///< waits for such a message in a group of the team
};
constexpr std::uint64_t slipCount = 7;

/// The ranks of the team whose bits are set throw, and one rank may slip. The others answer with the number of the team's ranks.
struct Together {
    int number = 0;    ///< of the team in its job
    std::uint32_t throwing = 0;
    int steps = 0;
    Slip slip = Slip::None;
    int slipping = 0;    ///< the rank that slips
    int slipsAt = 0;     ///< the step
    using Reply = int;
};

/// A task of one slave that sends a number to the master.
struct Tell {
    int number = 0;
    using Reply = Done;
};

bool throwsIn(const Together& task, int rank) { return (task.throwing >> rank & 1u) != 0; }

bool slips(const Together& task, int size) {
    const bool hasRoot = task.slipsAt % 4 >= 2;
    if (task.slip == Slip::None || task.slipsAt >= task.steps || (task.slip == Slip::OtherRoot && !hasRoot)) return false;
    return size > 1 || task.slip == Slip::Receives || task.slip == Slip::WaitsInGroup;
}

/// One of four collectives of all ranks. Every second pair of steps has a root.
void meet(Connector& c, int step, int root) {
    switch (step % 4) {
        case 0: c.barrier(); return;
        case 1: xassert(c.allReduce(1, Sum{}) == c.size()); return;
        case 2: static_cast<void>(c.reduce(1, Sum{}, root)); return;
        default: static_cast<void>(c.broadcast(step, root));
    }
}

/// Whether the rank goes on with its handler.
bool slip(const Together& task, Connector& c, int step) {
    switch (task.slip) {
        case Slip::OtherCollective: meet(c, step + 1, 0); return true;
        case Slip::OtherRoot: meet(c, step, 1); return true;
        case Slip::Returns: return false;
        case Slip::Receives: static_cast<void>(c.receive<double>((c.rank() + 1) % c.size())); return true;
        case Slip::WaitsInGroup:
        case Slip::LeavesOut:
        case Slip::None: return true;
    }
    return true;
}

/// Ranks that have begun the handler of their team. Neither a death nor the loss of a sub-master lets a rank begin twice.
class Begun {
public:
    void note(const Together& task, const Connector& team) {
        xassert(ranks_[task.number].insert(team.rank()).second, "rank {} of team {} begins twice", team.rank(), task.number);
    }
    std::size_t countOf(const Together& task) const {
        const auto found = ranks_.find(task.number);
        return found != ranks_.end() ? found->second.size() : 0;
    }

private:
    std::map<int, std::set<int>> ranks_;    ///< by the number of the team
};

/// The ranks of the job that die in one schedule, and the handlers that have begun in it.
struct Fates {
    std::set<int> dying{};
    std::map<int, int> spoiled{};    ///< by rank, one of those: the first team in which its process is spoiled
    Begun begun{};

    bool areMortal() const { return !dying.empty(); }
    bool isSpoiled(int rank, const Together& task) const {
        const auto found = spoiled.find(rank);
        return found != spoiled.end() && task.number >= found->second;
    }
    /// Whether the exception tells of a rank that dies, or of several ranks.
    bool explain(const LostRank& loss) const {
        const std::string_view text = loss.what();
        const bool isOfTeam = text.find(" of the job)") != std::string_view::npos;    // a rank of the team has thrown it
        if (!isOfTeam) return areMortal() && (loss.rank() == -1 || dying.contains(loss.rank()));
        return std::any_of(dying.begin(), dying.end(),
                           [text](int rank) { return text.find(fmt::format("(rank {} of the job)", rank)) != std::string_view::npos; });
    }
};

int work(const Together& task, Team& team, Fates& fates) {
    Connector& c = team.connector();
    fates.begun.note(task, c);
    const auto group = task.slip == Slip::WaitsInGroup ? c.split(0, -c.rank()) : nullptr;
    for (int step = 0; step < task.steps; ++step) {
        if (step == task.steps / 2 && fates.isSpoiled(c.rankInJob(c.rank()), task)) throw Spoiled("the device is lost");
        if (step == task.steps / 2 && throwsIn(task, c.rank())) throw Refused(c.rank());
        if (step != task.slipsAt || c.rank() != task.slipping || !slips(task, c.size())) {
            meet(c, step, 0);
            continue;
        }
        if (group) static_cast<void>(group->receive<double>((group->rank() + 1) % group->size()));
        if (!slip(task, c, step)) return 0;
    }
    return c.allReduce(1, Sum{});
}

void define(Slave& slave, Fates& fates) {
    slave.on<Together>([&fates](const Together& task, Team& team) { return work(task, team, fates); });
    slave.on<Multiply>([](const Multiply& task) { return Multiplied(static_cast<long>(task.left) * task.right); });
    slave.on<Tell>([](const Tell& task, Task& about) { about.connector().send(0, task.number); });
}

/// Whether the failure tells of a slip: as a mismatch, or as a deadlock that names all ranks of the team.
bool tellsOfSlip(const Failure& failure, int size) {
    if (failure.as<CollectiveMismatch>() != nullptr) return true;
    const Deadlock* const deadlock = failure.as<Deadlock>();
    return deadlock != nullptr && deadlock->ranks().size() == static_cast<std::size_t>(size);
}

/// Checks the outcome of one team. A loss may end any team; nothing else may happen to a team in which no rank throws or slips.
void check(Future<int>& team, const Together& task, int size, const Fates& fates) {
    const bool hasSlip = slips(task, size);
    std::uint32_t expected = 0;
    for (int rank = 0; rank < size && task.steps > 0; ++rank) expected |= throwsIn(task, rank) ? 1u << rank : 0u;
    try {
        xassert(team.get() == size);
        xassert(expected == 0);
        xassert(!hasSlip);
        xassert(fates.begun.countOf(task) == static_cast<std::size_t>(size));
    } catch (const ExceptionList& list) {
        for (const Failure& failure : list) {
            if (const auto* const loss = failure.as<LostRank>()) {
                xassert(fates.explain(*loss), "{}", loss->what());
                continue;
            }
            if (hasSlip && tellsOfSlip(failure, size)) continue;
            const Refused* const refused = failure.as<Refused>();
            xassert(refused != nullptr, "a team of {}: {}", size, failure.what());
            xassert(failure.ranks() == std::vector<int>{refused->number});
            xassert((expected >> refused->number & 1u) != 0);
        }
        xassert(fates.areMortal() || fates.begun.countOf(task) == static_cast<std::size_t>(size));
    } catch (const LostRank& loss) {
        xassert(fates.explain(loss), "{}", loss.what());
    } catch (const PoisonTask&) {
        xassert(fates.areMortal());
    }
}

void conduct(Master& master, std::uint64_t seed, const Fates& fates) {
    const bool areMortal = fates.areMortal();
    int number = 0;
    SeededRandom random(seed);
    for (int round = 0; round < 4; ++round) {
        struct Asked {
            Together task;
            int size = 0;
            Future<int> reply;
        };
        std::vector<Asked> teams;
        std::vector<Future<Multiplied>> tasks;
        const auto count = 1 + random.below(6);
        try {
            for (std::uint64_t i = 0; i < count; ++i) {
                const int slaves = std::min(master.slaveCount(), 8);
                const int size = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(std::max(slaves, 1))));
                Together task{++number, random.oneIn(3) ? static_cast<std::uint32_t>(random.below(256)) : 0u,
                              static_cast<int>(random.below(6))};
                if (random.oneIn(3)) {
                    task.slip = static_cast<Slip>(random.below(slipCount));
                    task.slipping = static_cast<int>(random.below(static_cast<std::uint64_t>(size)));
                    task.slipsAt = static_cast<int>(random.below(6));
                }
                teams.push_back({task, size, master.submit(task, ranks(size), {.priority = static_cast<int>(random.below(2))})});
                if (random.oneIn(2)) tasks.push_back(master.submit(Multiply(3, 5), {.slavesAtMost = 1000}));
                if (random.oneIn(3)) master.poll();
            }
        } catch (const UsageError&) {
            xassert(areMortal);    // a slave was lost between the two calls
        }
        // A task behind the teams brings the number, so that the teams must end before.
        if (!areMortal && random.oneIn(3)) {
            const auto told = master.submit(Tell{round});
            xassert(master.connector().receive<int>() == round);
        }
        if (random.oneIn(3)) master.waitForAll();
        for (Asked& each : teams) check(each.reply, each.task, each.size, fates);
        for (Future<Multiplied>& task : tasks) xassert(task.get().value == 15);
    }
}

void checkOneSchedule(std::uint64_t seed, bool areMortal, int groupSize) {
    SeededRandom random(seed ^ 0x7ea3);
    const int rankCount = areMortal ? 3 + static_cast<int>(seed % 7) : std::max(rankCountFor(seed), groupSize + 2);
    SimulationOptions options;
    Fates fates;
    options.seed = seed;
    if (areMortal) {
        options.tellsDeathsWithin = random.oneIn(2) ? 100'000us : 100us;
        const auto lostCount = 1 + random.below(static_cast<std::uint64_t>(rankCount - 2));
        for (std::uint64_t i = 0; i < lostCount; ++i) {
            const auto rank = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(rankCount - 1)));
            fates.dying.insert(rank);
            options.faults.push_back({rank, 1 + random.below(random.oneIn(2) ? 200 : 2000), Fault::Kind::Kill});
        }
        // Some of them die of an exception that costs the process, and not by themselves.
        std::erase_if(options.faults, [&](const Fault& fault) {
            return random.oneIn(3) && fates.spoiled.emplace(fault.rank, static_cast<int>(random.below(12))).second;
        });
    }
    const JobRun job{.define = [&fates](Slave& slave) { define(slave, fates); },
                     .program =
                         [&](Master& master) {
                             try {
                                 conduct(master, seed, fates);
                             } catch (const NoSlavesLeft&) {
                                 xassert(areMortal);
                             }
                         },
                     .check = nullptr,
                     .groupSize = groupSize};
    const auto result = simulate(rankCount, options, [&job](Connector& connector) { return conductJob(connector, job); });
    INFO(result.describe(), " ", result.stuckText);
    CHECK(result.stuckText.empty());
    CHECK(result.values[0] == exitStatus::success);
}

}    // namespace teamexercise

TEST_CASE("team exercise: each team ends with its reply or its failures, on every schedule") {
    Seeds::forEach(1000, [](std::uint64_t seed) { teamexercise::checkOneSchedule(seed, false, seed % 3 == 0 ? 2 : 0); });
}

TEST_CASE("team exercise: deaths end the teams that they meet, and no other task") {
    Seeds::forEach(1500, [](std::uint64_t seed) { teamexercise::checkOneSchedule(seed, true, 0); });
}

TEST_CASE("team exercise: deaths in groups with sub-masters") {
    Seeds::forEach(700, [](std::uint64_t seed) { teamexercise::checkOneSchedule(seed, true, 2); });
}

TEST_CASE("team exercise: a reply that comes while a master in receive sends tasks lets the job go on") {
    // Schedules in which the master rested after its sends had taken in the last reply.
    for (const std::uint64_t seed : {1002887u, 1008041u, 1010138u, 1016456u, 1018186u, 1020125u, 1022573u, 1024675u, 1028638u, 1034006u})
        teamexercise::checkOneSchedule(seed, false, seed % 3 == 0 ? 2 : 0);
}

TEST_CASE("team exercise: a team at work that is cancelled, or comes to its deadline, fails as a task of one slave does") {
    Slave slave;
    slave.on<teamexercise::Together>([](const teamexercise::Together&, Team& team) -> int {
        for (;;) team.task().throwIfCancelled();
    });
    Seeds::forEach(200, [&slave](std::uint64_t seed) {
        SimulationOptions options;
        options.seed = seed;
        const auto result = simulateJob(5, options, slave, [](Master& master) {
            auto cancelled = master.submit(teamexercise::Together{}, ranks(3));
            xassert(cancelled.rank() > 0);
            xassert(!cancelled.cancel());
            auto late = master.submit(teamexercise::Together{}, ranks(4), {.deadline = Deadline::in(std::chrono::milliseconds(50))});
            try {
                static_cast<void>(cancelled.get());
                xassert(false);
            } catch (const Cancelled&) {}
            try {
                static_cast<void>(late.get());
                xassert(false);
            } catch (const TimeoutError&) {}
        });
        INFO(result.describe(), " ", result.stuckText);
        CHECK(result.values[0] == exitStatus::success);
    });
}
