#include <ferry/apps/timetabling/curriculum/search/Annealer.hpp>

#include <limits>
#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/Generator.hpp>
#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/apps/timetabling/curriculum/search/Construction.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

namespace {

Individual anneal(const Problem& problem, std::uint64_t seed, const Budget& budget, const StopHook& stop = {}) {
    SearchState state(problem, randomSlots(problem, seed));
    return Annealer(problem, seed).run(state, AnnealingOptions{}, budget, stop);
}

}    // namespace

TEST_CASE("Annealer: solves the small instance without any cost and tells the truth about it") {
    const Problem problem = test::smallProblem();
    const Individual best = anneal(problem, 1, Budget::ofMoves(1'000'000));
    CHECK(best.reaches(0));
    CHECK(scoreOf(problem, toSolution(problem, best.slots)) == Score{});
}

TEST_CASE("Annealer: the same seed and number of moves give the same timetable") {
    const Problem problem(generateInstance({}));
    const Individual first = anneal(problem, 5, Budget::ofMoves(300'000));
    CHECK(anneal(problem, 5, Budget::ofMoves(300'000)).slots == first.slots);
    CHECK(anneal(problem, 6, Budget::ofMoves(300'000)).slots != first.slots);
    const Score score = scoreOf(problem, toSolution(problem, first.slots));
    CHECK(score.violations() == first.conflicts);
    CHECK(score.cost() == first.cost);
}

TEST_CASE("Annealer: makes as many moves as the budget says") {
    const Problem problem(generateInstance({}));
    for (const std::int64_t moves : {1, 1000, 123'456}) {
        SearchState state(problem, randomSlots(problem, 1));
        Annealer annealer(problem, 1);
        annealer.run(state, AnnealingOptions{}, Budget::ofMoves(moves), {});
        CHECK(annealer.moves() == moves);
    }
}

TEST_CASE("Annealer: offers each new best timetable once") {
    const Problem problem(generateInstance({}));
    std::vector<Individual> offered;
    AnnealingOptions options;
    options.offer = [&](const Individual& best) {
        offered.push_back(best);
        return offered.size() % 2 == 0;
    };
    SearchState state(problem, randomSlots(problem, 5));
    const Individual best = Annealer(problem, 5).run(state, options, Budget::ofMoves(500'000), {});
    REQUIRE(offered.size() > 2);
    for (std::size_t i = 1; i < offered.size(); ++i) {
        CHECK_FALSE(offered[i - 1].isBetterThan(offered[i]));
        const bool wasTaken = i % 2 == 0;
        if (wasTaken) CHECK(offered[i].isBetterThan(offered[i - 1]));
    }
    CHECK(offered.back().slots == best.slots);
}

TEST_CASE("Annealer: a target that is reached ends the search") {
    const Problem problem(generateInstance({}));
    AnnealingOptions options;
    options.targetCost = 2000;
    SearchState state(problem, randomSlots(problem, 1));
    Annealer annealer(problem, 1);
    const Individual best = annealer.run(state, options, Budget::ofMoves(100'000'000), {});
    CHECK(best.reaches(2000));
    CHECK(annealer.moves() < 100'000'000);
}

TEST_CASE("Annealer: a budget of time ends, and leaves a timetable better than the first") {
    const Problem problem(generateInstance({}));
    const Individual best = anneal(problem, 1, Budget::ofSeconds(0.2));
    const Score first = scoreOf(problem, toSolution(problem, randomSlots(problem, 1)));
    CHECK(best.conflicts <= first.violations());
    CHECK(best.cost < first.cost());
}

TEST_CASE("Annealer: the stop hook ends the search, and what it throws comes through") {
    const Problem problem(generateInstance({}));
    int asked = 0;
    const Individual best = anneal(problem, 1, Budget::ofMoves(1'000'000'000'000), [&] { return ++asked == 5; });
    CHECK(asked == 5);
    CHECK_NOTHROW(checkSlots(problem, best.slots));
    CHECK_THROWS_AS(anneal(problem, 1, Budget::ofMoves(1'000'000'000'000), []() -> bool { throw std::runtime_error("stop"); }),
                    std::runtime_error);
}

TEST_CASE("Annealer: never returns a timetable worse than the given one") {
    const Problem problem(generateInstance({}));
    const Individual good = anneal(problem, 1, Budget::ofMoves(2'000'000));
    SearchState state(problem, good.slots);
    const Individual after = Annealer(problem, 9).run(state, AnnealingOptions{}, Budget::ofMoves(10'000), {});
    CHECK_FALSE(good.isBetterThan(after));
}

TEST_CASE("Annealer: a schedule that does not cool is refused") {
    const Problem problem = test::smallProblem();
    SearchState state(problem, randomSlots(problem, 1));
    const auto refuses = [&](double start, double end, double rate) {
        AnnealingOptions options;
        options.cooling.startTemperature = start;
        options.cooling.endTemperature = end;
        options.cooling.coolingRate = rate;
        CHECK_THROWS_AS(Annealer(problem, 1).run(state, options, Budget::ofMoves(10), {}), std::invalid_argument);
    };
    refuses(0, 1, 0.9);
    refuses(std::numeric_limits<double>::quiet_NaN(), 1, 0.9);
    refuses(std::numeric_limits<double>::infinity(), 1, 0.9);
    refuses(10, 0, 0.9);
    refuses(10, 1, 1);
}
