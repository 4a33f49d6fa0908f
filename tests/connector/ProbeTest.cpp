#include <ferry/connector/message/Probed.hpp>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/connector/TestMessages.hpp>
#include <ferry/tests/support/Everywhere.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace probetest {

struct Station {
    int number = 0;
    Station* next = nullptr;
    FERRY_FIELDS(number, next)
};

template <class T>
T pollFor(Connector& c, int from, Tag tag = Tag()) {
    for (;;) {
        if (std::optional<T> value = c.tryReceive<T>(from, tag)) return std::move(*value);
    }
}

}    // namespace probetest

using namespace probetest;

TEST_CASE("tryReceive: nothing has come, and later the value is there") {
    onRanksAndSimulated([](Connector& c) {
        CHECK_FALSE(c.tryReceive<int>().has_value());
        c.barrier();
        c.send(nextRank(c), 7, Tag(3));
        c.send(nextRank(c), std::string(200'000, 'x'));
        c.send(nextRank(c), Ping(5));
        CHECK(pollFor<Ping>(c, previousRank(c)).number == 5);
        CHECK(pollFor<std::string>(c, AnyRank).size() == 200'000);
        CHECK_FALSE(c.tryReceive<int>(previousRank(c)).has_value());    // it has a tag
        CHECK(pollFor<int>(c, previousRank(c), Tag(3)) == 7);
        CHECK_FALSE(c.tryReceive<int>(previousRank(c), Tag(3)).has_value());
        CHECK_THROWS_AS(c.tryReceive<int>(c.size()), UsageError);
    });
}

TEST_CASE("tryReceive: an exception of another rank is thrown in a loop that polls") {
    onRanksAndSimulated(
        [](Connector& c) {
            if (c.rank() == 0) {
                c.receive<int>(1);
                c.throwOn(1, std::range_error("enough"));
            } else if (c.rank() == 1) {
                c.send(0, 1);
                CHECK_THROWS_AS(pollFor<double>(c, 0), std::range_error);
            }
            c.barrier();
        },
        2);
}

TEST_CASE("probe: type, sender, tag and size of what waits, and a receive takes it") {
    onRanksAndSimulated([](Connector& c) {
        const int from = previousRank(c);
        CHECK_FALSE(c.tryProbe().has_value());
        c.barrier();
        c.send(nextRank(c), std::vector<double>(1000), Tag(9));
        const Probed value = c.probe();
        CHECK(value.type.find("vector<double") != std::string::npos);
        CHECK(value.from == from);
        CHECK(value.tag == Tag(9));
        CHECK(value.bytes == 8004);    // the number of elements comes first
        CHECK(value.is<std::vector<double>>());
        CHECK_FALSE(value.is<std::vector<float>>());
        CHECK(c.probe({.from = from, .tag = Tag(9)}).bytes == value.bytes);
        CHECK_FALSE(c.tryProbe({.tag = Tag(8)}).has_value());
        CHECK(c.probe(from).tag == Tag(9));
        CHECK(c.probe(from, Tag(9)).from == from);
        CHECK(c.tryProbe(from).has_value());
        CHECK_FALSE(c.tryProbe(from, Tag(8)).has_value());
        CHECK_THROWS_AS(c.probe(c.size(), Tag(9)), UsageError);
        CHECK(c.receive<std::vector<double>>(value.from, value.tag).size() == 1000);

        c.barrier();
        c.send(nextRank(c), Ping(1));
        const Probed message = c.probe({.from = from});
        CHECK(message.type == "ferry::test::Ping");
        CHECK(message.is<Ping>());
        CHECK(message.tag == Tag());
        CHECK(c.receive()->sender() == from);

        c.barrier();
        Station station{4, nullptr};
        c.send(nextRank(c), graph(&station));
        const Probed graphs = c.probe();
        CHECK(graphs.type == "graph of probetest::Station");
        CHECK(graphs.isGraphOf<Station>());
        CHECK_FALSE(graphs.is<Station>());
        CHECK(c.receiveGraph<Station>(from).root()->number == 4);
        CHECK_FALSE(c.tryProbe().has_value());
        CHECK_THROWS_AS(c.probe({.from = c.size()}), UsageError);
        CHECK_THROWS_AS(c.tryProbe({.from = -2}), UsageError);
    });
}

TEST_CASE("probe: what an expectation waits for is not found") {
    onRanksAndSimulated([](Connector& c) {
        Pending<int> expected = c.expect<int>(previousRank(c));
        c.send(nextRank(c), 1);
        c.send(nextRank(c), 'b');
        CHECK(c.probe().is<char>());
        CHECK(c.receive<char>() == 'b');
        CHECK(expected.get() == 1);
    });
}

TEST_CASE("probe: a deadline, an exception of another rank and a failed region end the wait") {
    onRanksAndSimulated(
        [](Connector& c) {
            CHECK_THROWS_AS(c.probe({.deadline = Deadline::in(1ms)}), TimeoutError);
            c.barrier();
            if (c.rank() == 1) {
                c.send(0, 1);
                CHECK_THROWS_AS(c.probe(), std::range_error);
            } else if (c.rank() == 0) {
                c.receive<int>(1);
                c.throwOn(1, std::range_error("enough"));
            }
            c.barrier();
            for (const bool polls : {false, true}) {
                CHECK_THROWS_AS(c.guarded([&] {
                    if (c.rank() == 0) throw std::range_error("in the region");
                    if (!polls) c.probe();
                    for (;;) c.tryProbe();
                }),
                                ExceptionList);
            }
            c.send(nextRank(c), c.rank());
            CHECK(c.probe().from == previousRank(c));
            CHECK(c.receive<int>() == previousRank(c));
        },
        2);
}

TEST_CASE("probe: all ranks that probe for ever are a deadlock") {
    onRanks([](Connector& c) {
        c.findDeadlocksAfter(1ms);
        CHECK_THROWS_WITH_AS(c.probe({.from = previousRank(c), .tag = Tag(4)}), doctest::Contains("any message from rank"), Deadlock);
        c.barrier();
    });
}

TEST_CASE("probe, tryReceive: a rank that has left is told") {
    const auto result = simulate(2, 1, [](Connector& c) {
        if (c.rank() == 1) return;
        CHECK_THROWS_AS(c.probe({.from = 1}), RankHasLeft);
        CHECK_THROWS_AS(c.probe(), RankHasLeft);
        CHECK_THROWS_AS(c.tryProbe({.from = 1}), RankHasLeft);
        CHECK_THROWS_AS(c.tryReceive<int>(), RankHasLeft);
    });
    CHECK_MESSAGE(result.haveAllReturned(), result.describe());
}

TEST_CASE("probe, tryReceive: in a group they find the messages of the group") {
    onRanksAndSimulated([](Connector& c) {
        const auto group = c.split(c.rank() % 2);
        c.send(nextRank(c), 1);
        group->send(nextRank(*group), 2.5, Tag(2));
        const Probed inGroup = group->probe();
        CHECK(inGroup.is<double>());
        CHECK(inGroup.from == previousRank(*group));
        CHECK(pollFor<double>(*group, AnyRank, Tag(2)) == 2.5);
        CHECK(c.probe().is<int>());
        CHECK(c.receive<int>() == 1);
        c.barrier();
    });
}
