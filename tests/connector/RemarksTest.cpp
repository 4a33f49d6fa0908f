#include <ferry/connector/message/state/Remarks.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/tests/connector/GuardedRegion.hpp>
#include <ferry/tests/connector/TestMessages.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace remarkstest {

struct Node {
    int number = 0;
    std::unique_ptr<Node> next;
    FERRY_FIELDS(number, next)
};

/// Sends a mark to the next rank and waits for the mark of the previous one. All that was sent before has then arrived.
void exchangeMarks(Connector& c) {
    c.send(nextRank(c), std::string("mark"), Tag(99));
    static_cast<void>(c.receive<std::string>(previousRank(c), Tag(99)));
}

/// The TimeoutError of a receive that finds nothing.
template <class T>
TimeoutError timeoutOf(Connector& c, int from, Tag tag = Tag()) {
    try {
        static_cast<void>(c.receive<T>(from, tag, Deadline::in(0ms)));
    } catch (const TimeoutError& error) {
        return error;
    }
    FAIL_CHECK("the receive returned");
    return TimeoutError();
}

std::string fromPrevious(const Connector& c) { return " from rank " + std::to_string(previousRank(c)); }

}    // namespace remarkstest

using namespace remarkstest;

TEST_CASE("Remarks: a receive of the wrong type says at its deadline what has come") {
    onRanks([](Connector& c) {
        c.send(nextRank(c), 7, Tag(5));
        exchangeMarks(c);
        const TimeoutError error = timeoutOf<long>(c, previousRank(c), Tag(5));
        CHECK(error.awaited() == "a value of type long" + fromPrevious(c) + ", tag 5");
        const std::string remark = "there is a value of type int" + fromPrevious(c) + ", tag 5, which nobody has received";
        CHECK(error.remarks() == std::vector<std::string>{remark});
        CHECK(std::string(error.what()).find("tag 5; " + remark) != std::string::npos);
        CHECK(c.receive<int>(previousRank(c), Tag(5)) == 7);
        CHECK(timeoutOf<long>(c, previousRank(c)).remarks().empty());
    });
}

TEST_CASE("Remarks: the nearest misses come first, and the number of lines is bounded") {
    onRanks([](Connector& c) {
        const int next = nextRank(c);
        for (int tag = 1; tag <= 50; ++tag) c.send(next, 1.5, Tag(tag));
        c.send(next, 1L, Tag(3));
        c.send(next, std::vector<std::string>{"text"});
        c.send(next, 2);
        c.send(next, 3);
        exchangeMarks(c);
        const std::vector<std::string> remarks = timeoutOf<long>(c, previousRank(c)).remarks();
        REQUIRE(remarks.size() == 4);
        CHECK(remarks[0] == "there is a value of type std::vector<std::string>" + fromPrevious(c) + ", which nobody has received");
        CHECK(remarks[1] == "there are 2 values of type int" + fromPrevious(c) + ", which nobody has received");
        CHECK(remarks[2] == "there is a value of type long" + fromPrevious(c) + ", tag 3, which nobody has received");
        CHECK(remarks[3] == "there are 50 others that nobody has received");
    });
}

TEST_CASE("Remarks: messages and graphs are named by their classes, and a letter kept for an expectation is told") {
    onRanks([](Connector& c) {
        Pending<int> expected = c.expect<int>(previousRank(c));
        c.send(nextRank(c), Ping());
        const auto root = std::make_unique<Node>();
        c.send(nextRank(c), ferry::graph(root));
        c.send(nextRank(c), 4);
        exchangeMarks(c);
        const std::vector<std::string> remarks = timeoutOf<int>(c, previousRank(c)).remarks();
        REQUIRE(remarks.size() == 3);
        CHECK(remarks[0] == "a value of type int" + fromPrevious(c) + " is kept for an earlier expect()");
        CHECK(remarks[1] == "there is a message of class ferry::test::Ping" + fromPrevious(c) + ", which nobody has received");
        CHECK(remarks[2] == "there is a graph of remarkstest::Node" + fromPrevious(c) + ", which nobody has received by receiveGraph()");
        CHECK(expected.get() == 4);
    });
}

TEST_CASE("Remarks: a deadlock says for each rank what has come") {
    onRanks(
        [](Connector& c) {
            c.findDeadlocksAfter(2ms);
            c.send(nextRank(c), std::string("text"));
            try {
                static_cast<void>(c.receive<int>(previousRank(c)));
                FAIL_CHECK("the receive returned");
            } catch (const Deadlock& deadlock) {
                REQUIRE(deadlock.ranks().size() == static_cast<std::size_t>(c.size()));
                for (const StuckRank& one : deadlock.ranks()) {
                    const int before = (one.rank + c.size() - 1) % c.size();
                    const std::string remark =
                        "there is a value of type std::string from rank " + std::to_string(before) + ", which nobody has received";
                    CHECK(one.awaited.remarks == std::vector<std::string>{remark});
                    CHECK(std::string(deadlock.what()).find("\n    " + remark) != std::string::npos);
                }
            }
            CHECK(c.receive<std::string>(previousRank(c)) == "text");
        },
        2);
}

TEST_CASE("Remarks: a value that was sent on another connector of the ranks is told") {
    onRanks([](Connector& c) {
        const std::unique_ptr<Connector> group = c.split(0);
        group->send(nextRank(c), 1);
        c.send(nextRank(c), 2.5);
        exchangeMarks(c);
        const std::string nobody = ", which nobody has received";
        const std::string there = "there is a value of type ";
        CHECK(timeoutOf<int>(c, previousRank(c)).remarks() ==
              std::vector<std::string>{there + "double" + fromPrevious(c) + nobody,
                                       there + "int" + fromPrevious(c) + " of a connector that was split off" + nobody});
        CHECK(
            timeoutOf<double>(*group, previousRank(c)).remarks() ==
            std::vector<std::string>{there + "int" + fromPrevious(c) + nobody,
                                     there + "double" + fromPrevious(c) + " of the connector from which this one was split off" + nobody});
    });
}
