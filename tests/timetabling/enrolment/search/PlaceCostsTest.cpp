#include <ferry/apps/timetabling/enrolment/search/PlaceCosts.hpp>

#include <cstddef>
#include <cstdint>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/enrolment/model/Score.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>
#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>

namespace timetabling::enrolment {

namespace {

/// Returns a timetable that breaks rules of all kinds. Some events are left out.
Solution brokenTimetable(const Problem& problem, Random& random) {
    Solution solution;
    for (int event = 0; event < problem.eventCount(); ++event) {
        const bool isLeftOut = random.below(10) == 0;
        solution.push_back(isLeftOut ? Place{} : Place{random.below(PeriodCount), random.below(problem.roomCount())});
    }
    return solution;
}

PlaceChange changeByScore(const Problem& problem, const Solution& before, const Solution& after) {
    const Score old = scoreOf(problem, before);
    const Score now = scoreOf(problem, after);
    return {now.violations() + now.distance() - old.violations() - old.distance(), now.cost() - old.cost()};
}

void compareChanges(const Problem& problem, std::uint64_t seed) {
    Random random(seed);
    const Solution solution = brokenTimetable(problem, random);
    PlaceCosts costs(problem, solution);
    for (int i = 0; i < 400; ++i) {
        const int event = random.below(problem.eventCount());
        Place to{random.below(PeriodCount), random.below(problem.roomCount())};
        if (i % 20 == 0) to = {};
        Solution after = solution;
        int other = -1;
        if (i % 2 == 0 && i % 20 != 0) {
            other = random.below(problem.eventCount());
            to = solution[static_cast<std::size_t>(other)];
            if (other == event || !to.isPlaced()) continue;
            after[static_cast<std::size_t>(other)] = solution[static_cast<std::size_t>(event)];
        }
        after[static_cast<std::size_t>(event)] = to;
        const PlaceChange expected = changeByScore(problem, solution, after);
        const PlaceChange found = costs.changeOf(event, to, other);
        REQUIRE(found.violations == expected.violations);
        REQUIRE(found.cost == expected.cost);
        REQUIRE(costs.solution() == solution);
    }
}

}    // namespace

TEST_CASE("PlaceCosts: each change of a broken timetable is what full evaluations tell") {
    for (const bool hasSecondRules : {false, true}) {
        for (const std::uint64_t seed : {1U, 2U, 3U}) compareChanges(test::generatedEnrolment(hasSecondRules, seed), seed);
    }
    compareChanges(test::smallEnrolment(), 4);
    compareChanges(test::smallFirstEnrolment(), 5);
}

}    // namespace timetabling::enrolment
