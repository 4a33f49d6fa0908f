#include <ferry/serialization/exception/Origin.hpp>

#include <unistd.h>
#include <thread>

#include <doctest/doctest.h>

#include <ferry/tests/serialization/RoundTrip.hpp>

using ferry::Origin;

TEST_CASE("Origin: here is this process, this thread, now") {
    const Origin origin = Origin::here("a/b.cpp", 7);
    CHECK(origin.rank == -1);
    CHECK(origin.pid == getpid());
    CHECK_FALSE(origin.host.empty());
    CHECK(origin.thread != 0);
    CHECK(origin.file == "a/b.cpp");
    CHECK(origin.line == 7);
    CHECK(origin.timeUs > 1'700'000'000'000'000);
    CHECK(Origin::here().timeUs >= origin.timeUs);
}

TEST_CASE("Origin: each thread has its rank") {
    ferry::setRankOfThisThread(3);
    int other = 0;
    std::uint64_t otherThread = 0;
    std::thread([&] {
        other = ferry::rankOfThisThread();
        otherThread = Origin::here().thread;
    }).join();
    CHECK(ferry::rankOfThisThread() == 3);
    CHECK(Origin::here().rank == 3);
    CHECK(other == -1);
    CHECK(otherThread != Origin::here().thread);
    ferry::setRankOfThisThread(-1);
}

TEST_CASE("Origin: travels") {
    const Origin origin{2, "node7", 4711, 5, -1, "x.c", 57};
    CHECK(ferry::test::checkTravel(origin, {2, 5, 0x65646f6e, '7', 4711, 5, 0, -1, -1, 3, 0x632e78, 57}) == origin);
}

TEST_CASE("Origin: is described in one line") {
    CHECK(ferry::describe({2, "node7", 4711, 0, 0, "/src/assertion.cpp", 57}) == "rank 2 (host node7, pid 4711) at assertion.cpp:57");
    CHECK(ferry::describe({2, "node7", 4711, 0, 0, "", 0}) == "rank 2 (host node7, pid 4711)");
    CHECK(ferry::describe({}) == "unknown rank");
}
