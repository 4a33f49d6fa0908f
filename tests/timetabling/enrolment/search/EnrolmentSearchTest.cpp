#include <ferry/apps/timetabling/enrolment/search/EnrolmentSearch.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/enrolment/io/InstanceReader.hpp>
#include <ferry/apps/timetabling/enrolment/model/Score.hpp>
#include <ferry/apps/timetabling/enrolment/model/Solution.hpp>
#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>

using namespace timetabling;
using namespace timetabling::enrolment;

namespace {

/// Checks that the numbers in the individual are those of its timetable.
void checkHonest(const Problem& problem, const Individual& individual) {
    CHECK_NOTHROW(checkSlots(problem, individual.slots));
    const Score score = scoreOf(problem, toSolution(problem, individual.slots));
    CHECK(score.distance() == individual.conflicts);
    CHECK(score.cost() == individual.cost);
}

}    // namespace

TEST_CASE("EnrolmentSearch: places all events of generated instances, and annealing makes them cheaper") {
    for (const bool hasSecondRules : {false, true}) {
        const Problem problem = test::generatedEnrolment(hasSecondRules, 11);
        const EnrolmentSearch search(problem.instance());
        CHECK_FALSE(search.findInfeasibility());
        const Individual built = search.construct(1, Budget::ofMoves(20'000'000), {});
        checkHonest(problem, built);
        CHECK(built.conflicts == 0);
        const SearchResult annealed = search.anneal(built.slots, {2, Budget::ofMoves(200'000), 100}, {});
        checkHonest(problem, annealed.best);
        CHECK(annealed.best.conflicts == 0);
        CHECK(annealed.best.cost < built.cost / 2);
        CHECK(annealed.moves == 200'000);
        const SearchResult easy = search.anneal(built.slots, {2, Budget::ofMoves(200'000), 100, built.cost - 1}, {});
        CHECK(easy.best.reaches(built.cost - 1));
        CHECK(easy.moves < 200'000);
    }
}

TEST_CASE("EnrolmentSearch: offers timetables while the search goes on") {
    const Problem problem = test::generatedEnrolment(true, 11);
    const EnrolmentSearch search(problem.instance());
    const Individual built = search.construct(1, Budget::ofMoves(20'000'000), {});
    SearchOrder order{2, Budget::ofMoves(200'000), 100};
    Individual last = built;
    int offers = 0;
    order.offer = [&](const Individual& best) {
        CHECK(best.isBetterThan(last));
        last = best;
        ++offers;
        return true;
    };
    const SearchResult annealed = search.anneal(built.slots, order, {});
    CHECK(offers > 1);
    CHECK(last.slots == annealed.best.slots);
    checkHonest(problem, last);
}

TEST_CASE("EnrolmentSearch: the same seed and moves give the same timetable, another seed another one") {
    const EnrolmentSearch search(test::generatedEnrolment(true, 12).instance());
    const auto solve = [&](std::uint64_t seed) {
        const Individual built = search.construct(seed, Budget::ofMoves(20'000'000), {});
        return search.anneal(built.slots, {seed, Budget::ofMoves(50'000), 100}, {}).best.slots;
    };
    CHECK(solve(1) == solve(1));
    CHECK(solve(1) != solve(2));
}

TEST_CASE("EnrolmentSearch: a child takes after both parents and is repaired") {
    const Problem problem = test::generatedEnrolment(true, 13);
    const EnrolmentSearch search(problem.instance());
    const Slots first = search.construct(1, Budget::ofMoves(20'000'000), {}).slots;
    const Slots second = search.construct(2, Budget::ofMoves(20'000'000), {}).slots;
    CHECK(search.areAlike(first, first));
    CHECK_FALSE(search.areAlike(first, second));
    Random random(5);
    const Slots child = search.cross(first, second, random);
    CHECK_NOTHROW(search.check(child));
    int fromFirst = 0;
    int fromSecond = 0;
    for (std::size_t event = 0; event < child.size(); ++event) {
        if (child[event] < 0) continue;
        fromFirst += problem.periodOfSlot(child[event]) == problem.periodOfSlot(first[event]) ? 1 : 0;
        fromSecond += problem.periodOfSlot(child[event]) == problem.periodOfSlot(second[event]) ? 1 : 0;
    }
    CHECK(fromFirst > fromSecond);
    CHECK(fromSecond > problem.eventCount() / 10);
    const SearchResult improved = search.improve(child, {3, Budget::ofMoves(200'000), 100}, {});
    checkHonest(problem, improved.best);
    CHECK(improved.best.conflicts == 0);
}

TEST_CASE("EnrolmentSearch: events that cannot be placed are left out and described") {
    // Three events of the same student. Only two periods are open to them.
    Instance instance;
    instance.name = "crowded";
    instance.roomSeats = {5, 5, 5};
    instance.eventsOfStudent = {{0, 1, 2}};
    instance.featuresOfRoom.resize(3);
    instance.featuresOfEvent.resize(3);
    instance.hasSecondRules = true;
    std::vector<int> closed;
    for (int period = 2; period < PeriodCount; ++period) closed.push_back(period);
    instance.second.closedPeriods.assign(3, closed);
    const EnrolmentSearch search(instance);
    REQUIRE(search.findInfeasibility());
    CHECK(search.findInfeasibility()->reason == "student 0 attends 3 events but only 2 periods are open to them");
    CHECK(search.acceptsViolations());
    const Individual best = search.construct(1, Budget::ofMoves(1'000'000), {});
    CHECK(best.conflicts == 1);
    CHECK(std::count(best.slots.begin(), best.slots.end(), -1) == 1);
    CHECK(search.describeViolations(best.slots).ends_with("with 1 students is left out"));
}

TEST_CASE("EnrolmentSearch: the stop hook ends the work, and what it throws comes through") {
    const EnrolmentSearch search(test::generatedEnrolment(true, 14).instance());
    const Slots built = search.construct(1, Budget::ofMoves(20'000'000), {}).slots;
    int asked = 0;
    search.anneal(built, {1, Budget::ofMoves(1'000'000'000'000), 100}, [&] { return ++asked == 5; });
    CHECK(asked == 5);
    CHECK_THROWS_AS(search.anneal(built, {1, Budget::ofMoves(1'000'000'000'000), 100}, []() -> bool { throw std::runtime_error("stop"); }),
                    std::runtime_error);
}

TEST_CASE("EnrolmentSearch: no proof that a real instance cannot be solved, and each has a feasible timetable soon") {
    for (const std::string& file : test::realEnrolmentFiles()) {
        CAPTURE(file);
        const EnrolmentSearch search(readInstance(file));
        CHECK_FALSE(search.findInfeasibility());
        CHECK(search.construct(1, Budget::ofMoves(50'000'000), {}).conflicts == 0);
    }
}
