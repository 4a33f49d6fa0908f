#include <ferry/apps/timetabling/curriculum/search/SearchState.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/Generator.hpp>
#include <ferry/apps/timetabling/curriculum/io/InstanceReader.hpp>
#include <ferry/apps/timetabling/curriculum/model/PinBoard.hpp>
#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/apps/timetabling/curriculum/model/movedLectures.hpp>
#include <ferry/apps/timetabling/curriculum/search/Construction.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>
#include <ferry/tests/support/Sanitizers.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

namespace {

const int changeCount = std::getenv("TIMETABLING_LONG_TEST") != nullptr ? 1'000'000 : ferry::test::isSanitized ? 3'000 : 20'000;

/// Compares the displacement and the displaced lectures of the state with a full count.
void compareDisplaced(const Problem& problem, const SearchState& state) {
    if (!problem.published()) return;
    Displacement displacement{-problem.published()->additionalLectures(), 0};
    std::vector<int> displaced;
    for (int lecture = 0; lecture < problem.lectureCount(); ++lecture) {
        const int slot = state.slotOf(lecture);
        const Displacement here =
            problem.published()->displacementAt(problem.courseOf(lecture), problem.periodOfSlot(slot), problem.roomOfSlot(slot));
        displacement += here;
        if (here.count() > 0) displaced.push_back(lecture);
    }
    REQUIRE(state.displacement() == displacement);
    std::vector<int> told(state.displacedLectures().begin(), state.displacedLectures().end());
    std::sort(told.begin(), told.end());
    REQUIRE(told == displaced);
    const auto moved = movedLectures(problem, toSolution(problem, state.slots()));
    REQUIRE(std::count_if(moved.begin(), moved.end(), [](const auto& one) { return one.isMoved(); }) == displacement.count());
}

/// Makes random changes. Compares the running totals with the full scorer after every few changes. Returns the number of changes.
int wander(const Problem& problem, std::uint64_t seed, int changes, int changesPerComparison) {
    Random random(seed);
    SearchState state(problem, randomSlots(problem, seed));
    Displacement displacement = state.displacement();
    int made = 0;
    for (int attempt = 0; made < changes && attempt < 100 * changes; ++attempt) {
        const int lecture = random.below(problem.lectureCount());
        const int slot = random.below(problem.slotCount());
        const int occupant = state.lectureIn(slot);
        Delta delta;
        if (occupant < 0) {
            if (!state.doPinsLet(lecture, problem.periodOfSlot(slot)) || !state.isMoveAllowed(lecture, slot)) continue;
            delta = {state.moveConflicts(lecture, slot), state.moveCost(lecture, slot)};
            displacement += state.moveDisplacement(lecture, slot);
            state.move(lecture, slot, delta);
        } else {
            if (!state.doPinsLetSwap(lecture, occupant) || !state.isSwapAllowed(lecture, occupant)) continue;
            delta = {state.swapConflicts(lecture, occupant), state.swapCost(lecture, occupant)};
            displacement += state.swapDisplacement(lecture, occupant);
            state.swap(lecture, occupant, delta);
        }
        if (++made % changesPerComparison != 0) continue;
        const Score score = scoreOf(problem, toSolution(problem, state.slots()));
        REQUIRE(score.violations() == state.conflicts());
        REQUIRE(score[Constraint::Conflicts] + score[Constraint::RoomRequirement] == state.conflicts());
        REQUIRE(score.cost() == state.cost());
        compareDisplaced(problem, state);
        REQUIRE(state.displacement() == displacement);
    }
    CHECK_NOTHROW(checkSlots(problem, state.slots()));
    return made;
}

}    // namespace

TEST_CASE("SearchState: the running cost equals the full cost over random changes of the small instance") {
    CHECK(wander(test::smallProblem(), 1, changeCount, 1) == changeCount);
}

TEST_CASE("SearchState: the running cost equals the full cost over random changes of generated instances") {
    for (int seed = 1; seed <= 3; ++seed) {
        GeneratorOptions options;
        options.courseCount = 15 + 30 * seed;
        options.roomCount = 3 + 5 * seed;
        options.periodsPerDay = 3 + 2 * seed;
        options.curriculumCount = 40;
        options.seed = static_cast<std::uint64_t>(seed);
        CHECK(wander(Problem(generateInstance(options)), 7, changeCount, 50) == changeCount);
    }
}

TEST_CASE("SearchState: the running cost equals the full cost over random changes of real instances") {
    constexpr std::array<const char*, 5> Chosen{"comp01", "comp05", "comp07", "DDS2", "EA02"};
    for (const std::string& file : test::realInstanceFiles()) {
        const bool isChosen =
            std::any_of(Chosen.begin(), Chosen.end(), [&](const char* name) { return file.find(name) != std::string::npos; });
        if (!isChosen) continue;
        CAPTURE(file);
        CHECK(wander(Problem(readInstance(file)), 3, changeCount, 200) == changeCount);
    }
}

TEST_CASE("SearchState: the running cost equals the full cost over random changes in every formulation") {
    const int scale = std::getenv("TIMETABLING_LONG_TEST") != nullptr ? 1 : ferry::test::isSanitized ? 500 : 50;
    for (const Formulation formulation : AllFormulations) {
        GeneratorOptions options;
        options.courseCount = 30;
        options.roomCount = 6;
        options.curriculumCount = 20;
        Instance instance = generateInstance(options);
        instance.formulation = formulation;
        instance.minDailyLectures = 2;
        instance.maxDailyLectures = 3;
        for (std::size_t room = 0; room < instance.rooms.size(); ++room) instance.rooms[room].building = static_cast<int>(room % 3);
        Random random(1);
        for (std::size_t course = 0; course < instance.courses.size(); ++course) {
            instance.courses[course].wantsDoubleLectures = course % 2 == 0;
            instance.roomConstraints.push_back({static_cast<int>(course), random.below(options.roomCount)});
        }
        CAPTURE(nameOf(formulation));
        CHECK(wander(Problem(instance), 11, 1'000'000 / scale, 20) == 1'000'000 / scale);
    }
}

TEST_CASE("SearchState: the running cost equals the full cost over random changes with the rules of teachers, orders and weeks") {
    for (int kind = 0; kind < 9; ++kind) {
        GeneratorOptions options;
        options.courseCount = 30;
        options.roomCount = 6;
        options.dayCount = kind % 2 == 0 ? 5 : 10;
        options.periodsPerDay = 5;
        options.curriculumCount = 10;
        options.seed = static_cast<std::uint64_t>(kind) + 1;
        Instance instance = generateInstance(options);
        Random random(static_cast<std::uint64_t>(kind));
        for (Course& course : instance.courses) {
            course.teacher = "t" + std::to_string(random.below(8));
            if (random.below(4) == 0) course.otherTeachers = {"u" + std::to_string(random.below(3))};
        }
        for (int teacher = 0; teacher < 6; ++teacher)
            instance.teacherLimits.push_back({"t" + std::to_string(teacher), random.below(4), random.below(3), 1 + random.below(2)});
        instance.teacherLimits.push_back({"u1", 1, 1, 1});
        for (int i = 0; i < 20; ++i) instance.orders.push_back({random.below(options.courseCount), random.below(options.courseCount)});
        instance.lunchPeriods = {1, 2};
        for (int i = 0; i < 60; ++i) {
            Student student{"s" + std::to_string(i), {}};
            for (int course = random.below(8); course < options.courseCount; course += 1 + random.below(12))
                student.courses.push_back(course);
            instance.students.push_back(student);
        }
        if (options.dayCount == 10) instance.names.offsets = {0, 1, 2, 3, 4, 7, 8, 9, 10, 11};
        Weights weights;
        if (kind < 2) weights = weightsOf(Formulation::UD5);
        // The last kinds have one rule each, so that no rule hides what another one does.
        const auto has = [&](int only) { return kind < 4 || kind == only; };
        if (has(4)) weights.teacherGaps = 3;
        if (has(5)) weights.teacherDays = 7;
        if (has(5)) weights.teacherLoad = 2;
        if (has(6)) weights.teacherRow = 5;
        if (has(6)) weights.teacherLunch = 4;
        if (has(7)) weights.lectureOrder = 2;
        if (has(7)) weights.weeklyTime = 3;
        if (has(8)) weights.studentClashes = 2;
        instance.weights = weights;
        CAPTURE(kind);
        const Problem problem(instance);
        CHECK(wander(problem, 5, changeCount, 20) == changeCount);

        // No change saves more than mostGain() says.
        SearchState state(problem, randomSlots(problem, 9));
        for (int i = 0; i < changeCount / 5; ++i) {
            const int lecture = random.below(problem.lectureCount());
            const int slot = random.below(problem.slotCount());
            if (state.lectureIn(slot) != SearchState::Free || !state.isMoveAllowed(lecture, slot)) continue;
            const std::int64_t cost = state.moveCost(lecture, slot);
            REQUIRE(-cost <= state.mostGain(lecture));
            if (i % 3 == 0) state.move(lecture, slot, {state.moveConflicts(lecture, slot), cost});
        }
    }
}

TEST_CASE("SearchState: displaced lectures are counted as they are, and pinned ones stay, over random changes") {
    for (const Formulation formulation : AllFormulations) {
        GeneratorOptions options;
        options.courseCount = 40;
        options.roomCount = 7;
        options.curriculumCount = 20;
        options.seed = static_cast<std::uint64_t>(formulation) + 1;
        Instance instance = generateInstance(options);
        instance.formulation = formulation;
        const Problem before(instance);
        Random random(1);
        for (const Placement& placement : toSolution(before, randomSlots(before, 5)).placements) {
            const int fate = random.below(20);    // some lectures are new, some rooms and periods are removed, some lectures are pinned
            if (fate > 0)
                instance.published.lectures.push_back(
                    {placement.course, fate == 1 ? -1 : placement.period, fate == 2 ? -1 : placement.room, "there"});
            if (fate == 3) instance.published.pins.push_back({placement.course, placement.period, placement.room});
            if (fate == 4) instance.published.pins.push_back({placement.course, placement.period, -1});
        }
        PinBoard board(before);
        std::erase_if(instance.published.pins, [&](const Pin& pin) { return board.add(pin).has_value(); });
        CAPTURE(nameOf(formulation));
        CHECK(wander(Problem(instance), 3, changeCount, 50) == changeCount);
    }
}

TEST_CASE("SearchState: a period that is closed or has the course already is not allowed") {
    Instance instance = test::plainInstance({2, 1}, 2, 3);
    instance.unavailabilities.push_back({1, 0, 2});
    const Problem problem(instance);
    const SearchState state(problem, Slots{0, 2, 3});
    CHECK(state.isMoveAllowed(0, 1));
    CHECK_FALSE(state.isMoveAllowed(0, problem.slotOf(1, 1)));
    CHECK(state.isMoveAllowed(0, problem.slotOf(2, 0)));
    CHECK_FALSE(state.isMoveAllowed(2, problem.slotOf(2, 0)));
    CHECK_FALSE(state.isSwapAllowed(0, 1));
    CHECK_FALSE(state.isSwapAllowed(0, 2));
    CHECK(state.isSwapAllowed(1, 2));
}
