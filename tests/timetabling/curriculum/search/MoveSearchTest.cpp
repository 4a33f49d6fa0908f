#include <ferry/apps/timetabling/curriculum/search/MoveSearch.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/Generator.hpp>
#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/apps/timetabling/curriculum/search/Construction.hpp>
#include <ferry/apps/timetabling/curriculum/search/CurriculumSearch.hpp>
#include <ferry/apps/timetabling/curriculum/search/Republishing.hpp>
#include <ferry/tests/support/Sanitizers.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;
using ferry::test::isSanitized;

namespace moveSearchTest {

/// Finds the fewest moves, and the least cost for each number of moves, by trying all timetables.
class AllTimetables {
public:
    explicit AllTimetables(const Problem& problem)
        : problem_(problem),
          costs_(static_cast<std::size_t>(problem.lectureCount()) + 1, std::numeric_limits<std::int64_t>::max()) {
        placeFrom(0);
    }

    std::optional<int> fewestMoves() const {
        const auto found =
            std::find_if(costs_.begin(), costs_.end(), [](std::int64_t cost) { return cost < std::numeric_limits<std::int64_t>::max(); });
        return found == costs_.end() ? std::nullopt : std::optional(static_cast<int>(found - costs_.begin()));
    }
    /// The least cost with at most `moved` moves.
    std::int64_t leastCost(int moved) const { return *std::min_element(costs_.begin(), costs_.begin() + moved + 1); }

private:
    void placeFrom(int lecture) {
        if (lecture == problem_.lectureCount()) {
            const Score score = scoreOf(problem_, toSolution(problem_, slots_));
            if (!score.isFeasible()) return;
            int moved = -problem_.published()->additionalLectures();
            for (int i = 0; i < lecture; ++i) {
                const int slot = slots_[static_cast<std::size_t>(i)];
                moved += problem_.published()
                             ->displacementAt(problem_.courseOf(i), problem_.periodOfSlot(slot), problem_.roomOfSlot(slot))
                             .count();
            }
            std::int64_t& cost = costs_[static_cast<std::size_t>(moved)];
            cost = std::min(cost, score.cost());
            return;
        }
        const int course = problem_.courseOf(lecture);
        for (int slot = lecture == problem_.firstLecture(course) ? 0 : slots_.back() + 1; slot < problem_.slotCount(); ++slot) {
            if (!problem_.isAvailable(course, problem_.periodOfSlot(slot)) || std::find(slots_.begin(), slots_.end(), slot) != slots_.end())
                continue;
            slots_.push_back(slot);
            placeFrom(lecture + 1);
            slots_.pop_back();
        }
    }

    const Problem& problem_;
    Slots slots_;
    std::vector<std::int64_t> costs_;    ///< indexed by moves
};

std::vector<PublishedLecture> lecturesOf(const Problem& problem, const Slots& slots) {
    std::vector<PublishedLecture> lectures;
    for (const Placement& placement : toSolution(problem, slots).placements)
        lectures.push_back({placement.course, placement.period, placement.room, "there"});
    return lectures;
}

/// A small instance with a published timetable. Afterwards periods or a room were closed, courses got conflicts or lectures.
std::optional<Instance> smallChange(Random& random) {
    Instance instance = test::plainInstance({1 + random.below(2), 1, 1, 1 + random.below(2)}, 2, 3 + random.below(2));
    instance.dayCount = 1;
    for (Course& course : instance.courses) course.studentCount = 15 + random.below(10);
    const Problem before(instance);
    const Individual good = constructIndividual(before, random.bits(), Budget::ofMoves(20'000), {});
    if (!good.isFeasible()) return std::nullopt;
    instance.published.lectures = lecturesOf(before, good.slots);
    const int last = instance.periodsPerDay;
    for (int i = random.below(3); i > 0; --i) instance.unavailabilities.push_back({random.below(4), 0, random.below(last)});
    for (int i = random.below(3); i > 0; --i) instance.roomClosings.push_back({random.below(2), 0, random.below(last)});
    for (int i = random.below(3); i > 0; --i) {
        const int course = random.below(4);
        instance.curricula.push_back({"q" + std::to_string(i), {course, (course + 1 + random.below(3)) % 4}});
    }
    if (random.below(4) == 0) ++instance.courses[1].lectureCount;
    return instance;
}

}    // namespace moveSearchTest

TEST_CASE("MoveSearch: the proven number of moves is that of an exhaustive search") {
    constexpr int attempts = isSanitized ? 80 : 400;
    Random random(11);
    int proven = 0;
    int moved = 0;
    int impossible = 0;
    int aboveForced = 0;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        const std::optional<Instance> instance = moveSearchTest::smallChange(random);
        if (!instance) continue;
        CAPTURE(attempt);
        const Problem problem(*instance);
        const std::optional<int> fewest = moveSearchTest::AllTimetables(problem).fewestMoves();
        const LeastMoves least = findLeastMoves(problem, Budget::ofMoves(1'000'000), {});
        if (!fewest) {
            CHECK(least.bound > problem.lectureCount());
            ++impossible;
            continue;
        }
        CHECK(least.bound == *fewest);
        CHECK(least.forced <= least.bound);
        REQUIRE(least.slots);
        REQUIRE_NOTHROW(checkSlots(problem, *least.slots));
        const SearchState state(problem, *least.slots);
        CHECK(state.isFeasible());
        CHECK(state.displacement().count() == *fewest);
        ++proven;
        moved += *fewest;
        aboveForced += least.bound > least.forced ? 1 : 0;
    }
    CHECK(proven > attempts * 3 / 8);
    CHECK(moved > attempts * 3 / 8);
    CHECK(impossible > attempts / 80);
    CHECK(aboveForced > attempts * 3 / 40);    // otherwise counting the forced moves would do
}

TEST_CASE("MoveSearch: where rooms have to suit, the bound is never above the fewest moves") {
    constexpr int attempts = isSanitized ? 50 : 150;
    Random random(12);
    int compared = 0;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        std::optional<Instance> instance = moveSearchTest::smallChange(random);
        if (!instance) continue;
        instance->formulation = Formulation::UD4;
        for (int i = 0; i < 2; ++i) instance->roomConstraints.push_back({random.below(4), random.below(2)});
        CAPTURE(attempt);
        const Problem problem(*instance);
        const std::optional<int> fewest = moveSearchTest::AllTimetables(problem).fewestMoves();
        if (!fewest) continue;
        const LeastMoves least = findLeastMoves(problem, Budget::ofMoves(1'000'000), {});
        CHECK(least.bound <= *fewest);
        if (least.slots) {
            const SearchState state(problem, *least.slots);
            CHECK(state.isFeasible());
            CHECK(state.displacement().count() >= *fewest);
        }
        ++compared;
    }
    CHECK(compared > attempts / 5);
}

TEST_CASE("MoveSearch: a budget that is too small leaves the bound of the forced moves, and claims no proof") {
    Instance instance = generateInstance({});
    const Problem before(instance);
    const Individual good = constructIndividual(before, 1, Budget::ofMoves(20'000'000), {});
    REQUIRE(good.isFeasible());
    instance.published.lectures = moveSearchTest::lecturesOf(before, good.slots);
    for (int course = 0; course < before.courseCount(); ++course) instance.unavailabilities.push_back({course, 0, 0});
    const Problem problem(instance);
    const LeastMoves least = findLeastMoves(problem, Budget::ofMoves(1), {});
    CHECK(least.bound == least.forced);
    CHECK_FALSE(least.slots);
    const LeastMoves stopped = findLeastMoves(problem, Budget::ofMoves(1'000'000'000), [] { return true; });
    CHECK(stopped.bound <= findLeastMoves(problem, Budget::ofMoves(200'000), {}).bound);
}

TEST_CASE("Republishing: the cheapest timetable for each number of moves is that of an exhaustive search") {
    Random random(13);
    constexpr int wanted = isSanitized ? 5 : 25;
    int compared = 0;
    for (int attempt = 0; attempt < 120 && compared < wanted; ++attempt) {
        const std::optional<Instance> instance = moveSearchTest::smallChange(random);
        if (!instance) continue;
        const Problem problem(*instance);
        const moveSearchTest::AllTimetables all(problem);
        const LeastMoves least = findLeastMoves(problem, Budget::ofMoves(1'000'000), {});
        if (!all.fewestMoves() || !least.slots) continue;
        CAPTURE(attempt);
        for (int most = least.bound; most <= std::min(problem.lectureCount(), least.bound + 3); ++most) {
            MoveFront front(most);
            for (std::uint64_t seed = 0; seed < 12; ++seed) {
                SearchOrder order;
                order.seed = seed;
                order.budget = Budget::ofMoves(40'000);
                for (const FrontPoint& point : annealWithin(problem, *least.slots, most, order, {})) {
                    CHECK(scoreOf(problem, toSolution(problem, point.slots)).cost() == point.cost);
                    CHECK(scoreOf(problem, toSolution(problem, point.slots)).isFeasible());
                    CHECK(SearchState(problem, point.slots).displacement().count() == point.moved);
                    front.offer(point);
                }
            }
            const FrontPoint* best = front.within(most);
            REQUIRE(best != nullptr);
            CHECK(best->cost == all.leastCost(most));
        }
        ++compared;
    }
    CHECK(compared == wanted);
}

TEST_CASE("MoveFront: only cheaper timetables with more moves stay") {
    MoveFront front(5);
    front.offer(3, 10, {1});
    front.offer(4, 10, {2});
    front.offer(4, 9, {3});
    front.offer(2, 9, {4});
    front.offer(6, 0, {5});
    front.offer(5, 1, {6});
    const std::vector<FrontPoint> points = front.points();
    REQUIRE(points.size() == 2);
    CHECK(points[0].slots == Slots{4});
    CHECK(points[1].slots == Slots{6});
    CHECK(front.within(1) == nullptr);
    CHECK(front.within(4)->slots == Slots{4});
    CHECK(front.within(100)->slots == Slots{6});
}
