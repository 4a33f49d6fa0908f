#include <ferry/serialization/exception/Origin.hpp>

#include <sys/wait.h>
#include <unistd.h>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/stack/OriginLimits.hpp>
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

TEST_CASE("Origin: a process made by fork() has its own numbers") {
    const Origin ofParent = Origin::here();
    const pid_t child = ::fork();
    if (child == 0) {
        const Origin origin = Origin::here();
        const bool isOwn = origin.pid == ::getpid() && origin.pid != ofParent.pid && origin.thread != ofParent.thread;
        ::_exit(isOwn ? 0 : 1);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(Origin::here().pid == ofParent.pid);
}

TEST_CASE("Origin: each thread has its rank") {
    ferry::detail::setRankOfThisThread(3);
    int other = 0;
    std::uint64_t otherThread = 0;
    std::thread([&] {
        other = ferry::detail::rankOfThisThread();
        otherThread = Origin::here().thread;
    }).join();
    CHECK(ferry::detail::rankOfThisThread() == 3);
    CHECK(Origin::here().rank == 3);
    CHECK(other == -1);
    CHECK(otherThread != Origin::here().thread);
    ferry::detail::setRankOfThisThread(-1);
}

TEST_CASE("Origin: a thread of no rank has that of its process, where the process is one rank") {
    ferry::detail::setRankOfProcess(4);
    int ofOther = 0;
    std::thread([&] { ofOther = Origin::here().rank; }).join();
    CHECK(ofOther == 4);
    ferry::detail::setRankOfThisThread(3);
    CHECK(Origin::here().rank == 3);
    ferry::detail::setRankOfThisThread(-1);
    CHECK(ferry::detail::rankOfThisThread() == -1);
    ferry::detail::setRankOfProcess(-1);
    CHECK(Origin::here().rank == -1);
}

TEST_CASE("Origin: travels") {
    Origin origin{2, "node7", 4711, 5, -1, "x.c", 57};
    CHECK(ferry::test::checkTravel(origin, {2, 5, 0x65646f6e, '7', 4711, 5, 0, -1, -1, 3, 0x632e78, 57, 0, 0, 0, 0}) == origin);
    origin.task = "T";
    origin.taskNumber = 9;
    origin.context = {{"k", "v"}};
    origin.stack = {{"f", "a.c", 3, "so", 16}};
    CHECK(ferry::test::checkTravel(origin, {2,   5, 0x65646f6e, '7', 4711, 5,   0, -1,       -1, 3, 0x632e78,       57, 1, 'T', 9, 1, 1,
                                            'k', 1, 'v',        1,   1,    'f', 3, 0x632e61, 3,  2, 's' | 'o' << 8, 16, 0}) == origin);
}

TEST_CASE("Origin: more frames, more context and longer texts than the limits are cut by the writer and refused by the reader") {
    const auto written = [](const Origin& origin) {
        ferry::IntBuffer buffer;
        ferry::IntWriter out(buffer);
        origin.writeToInts(out);
        out.finish();
        return std::vector<std::int32_t>(buffer.ints().begin(), buffer.ints().end());
    };
    const auto readBack = [](const std::vector<std::int32_t>& ints) {
        ferry::IntReader in(ints);
        Origin origin;
        origin.readFromInts(in);
        in.expectEnd();
        return origin;
    };
    namespace limits = ferry::originLimits;
    Origin origin;
    origin.context.resize(limits::contextEntries + 1);
    origin.stack.resize(limits::frames + 1);
    origin.stack.front().function.assign(limits::textBytes + 1, 'f');
    const Origin cut = readBack(written(origin));
    CHECK(cut.context.size() == limits::contextEntries);
    CHECK(cut.stack.size() == limits::frames);
    CHECK(cut.stack.front().function.size() == limits::textBytes);

    // Without context and stack, the last two ints are the counts of these.
    std::vector<std::int32_t> ints = written(Origin());
    const std::size_t contextAt = ints.size() - 2;
    ints.resize(ints.size() + 10'000);
    ints[contextAt] = static_cast<std::int32_t>(limits::contextEntries) + 1;
    CHECK_THROWS_AS(readBack(ints), ferry::SerializationError);
    ints[contextAt] = 0;
    ints[contextAt + 1] = static_cast<std::int32_t>(limits::frames) + 1;
    CHECK_THROWS_AS(readBack(ints), ferry::SerializationError);
    ints[contextAt + 1] = 1;
    ints[contextAt + 2] = static_cast<std::int32_t>(limits::textBytes) + 1;
    CHECK_THROWS_AS(readBack(ints), ferry::SerializationError);
}

TEST_CASE("Origin: is described in one line") {
    CHECK(ferry::detail::describe({2, "node7", 4711, 0, 0, "/src/assertion.cpp", 57}) ==
          "rank 2 (host node7, pid 4711) at assertion.cpp:57");
    CHECK(ferry::detail::describe({2, "node7", 4711, 0, 0, "", 0}) == "rank 2 (host node7, pid 4711)");
    CHECK(ferry::detail::describe(Origin()) == "unknown rank");
}
