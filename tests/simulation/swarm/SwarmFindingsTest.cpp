// Cases that the swarm has found, as its shrinker printed them.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/tests/simulation/swarm/Swarm.hpp>

namespace swarmfindings {

using namespace ferry::test;

constexpr auto region = SwarmStep::Kind::Region;
constexpr auto split = SwarmStep::Kind::Split;

void expectNoProblem(const SwarmCase& swarm) {
    const std::vector<std::string> problems = problemsOf(swarm);
    REQUIRE_MESSAGE(problems.empty(), problems.front());
}

}    // namespace swarmfindings

using namespace swarmfindings;

TEST_CASE("Swarm: a rank at the end of a group's region leaves it when the ranks around wait in shrink()") {
    SwarmCase swarm;
    swarm.seed = 5;
    swarm.ranks = 5;
    swarm.tellsDeathsUs = 100;
    swarm.faults = {{0, 1, ferry::Fault::Kind::Kill}, {4, 57, ferry::Fault::Kind::Kill}};
    swarm.program = {
        {}, {.kind = region, .inside = {{.action = RegionAction::Neighbours}, {.kind = split, .size = 2, .inside = {{.kind = region}}}}}};
    for (swarm.seed = 1; swarm.seed <= 40; ++swarm.seed) expectNoProblem(swarm);
}

TEST_CASE("Swarm: a loss around a group leaves the group's region as LostRank, not in a list") {
    SwarmCase swarm;
    swarm.ranks = 7;
    swarm.packetDelayUs = 20000;
    swarm.tellsDeathsUs = 1000;
    swarm.faults = {{4, 14, ferry::Fault::Kind::Kill}};
    swarm.program = {{.action = RegionAction::InGroup}};
    for (swarm.seed = 1; swarm.seed <= 40; ++swarm.seed) expectNoProblem(swarm);
}

TEST_CASE("Swarm: a rank at the end of a group's region leaves it when a rank of the team around is lost") {
    SwarmCase swarm;
    swarm.ranks = 12;
    swarm.tellsDeathsUs = 1000;
    swarm.faults = {{8, 21, ferry::Fault::Kind::Kill}};
    swarm.job = {{.kind = SwarmTask::Kind::Share},
                 {.kind = SwarmTask::Kind::Team, .ranks = 8, .inside = {{.action = RegionAction::InGroup}}}};
    for (swarm.seed = 1; swarm.seed <= 40; ++swarm.seed) expectNoProblem(swarm);
}

TEST_CASE("Swarm: a further try goes to the idle slave of its first one while another slave waits for its team") {
    SwarmCase swarm;
    swarm.ranks = 4;
    swarm.groupSize = 3;
    swarm.callTimeUs = 5;
    swarm.packetDelayUs = 10;
    swarm.job = {{.size = 34, .retries = 1, .backOffUs = 50000},
                 {.kind = SwarmTask::Kind::Team, .size = 40, .ranks = 2, .inside = {{.action = RegionAction::Scatter, .root = 1}}},
                 {.count = 4, .size = 13, .priority = 2, .failures = 3, .retries = 1, .backOffUs = 100, .isDropped = true},
                 {.kind = SwarmTask::Kind::Keep, .count = 6, .size = 12, .priority = 2, .failures = 1, .retries = 1, .isDropped = true}};
    for (swarm.seed = 1; swarm.seed <= 40; ++swarm.seed) expectNoProblem(swarm);
}

TEST_CASE("Swarm: ranks that take each other for dead are no survivors, so each may go on alone until it dies") {
    SwarmCase swarm;
    swarm.ranks = 3;
    swarm.tellsDeathsUs = 100000;
    swarm.faults = {{1, 1, ferry::Fault::Kind::Kill}, {0, 1, ferry::Fault::Kind::Silence}, {2, 1, ferry::Fault::Kind::Silence}};
    swarm.program = {{.action = RegionAction::PlainData}};
    for (swarm.seed = 1; swarm.seed <= 40; ++swarm.seed) expectNoProblem(swarm);
}
