#include <ferry/guard/region/VainTests.hpp>

#include <doctest/doctest.h>

using ferry::pmpi::VainTests;

TEST_CASE("VainTests: a spell begins with its first test, also where that is the first call of the program") {
    const VainTests::Clock::time_point before =
        VainTests::Clock::now() - std::chrono::seconds(1);    // the clock of the spell is a coarse one
    VainTests tests;
    CHECK(tests.note(1, {.call = "MPI_Iprobe"}) == VainTests::Step::Nothing);
    CHECK(tests.begin() >= before);
}

TEST_CASE("VainTests: a test behind another call, and one after the end of a spell, begins a spell") {
    VainTests tests;
    tests.note(1, {.call = "MPI_Iprobe"});
    const auto first = tests.begin();
    tests.note(2, {.call = "MPI_Iprobe"});
    CHECK(tests.begin() == first);
    tests.end();
    CHECK(tests.note(1, {.call = "MPI_Iprobe"}) == VainTests::Step::Nothing);
    CHECK(tests.note(7, {.call = "MPI_Iprobe"}) == VainTests::Step::Nothing);
    CHECK(tests.begin() >= first);
}
