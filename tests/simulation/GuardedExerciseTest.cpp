#include <ferry/tests/simulation/GuardedExercise.hpp>

#include <cstdint>
#include <exception>

#include <doctest/doctest.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/transport/simulation/SimulatedDeadlock.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/ending/Shutdown.hpp>
#include <ferry/tests/connector/GuardedCampaign.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;

namespace guardedexercisetest {

GuardedExerciseResult exerciseWithFault(std::uint64_t seed, Fault::Kind kind) {
    SimulationOptions options;
    options.seed = seed;
    options.faults = {faultFromSeed(seed, rankCountFor(seed), 400)};
    options.faults.front().kind = kind;
    return guardedExercise(options, GuardedWaits::ForOneRank);
}

/// Ends a rank's program after exit().
struct Exited {};

/// Makes the rank call exit(6) in place of its first throw.
class ExitingWatch final : public CampaignWatch {
public:
    ExitingWatch(detail::Shutdown& shutdown, bool& hasExited) : shutdown_(shutdown), hasExited_(hasExited) {}
    void threw(int, int) override {
        if (std::exchange(hasExited_, true)) return;
        shutdown_.conductExit(6);
        throw Exited();
    }
    void failed(int, const std::vector<int>&) override {}

private:
    detail::Shutdown& shutdown_;
    bool& hasExited_;
};

}    // namespace guardedexercisetest

using namespace guardedexercisetest;

TEST_CASE("Guarded regions under simulation: in the exercise with throws everywhere, all is as it must be on every schedule") {
    Seeds::forEach(1500, [](std::uint64_t seed) {
        SimulationOptions options;
        options.seed = seed;
        const GuardedExerciseResult result = guardedExercise(options);
        REQUIRE_MESSAGE(result.isRight(), result.describe());
    });
}

TEST_CASE("Guarded regions under simulation: from the same seed they have the same trace, byte for byte") {
    Seeds::forEach(30, [](std::uint64_t seed) {
        SimulationOptions options;
        options.seed = seed;
        const GuardedExerciseResult first = guardedExercise(options);
        const GuardedExerciseResult second = guardedExercise(options);
        REQUIRE(first.simulation.trace.size() > 20);
        REQUIRE(first.simulation.trace.text() == second.simulation.trace.text());
    });
}

TEST_CASE("Guarded regions under simulation: when a rank leaves in the exercise, nobody waits for ever") {
    Seeds::forEach(300, [](std::uint64_t seed) {
        const GuardedExerciseResult result = exerciseWithFault(seed, Fault::Kind::Leave);
        REQUIRE_MESSAGE(result.simulation.stuckText.empty(), result.describe());
        for (const detail::Simulation::Ending& ending : result.simulation.ranks) {
            if (ending.how != detail::RankEnd::Threw) continue;
            REQUIRE_MESSAGE(detail::Thrown(ending.exception).as<RankHasLeft>() != nullptr, result.describe());
        }
    });
}

TEST_CASE("Guarded regions under simulation: when a rank is killed in the exercise, it is named and nothing hangs") {
    int stuckCount = 0;
    Seeds::forEach(300, [&stuckCount](std::uint64_t seed) {
        const GuardedExerciseResult result = exerciseWithFault(seed, Fault::Kind::Kill);
        if (result.simulation.stuckText.empty()) return;
        ++stuckCount;
        REQUIRE_MESSAGE(result.simulation.stuckText.find("was killed") != std::string::npos, result.describe());
    });
    if (Seeds::areMany()) CHECK(stuckCount > 0);
}

TEST_CASE("Guarded regions under simulation: exit() anywhere in a region ends every rank with its status") {
    int exitCount = 0;
    Seeds::forEach(30, [&exitCount](std::uint64_t seed) {
        SimulationOptions options;
        options.seed = seed;
        bool hasExited = false;
        const auto result = simulate(rankCountFor(seed), options, [&](Connector& connector) {
            detail::Shutdown shutdown(connector);
            ExitingWatch watch(shutdown, hasExited);
            return shutdown.conduct(detail::Shutdown::End::WithAll, [&] {
                runGuardedCampaign(connector, {.seed = seed, .regions = 3, .watch = &watch});
                return exitStatus::success;
            });
        });
        if (hasExited) ++exitCount;
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
        for (const auto& status : result.values) REQUIRE(status == (hasExited ? 6 : exitStatus::success));
    });
    if (Seeds::areMany()) CHECK(exitCount > 0);
}
