#include <ferry/apps/timetabling/curriculum/search/MostPlaced.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/apps/timetabling/curriculum/model/leftOutLectures.hpp>
#include <ferry/apps/timetabling/curriculum/search/RestSearch.hpp>
#include <ferry/apps/timetabling/curriculum/search/leastLeftOut.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

namespace leftOutCases {

int leftOutIn(const Slots& slots) { return static_cast<int>(std::count(slots.begin(), slots.end(), -1)); }

/// Tries all ways to give periods to the lectures. Returns the least number of lectures that are left out.
class AllWays {
public:
    explicit AllWays(const Problem& problem)
        : problem_(problem),
          coursesIn_(static_cast<std::size_t>(problem.periodCount())),
          least_(problem.lectureCount()) {
        decide(0, 0);
    }
    int least() const { return least_; }

private:
    bool canBeIn(int course, int period) const {
        const std::vector<int>& there = coursesIn_[static_cast<std::size_t>(period)];
        return problem_.isAvailable(course, period) && static_cast<int>(there.size()) < problem_.openRooms(period) &&
               std::none_of(there.begin(), there.end(),
                            [&](int other) { return other == course || problem_.areInConflict(course, other); });
    }
    void decide(int lecture, int leftOut) {
        if (leftOut >= least_) return;
        if (lecture == problem_.lectureCount()) {
            least_ = leftOut;
            return;
        }
        const int course = problem_.courseOf(lecture);
        for (int period = 0; period < problem_.periodCount(); ++period) {
            if (!canBeIn(course, period)) continue;
            coursesIn_[static_cast<std::size_t>(period)].push_back(course);
            decide(lecture + 1, leftOut);
            coursesIn_[static_cast<std::size_t>(period)].pop_back();
        }
        decide(lecture + 1, leftOut + 1);
    }

    const Problem& problem_;
    std::vector<std::vector<int>> coursesIn_;
    int least_;
};

Instance randomInstance(Random& random) {
    std::vector<int> lectures;
    const int periods = 2 + random.below(3);
    for (int i = 1 + random.below(4); i >= 0; --i) lectures.push_back(random.below(3));
    if (std::all_of(lectures.begin(), lectures.end(), [](int count) { return count == 0; })) lectures[0] = 1;
    Instance instance = test::plainInstance(lectures, 1 + random.below(2), periods);
    const int courses = static_cast<int>(lectures.size());
    for (int i = random.below(3); i > 0; --i)
        instance.curricula.push_back({fmt::format("q{}", i), {random.below(courses), random.below(courses)}});
    for (int i = random.below(6); i > 0; --i) instance.unavailabilities.push_back({random.below(courses), 0, random.below(periods)});
    if (random.below(4) == 0) instance.roomClosings.push_back({0, 0, random.below(periods)});
    return instance;
}

/// Checks that nothing but the number of lectures is wrong.
void checkRestOf(const Problem& problem, const Slots& slots) {
    const Score score = scoreOf(problem, toSolution(problem, slots));
    CHECK(score.violations() == leftOutIn(slots));
    CHECK(score[Constraint::Lectures] == leftOutIn(slots));
}

}    // namespace leftOutCases

TEST_CASE("MostPlaced: as few lectures are left out as when all ways are tried, and the proof says so") {
    Random random(11);
    int incomplete = 0;
    for (int i = 0; i < 400; ++i) {
        const Problem problem(leftOutCases::randomInstance(random));
        CAPTURE(i);
        const int least = leftOutCases::AllWays(problem).least();
        CHECK(leftOutByCounting(problem) <= least);
        const Slots found = MostPlaced(problem, 3).run(0, Budget::ofMoves(200'000), {});
        CHECK(leftOutCases::leftOutIn(found) == least);
        leftOutCases::checkRestOf(problem, found);
        const LeastLeftOut proof = findLeastLeftOut(problem, problem.lectureCount(), Budget::ofMoves(100'000), {});
        CHECK(proof.bound == least);
        if (proof.slots) leftOutCases::checkRestOf(problem, *proof.slots);
        incomplete += least > 0 ? 1 : 0;
    }
    CHECK(incomplete > 100);
    CHECK(incomplete < 390);
}

TEST_CASE("MostPlaced: where rooms must suit, and with pins, nothing but the number of lectures is wrong") {
    Random random(5);
    for (int i = 0; i < 100; ++i) {
        Instance instance = leftOutCases::randomInstance(random);
        instance.formulation = Formulation::UD4;
        instance.minDailyLectures = 0;
        const int courses = static_cast<int>(instance.courses.size());
        const int rooms = static_cast<int>(instance.rooms.size());
        for (int more = random.below(4); more > 0; --more) instance.roomConstraints.push_back({random.below(courses), random.below(rooms)});
        const Problem problem(instance);
        CAPTURE(i);
        leftOutCases::checkRestOf(problem, MostPlaced(problem, 3).run(0, Budget::ofMoves(50'000), {}));
    }
    Instance pinned = test::plainInstance({2, 2, 2}, 1, 3);
    pinned.published.pins = {{1, 2, 0}, {1, 0, -1}};
    const Problem problem(pinned);
    const Slots slots = MostPlaced(problem, 1).run(0, Budget::ofMoves(50'000), {});
    CHECK(leftOutCases::leftOutIn(slots) == 3);
    leftOutCases::checkRestOf(problem, slots);
    CHECK(slots[2] == 2);
    CHECK(slots[3] == 0);
}

TEST_CASE("MostPlaced: among lectures that may be left out, those with the fewest students are") {
    Instance instance = test::plainInstance({1, 1, 1}, 1, 2);
    instance.courses[0].studentCount = 30;
    instance.courses[2].studentCount = 20;
    const Problem problem(instance);
    const Slots slots = MostPlaced(problem, 1).run(1, Budget::ofMoves(10'000'000), {});
    CHECK(slots[1] == -1);
    CHECK(leftOutCases::leftOutIn(slots) == 1);
}

TEST_CASE("RestSearch: the same lectures are left out, and all others are searched") {
    Instance instance = test::plainInstance({2, 2, 2, 2}, 3, 2);
    instance.rest = MostPlaced(Problem(instance), 1).run(2, Budget::ofMoves(100'000), {});
    const Slots begin = instance.rest;
    const RestSearch search(instance);
    CHECK(!search.findInfeasibility());
    CHECK_NOTHROW(search.check(begin));
    const Individual built = search.construct(7, Budget::ofMoves(100'000), {});
    CHECK(built.isFeasible());
    CHECK_NOTHROW(search.check(built.slots));
    SearchOrder order;
    order.budget = Budget::ofMoves(50'000);
    order.offer = [&](const Individual& best) {
        CHECK_NOTHROW(search.check(best.slots));
        return true;
    };
    Random random(1);
    CHECK_NOTHROW(search.check(search.anneal(built.slots, order, {}).best.slots));
    const Slots child = search.cross(built.slots, begin, random);
    CHECK_NOTHROW(search.check(child));
    CHECK_NOTHROW(search.check(search.improve(child, order, {}).best.slots));
    CHECK(search.areAlike(begin, begin));
}

TEST_CASE("RestSearch: a rest that does not fit is refused") {
    const Instance good = test::plainInstance({2, 1}, 2, 2);
    const auto refuses = [&](const Slots& rest) {
        Instance instance = good;
        instance.rest = rest;
        CHECK_THROWS_AS(RestSearch{instance}, std::invalid_argument);
    };
    refuses({0});
    refuses({0, 2, 1, -1});
    refuses({-1, 0, 1});
    refuses({0, 0, -1});
    refuses({0, 4, -1});
    refuses({-1, -1, -1});
    Instance instance = good;
    instance.rest = {0, -1, 1};
    const RestSearch search(instance);
    CHECK_THROWS_AS(search.check({0, 2, 1}), std::invalid_argument);
    CHECK_THROWS_AS(search.check({0, -1}), std::invalid_argument);
}

TEST_CASE("leftOutLectures: each course has its reason, and a free place is filled") {
    Instance instance = test::plainInstance({2, 1, 1}, 1, 4);
    instance.courses[1].teacher = "Ada";
    instance.courses[2].teacher = "Ada";
    instance.unavailabilities.push_back({2, 0, 3});
    const Problem problem(instance);
    const Slots slots{0, 1, 2, -1};
    const std::vector<LeftOut> leftOut = leftOutLectures(problem, toSolution(problem, slots));
    REQUIRE(leftOut.size() == 1);
    CHECK(leftOut[0].item == 2);
    CHECK(leftOut[0].count == 1);
    CHECK(leftOut[0].reason == "of 4 periods, 1 is closed to it, 1 has lectures of teacher Ada, 2 have no free room");
    CHECK(filledIn(problem, slots) == slots);
    const Slots open{0, -1, 2, -1};
    CHECK(leftOutLectures(problem, toSolution(problem, open))[0].reason ==
          "of 4 periods, 1 has another lecture of it, 1 has no free room, 2 are free, the first: day 0 period 1 in room r0");
    CHECK(leftOutCases::leftOutIn(filledIn(problem, open)) == 1);
    CHECK(leftOutLectures(problem, toSolution(problem, Slots{0, 1, 2, 3})).empty());
}

TEST_CASE("toSlots: a timetable comes back as slots, with what is left out") {
    const Problem problem(test::plainInstance({2, 1}, 2, 3));
    CHECK(toSlots(problem, toSolution(problem, Slots{0, 3, 5})) == Slots{0, 3, 5});
    CHECK(toSlots(problem, toSolution(problem, Slots{4, -1, 5})) == Slots{4, -1, 5});
    CHECK_THROWS_AS(toSlots(problem, Solution{{{1, 0, 0}, {1, 1, 0}}}), std::invalid_argument);
    Instance pinned = problem.instance();
    pinned.published.pins = {{0, 2, 1}};
    const Problem withPin(pinned);
    CHECK(toSlots(withPin, Solution{{{0, 0, 0}, {0, 2, 1}}}) == Slots{5, 0, -1});
}
