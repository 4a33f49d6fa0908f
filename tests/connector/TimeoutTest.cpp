#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/tests/connector/GuardedRegion.hpp>
#include <ferry/tests/connector/TestMessages.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace timeouttest {

struct Knot {
    int value = 0;
    Knot* next = nullptr;
    FERRY_FIELDS(value, next)
};

std::vector<Knot> chainOf(int count) {
    std::vector<Knot> links(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < links.size(); ++i) {
        links[i].value = static_cast<int>(i);
        links[i].next = i + 1 < links.size() ? &links[i + 1] : nullptr;
    }
    return links;
}

int lengthOf(const Knot* link) {
    int length = 0;
    for (; link != nullptr; link = link->next) ++length;
    return length;
}

constexpr std::size_t manyPiecesOfKnots = 64;    // bytes of a piece

/// Calls the function, which has to throw a TimeoutError. Returns the TimeoutError.
template <class Call>
TimeoutError timeoutOf(const Call& call) {
    try {
        call();
    } catch (const TimeoutError& error) {
        return error;
    }
    FAIL_CHECK("the call returned");
    return TimeoutError();
}

/// All ranks except the last one make a call with a deadline. The last rank calls without a deadline, after the others are finished.
/// first: a rank that waits for the last one directly. awaited: the expected text on this rank. Afterwards all ranks go on together.
template <class Call>
void checkGivenUp(Connector& c, int first, const std::string& awaited, const Call& call) {
    const bool isLate = c.rank() == lastRank(c);
    if (isLate) {
        for (int rank = 0; rank < lastRank(c); ++rank) CHECK(c.receive<bool>(rank));
    }
    bool hasTimedOut = false;
    try {
        call(isLate ? Deadline::never() : Deadline::in(10ms));
    } catch (const TimeoutError& error) {
        hasTimedOut = true;
        const bool isOfLast = error.ranks() == std::vector<int>{lastRank(c)};    // another rank may be slow as well
        if (isOfLast && c.rank() == first) CHECK(error.awaited() == awaited);
        CHECK(error.ranks().size() == 1);
        CHECK(error.waited() >= 10ms);
    }
    if (!isLate) c.send(lastRank(c), true);
    if (c.rank() == first) CHECK(hasTimedOut);
    checkUsable(c);
}

std::string partOfLast(const Connector& c, const std::string& call) {
    return "the part of rank " + std::to_string(lastRank(c)) + " in the " + call;
}

}    // namespace timeouttest

using namespace timeouttest;

TEST_CASE("Deadline: a receive whose time is over leaves everything as it was, and says whom it waited for") {
    onRanks([](Connector& c) {
        const int from = previousRank(c);
        const TimeoutError error = timeoutOf([&] { c.receive<int>(from, Deadline::in(5ms)); });
        CHECK(error.ranks() == std::vector<int>{from});
        CHECK(error.awaited() == "a value of type int from rank " + std::to_string(from));
        CHECK(error.waited() >= 5ms);
        CHECK(timeoutOf([&] { c.receive<Ping>(AnyRank, Deadline::in(1ms)); }).awaited() ==
              "a message of class ferry::test::Ping from any rank");
        CHECK(timeoutOf([&] { c.receive(from, Deadline::in(1ms)); }).awaited() == "a message from rank " + std::to_string(from));
        CHECK(timeoutOf([&] { c.receiveGraph<Knot>(AnyRank, GraphMemory::Heap, Deadline::in(1ms)); }).ranks().empty());
        std::string text;
        CHECK_THROWS_AS(c.receiveInto(from, text, Deadline::in(1ms)), TimeoutError);
        c.barrier();
        c.send(nextRank(c), 17);
        c.send(nextRank(c), Ping(18));
        c.send(nextRank(c), Ping(19));
        c.send(nextRank(c), "twenty");
        CHECK(c.receive<int>(from, Deadline::in(1min)) == 17);
        CHECK(c.receive<Ping>(from).number == 18);
        CHECK(dynamic_cast<const Ping&>(*c.receive(from, Deadline::in(1min))).number == 19);
        c.receiveInto(from, text, Deadline::in(1min));
        CHECK(text == "twenty");
    });
}

TEST_CASE("Deadline: what has arrived is taken though the deadline has passed") {
    onRanks([](Connector& c) {
        c.send(nextRank(c), 1);
        c.send(nextRank(c), 2);
        c.send(nextRank(c), "here");
        CHECK(c.receive<std::string>(previousRank(c)) == "here");    // so the numbers have arrived too
        CHECK(c.receive<int>(previousRank(c), Deadline::in(-1h)) == 1);
        CHECK(c.receive<int>(previousRank(c), Deadline::at(c.now() - 1s)) == 2);
        CHECK_THROWS_AS(c.receive<int>(previousRank(c), Deadline::in(-1h)), TimeoutError);
        c.send(c.rank(), 3);
        CHECK(c.receive<int>(c.rank(), Deadline::in(0s)) == 3);    // a message to itself counts as arrived
    });
}

TEST_CASE("Deadline: collectives in which the last rank is late are given up, by it too, and all go on together") {
    onRanks(
        [](Connector& c) {
            const int last = lastRank(c);
            const auto sum = Sum{};
            checkGivenUp(c, 0, partOfLast(c, "gather to rank 0"), [&](Deadline d) { c.gather(c.rank(), 0, d); });
            checkGivenUp(c, 0, partOfLast(c, "gather to rank 0"), [&](Deadline d) { c.gather(std::vector<int>{1, 2}, 0, d); });
            checkGivenUp(c, 0, partOfLast(c, "broadcast from rank " + std::to_string(last)), [&](Deadline d) { c.broadcast(1, last, d); });
            checkGivenUp(c, 0, partOfLast(c, "scatter from rank " + std::to_string(last)),
                         [&](Deadline d) { c.scatter(std::vector<int>(static_cast<std::size_t>(c.size()), 5), last, d); });
            checkGivenUp(c, last - 1, partOfLast(c, "allToAll"),
                         [&](Deadline d) { c.allToAll(std::vector<int>(static_cast<std::size_t>(c.size()), 5), d); });
            const bool isChildOfRoot = c.size() == 2;    // with more ranks, rank 0 waits for a rank in between
            const int none = -1;
            const int parent = isChildOfRoot ? 0 : none;
            checkGivenUp(c, parent, partOfLast(c, "reduce to rank 0"), [&](Deadline d) { c.reduce(1, sum, 0, d); });
            checkGivenUp(c, parent, partOfLast(c, "allReduce"), [&](Deadline d) { c.allReduce(1, sum, d); });
            checkGivenUp(c, 0, partOfLast(c, "allGather"), [&](Deadline d) { c.allGather(c.rank(), d); });
            checkGivenUp(c, 0, partOfLast(c, "allGather"), [&](Deadline d) { c.allGather(std::vector<int>{c.rank()}, d); });
            checkGivenUp(c, 0, partOfLast(c, "barrier"), [&](Deadline d) { c.barrier(d); });
            checkGivenUp(c, none, "", [&](Deadline d) { c.scan(1, sum, d); });
            checkGivenUp(c, none, "", [&](Deadline d) { c.exclusiveScan(1, sum, 0, d); });
            const std::vector<int> ones(static_cast<std::size_t>(c.size()), 1);
            checkGivenUp(c, parent, partOfLast(c, "reduceScatter"), [&](Deadline d) { c.reduceScatter(ones, sum, {}, d); });
            std::vector<Knot> links = chainOf(100);
            checkGivenUp(c, 0, partOfLast(c, "broadcastGraph from rank " + std::to_string(last)),
                         [&](Deadline d) { c.broadcastGraph(graph(links.data(), manyPiecesOfKnots), last, GraphMemory::Heap, d); });
        },
        2);
}

TEST_CASE("Deadline: collectives are given up again and again, and nothing is left of them") {
    onRanks(
        [](Connector& c) {
            for (int round = 0; round < 10; ++round) {
                checkGivenUp(c, 0, partOfLast(c, "barrier"), [&](Deadline d) { c.barrier(d); });
                checkGivenUp(c, 0, partOfLast(c, "allGather"), [&](Deadline d) { c.allGather(round, d); });
            }
            c.barrier();
            c.poll();
            CHECK(detail::mailboxOf(c).arrived().find(
                      [](const detail::Letter& letter) { return letter.envelope.kind == detail::MessageKind::GivenUp; }) == nullptr);
        },
        2);
}

TEST_CASE("Deadline: a scope limits all calls in it, an inner one never extends it, and afterwards they are free") {
    onRanks([](Connector& c) {
        {
            const auto limit = c.limitWaits(Deadline::in(5ms));
            CHECK_THROWS_AS(c.receive<int>(previousRank(c)), TimeoutError);
            CHECK_THROWS_AS(c.receive<int>(previousRank(c), Deadline::in(1h)), TimeoutError);
            const auto longer = c.limitWaits(Deadline::in(1h));
            CHECK_THROWS_AS(c.receiveGraph<Knot>(previousRank(c)), TimeoutError);
            c.send(nextRank(c), "sending needs no time");
        }
        c.barrier();
        CHECK(c.receive<std::string>(previousRank(c)) == "sending needs no time");
    });
}

TEST_CASE("Deadline: what is pending can be waited for again after its deadline") {
    onRanks([](Connector& c) {
        Pending<int> number = c.expect<int>(previousRank(c));
        Pending<Graph<Knot>> arriving = c.expectGraph<Knot>(previousRank(c));
        CHECK(timeoutOf([&] { number.get(Deadline::in(2ms)); }).ranks() == std::vector<int>{previousRank(c)});
        CHECK_THROWS_AS(arriving.get(Deadline::in(2ms)), TimeoutError);
        CHECK(number.isUnderWay());
        c.barrier();
        std::vector<Knot> links = chainOf(500);
        Pending<void> leaving = c.post(nextRank(c), graph(links.data(), manyPiecesOfKnots));
        c.send(nextRank(c), 5);
        CHECK(number.get(Deadline::in(1min)) == 5);
        CHECK(lengthOf(arriving.get(Deadline::in(1min)).root()) == 500);
        leaving.get(Deadline::in(1min));
        c.post(nextRank(c), 6).get(Deadline::in(-1s));
        CHECK(c.receive<int>(previousRank(c)) == 6);
    });
}

TEST_CASE("Deadline: a graph of which only a part has come in time is there for the next receive, whole") {
    onRanks(
        [](Connector& c) {
            if (c.rank() > 1) return c.barrier();
            if (c.rank() == 1) {
                std::vector<Knot> links = chainOf(1000);
                Pending<void> leaving = c.post(0, graph(links.data(), manyPiecesOfKnots));
                c.poll();
                c.send(0, "begun");
                CHECK(c.receive<int>(0) == 1);    // meanwhile more pieces leave
                leaving.get();
                return c.barrier();
            }
            CHECK(c.receive<std::string>(1) == "begun");
            int length = 0;
            try {
                length = lengthOf(c.receiveGraph<Knot>(1, GraphMemory::Heap, Deadline::in(-1s)).root());
            } catch (const TimeoutError&) {    // no timeout if the network takes all pieces at once
            }
            c.send(1, 1);
            if (length == 0) length = lengthOf(c.receiveGraph<Knot>(1).root());
            CHECK(length == 1000);
            c.barrier();
        },
        2);
}

TEST_CASE("Deadline: flush returns in time when what was sent is taken") {
    onRanks([](Connector& c) {
        c.send(nextRank(c), std::vector<int>(100'000, 1));
        c.flush(Deadline::in(1min));
        CHECK(c.receive<std::vector<int>>(previousRank(c)).size() == 100'000);
    });
}

TEST_CASE("Deadline: a guarded region in which calls come to its deadline fails for all, and all go on") {
    onRanks([](Connector& c) {
        try {
            c.guarded([&] { c.receive<int>(previousRank(c)); }, Deadline::in(10ms));
            FAIL_CHECK("nobody had sent an int");
        } catch (const ExceptionList& failures) {
            CHECK(failures.of<TimeoutError>().size() == failures.size());
        }
        checkUsable(c);
        CHECK(c.guarded([&] { return c.allReduce(1, Sum{}); }, Deadline::in(1min)) == c.size());
        CHECK_THROWS_AS(c.guarded([&] {
            c.barrier(Deadline::in(-1s));
            throwOnLast(c);
        }),
                        ExceptionList);
        checkUsable(c);
    });
}

TEST_CASE("Deadline: when a rank never comes to the end of a guarded region, the others name it, and every later call says so") {
    onRanksThatFail(
        [](Connector& c) {
            const auto namesLast = [&](const auto& call) { CHECK(timeoutOf(call).ranks() == std::vector<int>{lastRank(c)}); };
            if (c.rank() == lastRank(c)) {
                namesLast([&] { c.receive<int>(0); });    // the last rank waits elsewhere, and is told of the timeout
            } else {
                // By then all other ranks have come, even on a busy machine.
                namesLast([&] { c.guarded([] {}, Deadline::in(c.size() == 2 ? 10ms : 2000ms)); });
            }
            namesLast([&] { c.barrier(); });
            namesLast([&] { c.send(0, 1); });
            namesLast([&] { c.guarded([] {}); });
        },
        2);
}
