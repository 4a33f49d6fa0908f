#include <ferry/apps/timetabling/sectioning/search/SectioningSearch.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/sectioning/model/Evaluation.hpp>
#include <ferry/apps/timetabling/sectioning/search/Annealer.hpp>
#include <ferry/apps/timetabling/sectioning/search/SearchState.hpp>
#include <ferry/tests/timetabling/support/SectioningInstances.hpp>

using namespace timetabling;
using namespace timetabling::sectioning;

namespace {

/// An instance with all types of distributions, hard and soft, closed rooms, ways, parents, limits and students. Made by chance.
Instance madeByChance(std::uint64_t seed) {
    Random random(seed);
    Instance instance;
    instance.name = "chance";
    instance.dayCount = 5;
    instance.weekCount = 3;
    instance.slotsPerDay = 40;
    instance.weights = {2, 1, 3, 5};
    constexpr int roomCount = 4;
    const auto span = [&random](int most) {
        const int length = 1 + random.below(most);
        return TimeSpan{static_cast<std::uint32_t>(1 + random.below(31)), static_cast<std::uint64_t>(1 + random.below(7)),
                        random.below(40 - length), length};
    };
    for (int room = 0; room < roomCount; ++room) {
        Room one{"R" + std::to_string(room), 20};
        for (int other = 0; other < roomCount; ++other) {
            if (other != room) one.travels.push_back({other, (room + other) % 3});
        }
        one.closings = {span(5)};
        instance.rooms.push_back(one);
    }
    for (int course = 0; course < 6; ++course) {
        instance.courses.push_back({"course" + std::to_string(course)});
        for (int config = 0; config <= course % 2; ++config) {
            instance.courses.back().configs.push_back(static_cast<int>(instance.configs.size()));
            instance.configs.push_back({"", course});
            std::vector<int> above;
            for (int part = 0; part < 2; ++part) {
                const int subpart = static_cast<int>(instance.subparts.size());
                instance.configs.back().subparts.push_back(subpart);
                instance.subparts.push_back({"", static_cast<int>(instance.configs.size()) - 1});
                std::vector<int> here;
                for (int i = 0; i < 2; ++i) {
                    const int index = static_cast<int>(instance.classes.size());
                    Class one{"class" + std::to_string(index), subpart, 4 + random.below(4)};
                    if (part > 0 && course % 3 == 0) one.parent = above[static_cast<std::size_t>(i)];
                    one.needsRoom = random.below(4) > 0;
                    for (int room = 0; room < roomCount && one.needsRoom; room += 1 + random.below(2))
                        one.rooms.push_back({room, random.below(3)});
                    for (int time = 0; time < 4; ++time) {
                        one.times.push_back({span(8), random.below(5)});
                        one.times.back().span.start = 8 * time + random.below(3);    // no two are equal
                    }
                    instance.subparts.back().classes.push_back(index);
                    instance.classes.push_back(one);
                    here.push_back(index);
                }
                above = here;
            }
        }
    }
    for (int i = 0; i < 3 * DistributionTypeCount; ++i) {
        Distribution distribution{static_cast<DistributionType>(i % DistributionTypeCount), 1 + random.below(5), random.below(4)};
        distribution.isRequired = random.below(3) == 0;
        distribution.penalty = distribution.isRequired ? 0 : random.below(6);
        for (int index = random.below(4); index < static_cast<int>(instance.classes.size()); index += 3 + random.below(5))
            distribution.classes.push_back(index);
        random.shuffle(distribution.classes);
        instance.distributions.push_back(distribution);
    }
    for (int student = 0; student < 12; ++student) {
        Student one{"S" + std::to_string(student)};
        for (int course = random.below(3); course < 6; course += 1 + random.below(3)) one.courses.push_back(course);
        instance.students.push_back(one);
    }
    return instance;
}

}    // namespace

TEST_CASE("SearchState of ITC-2019: the difference of each change is that of the whole score") {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const Problem problem(madeByChance(seed));
        Random random(seed);
        SearchState state(problem, random);
        std::vector<int> section;
        int changes = 0;
        for (int i = 0; i < 3000; ++i) {
            const int kind = random.below(3);
            const int request = random.below(static_cast<int>(problem.requests().size()));
            if (kind == 0) {
                const int index = random.below(problem.classCount());
                const Class& one = problem.classAt(index);
                const Choice choice{random.below(static_cast<int>(one.times.size())),
                                    one.needsRoom ? random.below(static_cast<int>(one.rooms.size())) : 0};
                state.move(index, choice, state.tollAt(index, choice) - state.tollOf(index));
            } else if (kind == 1) {
                if (!state.sections().drawSection(request, random, section)) continue;
                state.changeSection(request, section, state.tollOfSection(request, section));
            } else {
                const std::span<const int> others = problem.requestsFor(problem.requests()[static_cast<std::size_t>(request)].course);
                const int other = others[static_cast<std::size_t>(random.below(static_cast<int>(others.size())))];
                if (other == request) continue;
                state.exchangeSections(request, other, state.tollOfExchange(request, other));
            }
            ++changes;
            CAPTURE(seed);
            CAPTURE(i);
            REQUIRE(state.total() == state.counted());
            if (i % 50 == 0) {    // the tolls that a state keeps are those of a new state
                SearchState fresh(problem, state.slots(), random);
                for (int index = 0; index < problem.classCount(); ++index) REQUIRE(state.tollOf(index) == fresh.tollOf(index));
            }
        }
        CHECK(changes > 1000);
        CHECK_NOTHROW(checkSlots(problem, state.slots()));
        // A state from slots goes on where the other one was.
        const SearchState other(problem, state.slots(), random);
        CHECK(other.total() == state.total());
        CHECK(other.slots() == state.slots());
    }
}

TEST_CASE("SectioningSearch: the same seed gives the same timetable, which scores as it says") {
    const Instance instance = madeByChance(3);
    const SectioningSearch search(instance);
    const Problem problem(instance);
    const auto run = [&search] {
        const Individual built = search.construct(5, Budget::ofMoves(200'000), {});
        SearchOrder order;
        order.seed = 6;
        order.budget = Budget::ofMoves(100'000);
        return std::pair(built, search.anneal(built.slots, order, {}).best);
    };
    const auto [built, best] = run();
    CHECK_NOTHROW(search.check(best.slots));
    CHECK_FALSE(built.isBetterThan(best));
    const Score score = scoreOf(problem, toSolution(problem, best.slots));
    CHECK(score.violations() == best.conflicts);
    CHECK(score.cost(instance.weights) == best.cost);
    CHECK(score[HardConstraint::ClassTime] == 0);
    CHECK(score[HardConstraint::StudentCourse] == 0);
    CHECK(run().second.slots == best.slots);
    Random random(1);
    SearchOrder order;
    order.budget = Budget::ofMoves(10'000);
    CHECK_NOTHROW(search.check(search.improve(search.cross(best.slots, built.slots, random), order, {}).best.slots));
}

TEST_CASE("SectioningSearch: a course with more students than seats is a proof that there is no timetable") {
    Instance instance = madeByChance(3);
    CHECK_FALSE(SectioningSearch(instance).findInfeasibility());
    for (Class& one : instance.classes) one.limit = 0;
    const auto proof = SectioningSearch(instance).findInfeasibility();
    REQUIRE(proof);
    CHECK(proof->reason.ends_with("whose classes have room for 0"));
}
