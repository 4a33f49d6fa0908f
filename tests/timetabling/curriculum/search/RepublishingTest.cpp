#include <ferry/apps/timetabling/curriculum/search/Republishing.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/Generator.hpp>
#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/apps/timetabling/curriculum/model/movedLectures.hpp>
#include <ferry/apps/timetabling/curriculum/search/Construction.hpp>
#include <ferry/apps/timetabling/curriculum/search/CurriculumSearch.hpp>
#include <ferry/tests/support/Sanitizers.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

namespace {

/// Finds the least total of cost and charges of a feasible timetable, by trying all timetables.
class BruteForce {
public:
    explicit BruteForce(const Problem& problem) : problem_(problem), isUsed_(static_cast<std::size_t>(problem.slotCount()), false) {}

    std::optional<std::int64_t> leastTotal() {
        placeFrom(0);
        return least_;
    }

private:
    void placeFrom(int lecture) {
        if (least_ && problem_.published()->charges().of(displacement_) > *least_) return;
        if (lecture == problem_.lectureCount()) {
            const std::int64_t total =
                scoreOf(problem_, toSolution(problem_, slots_)).cost() + problem_.published()->charges().of(displacement_);
            least_ = std::min(least_.value_or(total), total);
            return;
        }
        const int course = problem_.courseOf(lecture);
        const bool isFirst = lecture == problem_.firstLecture(course);
        // The lectures of a course are interchangeable, so their slots ascend.
        for (int slot = isFirst ? 0 : slots_.back() + 1; slot < problem_.slotCount(); ++slot) {
            if (!fits(course, slot)) continue;
            const Displacement here = problem_.published()->displacementAt(course, problem_.periodOfSlot(slot), problem_.roomOfSlot(slot));
            isUsed_[static_cast<std::size_t>(slot)] = true;
            slots_.push_back(slot);
            displacement_ += here;
            placeFrom(lecture + 1);
            displacement_ -= here;
            slots_.pop_back();
            isUsed_[static_cast<std::size_t>(slot)] = false;
        }
    }

    bool fits(int course, int slot) const {
        const int period = problem_.periodOfSlot(slot);
        if (isUsed_[static_cast<std::size_t>(slot)] || !problem_.isAvailable(course, period)) return false;
        for (std::size_t lecture = 0; lecture < slots_.size(); ++lecture) {
            const int other = problem_.courseOf(static_cast<int>(lecture));
            if (problem_.periodOfSlot(slots_[lecture]) != period) continue;
            if (other == course || problem_.areInConflict(course, other)) return false;
        }
        return true;
    }

    const Problem& problem_;
    std::vector<bool> isUsed_;
    Slots slots_;
    Displacement displacement_;
    std::optional<std::int64_t> least_;
};

std::vector<PublishedLecture> publish(const Problem& problem, const Slots& slots) {
    std::vector<PublishedLecture> lectures;
    for (const Placement& placement : toSolution(problem, slots).placements)
        lectures.push_back({placement.course, placement.period, placement.room, "there"});
    return lectures;
}

/// A small instance with a good published timetable. Afterwards some periods were closed, and sometimes a room was removed.
std::optional<Instance> changedInstance(Random& random) {
    Instance instance = test::plainInstance({2, 1 + random.below(2), 1, 1 + random.below(2)}, 2, 4);
    instance.dayCount = 1;
    for (Course& course : instance.courses) course.studentCount = 15 + random.below(10);
    for (int i = 0; i < 2; ++i) {
        const int course = random.below(4);
        instance.curricula.push_back({"q" + std::to_string(i), {course, (course + 1 + random.below(3)) % 4}});
    }
    const Problem before(instance);
    const Individual good = constructIndividual(before, random.bits(), Budget::ofMoves(50'000), {});
    if (!good.isFeasible()) return std::nullopt;
    instance.published.lectures = publish(before, good.slots);
    for (int i = 0; i < 3; ++i) instance.unavailabilities.push_back({random.below(4), 0, random.below(4)});
    if (random.below(4) == 0) {
        for (PublishedLecture& lecture : instance.published.lectures) lecture.room = lecture.room == 1 ? -1 : 0;
        instance.rooms.pop_back();
    }
    return instance;
}

Individual solveAgain(const Problem& problem, const Instance& instance, std::uint64_t seed) {
    const CurriculumSearch search(instance);
    const Individual built = search.construct(seed, Budget::ofMoves(1'000'000), {});
    SearchOrder order;
    order.seed = seed;
    order.budget = Budget::ofMoves(200'000);
    const Individual best = search.anneal(built.slots, order, {}).best;
    REQUIRE_NOTHROW(checkSlots(problem, best.slots));
    return best;
}

}    // namespace

TEST_CASE("Republishing: the fewest lectures move, then the fewest in time, then the cost is least, as an exhaustive search confirms") {
    Random random(1);
    int solved = 0;
    int moved = 0;
    constexpr int wanted = ferry::test::isSanitized ? 8 : 60;
    for (int attempt = 0; solved < wanted && attempt < 400; ++attempt) {
        std::optional<Instance> instance = changedInstance(random);
        if (!instance) continue;
        if (attempt % 4 == 0) instance->published.keepWeight = random.below(8);
        const Problem problem(*instance);
        const std::optional<std::int64_t> least = BruteForce(problem).leastTotal();
        if (!least) continue;
        CAPTURE(attempt);
        const Individual best = solveAgain(problem, *instance, random.bits());
        REQUIRE(best.isFeasible());
        CHECK(best.total() == *least);
        moved += static_cast<int>(best.moved);
        ++solved;
    }
    CHECK(solved == wanted);
    CHECK(moved > wanted);    // otherwise the instances would test nothing
}

TEST_CASE("Republishing: the list of moved lectures holds exactly the lectures that moved") {
    Instance instance = generateInstance({});
    const Problem before(instance);
    const Individual good = constructIndividual(before, 1, Budget::ofMoves(20'000'000), {});
    REQUIRE(good.isFeasible());
    instance.published.lectures = publish(before, good.slots);
    SUBCASE("nothing when nothing has changed") {
        const Problem problem(instance);
        CHECK(solveAgain(problem, instance, 1).moved == 0);
    }
    SUBCASE("when the last room is gone, the lectures in it") {
        int inLastRoom = 0;
        for (PublishedLecture& lecture : instance.published.lectures) {
            if (lecture.room + 1 < before.roomCount()) continue;
            lecture.room = -1;
            ++inLastRoom;
        }
        instance.rooms.pop_back();
        const Problem problem(instance);
        const Individual best = solveAgain(problem, instance, 1);
        REQUIRE(best.isFeasible());
        CHECK(best.moved == inLastRoom);
        const auto moved = movedLectures(problem, toSolution(problem, best.slots));
        CHECK(static_cast<int>(moved.size()) == inLastRoom);
        CHECK(std::all_of(moved.begin(), moved.end(), [](const auto& one) { return one.cause == "the room is no longer there"; }));
    }
}

TEST_CASE("Republishing: nine of ten lectures are pinned, the rest is solved, and no pinned lecture moves") {
    Instance instance = generateInstance({});
    const Problem before(instance);
    const Individual good = constructIndividual(before, 1, Budget::ofMoves(20'000'000), {});
    Random random(3);
    for (const PublishedLecture& lecture : publish(before, good.slots)) {
        if (random.below(10) > 0)
            instance.published.pins.push_back({lecture.course, lecture.period, random.below(4) > 0 ? lecture.room : -1});
    }
    for (const bool hasPublished : {false, true}) {
        if (hasPublished) instance.published.lectures = publish(before, good.slots);
        const Problem problem(instance);
        const CurriculumSearch search(instance);
        const Individual built = search.construct(1, Budget::ofMoves(50'000'000), {});
        REQUIRE(built.isFeasible());
        REQUIRE_NOTHROW(search.check(built.slots));
        SearchOrder order;
        order.budget = Budget::ofMoves(300'000);
        const Individual first = search.anneal(built.slots, order, {}).best;
        CHECK_NOTHROW(search.check(first.slots));
        order.seed = 2;
        const Individual second = search.anneal(built.slots, order, {}).best;
        for (int i = 0; i < 20; ++i) {
            const Slots child = search.cross(first.slots, second.slots, random);
            REQUIRE_NOTHROW(search.check(child));
        }
        CHECK_NOTHROW(search.check(search.improve(search.cross(first.slots, second.slots, random), order, {}).best.slots));
    }
}

TEST_CASE("Republishing: when every lecture is pinned the annealing ends at once with them") {
    Instance instance = test::plainInstance({2, 1}, 2, 3);
    instance.published.pins = {{0, 0, 0}, {0, 2, 1}, {1, 1, 1}};
    const Problem problem(instance);
    const CurriculumSearch search(instance);
    const Individual built = search.construct(1, Budget::ofMoves(100), {});
    CHECK(built.slots == Slots{0, 5, 3});
    SearchOrder order;
    order.budget = Budget::ofSeconds(1000);
    CHECK(search.anneal(built.slots, order, {}).best.slots == built.slots);
}
