#include <ferry/apps/timetabling/search/Budget.hpp>

#include <doctest/doctest.h>

using namespace timetabling;

TEST_CASE("Budget: a number of moves is counted down to its end") {
    const StopHook none;
    BudgetMeter meter(Budget::ofMoves(100), none);
    CHECK_FALSE(meter.hasEnded());
    CHECK_FALSE(meter.hasEndedAfter(60));
    CHECK(meter.movesLeft() == 40);
    CHECK(meter.rest().moves == 40);
    CHECK(meter.rest().seconds == 0);
    CHECK(meter.hasEndedAfter(40));
    CHECK(meter.moves() == 100);
    CHECK(meter.rest().moves == 1);    // never 0, since 0 would mean no limit
}

TEST_CASE("Budget: two zeros allow no work, two limits the smaller of both") {
    const StopHook none;
    CHECK(BudgetMeter({}, none).hasEnded());
    BudgetMeter both({1000, 1e6}, none);
    CHECK_FALSE(both.hasEndedAfter(999));
    CHECK(both.movesLeft() == 1);
    CHECK(both.hasEndedAfter(1));
}

TEST_CASE("Budget: the stop hook ends the work for good") {
    bool stops = false;
    const StopHook hook = [&] { return stops; };
    BudgetMeter meter(Budget::ofMoves(1000), hook);
    CHECK_FALSE(meter.hasEndedAfter(1));
    stops = true;
    CHECK(meter.hasEndedAfter(1));
    stops = false;
    CHECK(meter.hasEndedAfter(1));
}
