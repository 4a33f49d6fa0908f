#include <ferry/connector/Connector.hpp>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace pendingtest {

struct Link {
    int value = 0;
    Link* next = nullptr;
    void writeToInts(IntWriter& out) const {
        if (value < 0) throw std::range_error("not this one");
        out << value << next;
    }
    void readFromInts(IntReader& in) { in >> value >> next; }
};

std::vector<Link> circleOf(int count) {
    std::vector<Link> links(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < links.size(); ++i) {
        links[i].value = static_cast<int>(i);
        links[i].next = &links[(i + 1) % links.size()];
    }
    return links;
}

bool isCircle(const Link* root, int count) {
    const Link* link = root;
    for (int i = 0; i < count; ++i, link = link->next) {
        if (link->value != i) return false;
    }
    return link == root;
}

constexpr std::size_t manyPieces = 64;    // bytes of a piece: each piece has eight links

}    // namespace pendingtest

using namespace pendingtest;

TEST_CASE("Pending: graphs of many pieces travel while their ranks do other things") {
    onRanks([](Connector& c) {
        std::vector<Link> links = circleOf(5000);
        for (int round = 0; round < 3; ++round) {
            Pending<Graph<Link>> arriving = c.expectGraph<Link>(previousRank(c));
            Pending<void> leaving = c.post(nextRank(c), graph(links.data(), manyPieces));
            CHECK(c.broadcast(round, 0) == round);
            c.barrier();
            while (!leaving.ready()) {}
            leaving.get();
            for (Link& link : links) link.value += 1;    // the copy does not see this change
            const Graph<Link> copy = arriving.get();
            CHECK(isCircle(copy.root(), 5000));
            for (Link& link : links) link.value -= 1;
        }
    });
}

TEST_CASE("Pending: a posted graph is received by a plain receive, and get() waits for it") {
    onRanks([](Connector& c) {
        const std::vector<Link> links = circleOf(1000);
        Pending<void> first = c.post(nextRank(c), graph(links.data(), manyPieces));
        Pending<void> second = c.post(nextRank(c), graph(links.data()));
        CHECK(isCircle(c.receiveGraph<Link>(previousRank(c)).root(), 1000));
        CHECK(isCircle(c.receiveGraph<Link>(previousRank(c)).root(), 1000));
        first.get();
        second.get();
    });
}

TEST_CASE("Pending: a posted graph arrives before what is sent later") {
    onRanks([](Connector& c) {
        const std::vector<Link> first = circleOf(1000), second = circleOf(3);
        Pending<void> posted = c.post(nextRank(c), graph(first.data(), manyPieces));
        c.send(nextRank(c), graph(second.data()));
        CHECK(isCircle(c.receiveGraph<Link>(previousRank(c)).root(), 1000));
        CHECK(isCircle(c.receiveGraph<Link>(previousRank(c)).root(), 3));
        posted.get();
    });
}

TEST_CASE("Pending: flush and close wait for what is posted") {
    onRanks([](Connector& c) {
        const std::vector<Link> links = circleOf(2000);
        Pending<Graph<Link>> arriving = c.expectGraph<Link>();
        Pending<void> leaving = c.post(nextRank(c), graph(links.data(), manyPieces));
        c.flush();
        CHECK(leaving.ready());
        CHECK(isCircle(arriving.get().root(), 2000));
    });
}

TEST_CASE("Pending: the receiver of a graph that is dropped half-way is told, and the next one arrives") {
    onRanks(
        [](Connector& c) {
            if (c.rank() == 0) {
                const std::vector<Link> links = circleOf(100'000);
                {
                    Pending<void> leaving = c.post(1, graph(links.data(), manyPieces));
                    c.poll();    // the first pieces leave
                    CHECK(leaving.isUnderWay());
                }
                const std::vector<Link> good = circleOf(10);
                c.send(1, graph(good.data()));
            } else if (c.rank() == 1) {
                c.barrier();    // so that this rank takes only few pieces before the graph is dropped
                CHECK_THROWS_AS(c.receiveGraph<Link>(0), Cancelled);
                CHECK(isCircle(c.receiveGraph<Link>(0).root(), 10));
                return;
            }
            c.barrier();
        },
        2);
}

TEST_CASE("Pending: a posted graph that cannot be written fails at both ends") {
    onRanks([](Connector& c) {
        std::vector<Link> links = circleOf(1000);
        links[700].value = -1;
        Pending<Graph<Link>> arriving = c.expectGraph<Link>(previousRank(c));
        Pending<void> leaving = c.post(nextRank(c), graph(links.data(), manyPieces));
        CHECK_THROWS_AS(leaving.get(), std::range_error);
        CHECK_THROWS_AS(arriving.get(), std::range_error);
    });
}

TEST_CASE("Pending: expectations get letters in the order in which they were made, and before later receives") {
    onRanks([](Connector& c) {
        c.post(nextRank(c), 1).get();
        Pending<int> first = c.expect<int>(previousRank(c));
        Pending<int> second = c.expect<int>();
        Pending<std::string> text = c.expect<std::string>(previousRank(c));
        c.send(nextRank(c), 2);
        c.send(nextRank(c), 3);
        c.send(nextRank(c), "text");
        CHECK(c.receive<int>(previousRank(c)) == 3);
        CHECK(second.get() == 2);
        CHECK(text.get() == "text");
        CHECK(first.get() == 1);
        CHECK_FALSE(first.isUnderWay());
        CHECK_THROWS_AS(first.get(), UsageError);
        CHECK_THROWS_AS(first.ready(), UsageError);
    });
}

TEST_CASE("Pending: a letter for a dropped operation goes to other receives, in order") {
    onRanks([](Connector& c) {
        for (const int value : {1, 2, 3}) c.send(nextRank(c), value);
        {
            Pending<int> dropped = c.expect<int>(previousRank(c));
            while (!dropped.ready()) {}
        }
        Pending<int> moved = c.expect<int>(previousRank(c));
        Pending<int> kept = std::move(moved);
        CHECK_THROWS_AS(moved.ready(), UsageError);    // NOLINT(bugprone-use-after-move): the state after a move is defined
        CHECK(kept.get() == 1);
        kept = c.expect<int>(previousRank(c));
        while (!kept.ready()) {}
        kept.cancel();
        CHECK_FALSE(kept.isUnderWay());
        kept = c.expect<int>(previousRank(c));
        CHECK(kept.get() == 2);
        CHECK(c.receive<int>(previousRank(c)) == 3);
    });
}

TEST_CASE("Pending: a graph for a dropped operation is received by another operation") {
    onRanks([](Connector& c) {
        const std::vector<Link> links = circleOf(300);
        {
            Pending<Graph<Link>> dropped = c.expectGraph<Link>(previousRank(c));
            Pending<void> leaving = c.post(nextRank(c), graph(links.data(), manyPieces));
            while (!dropped.ready()) {}
            leaving.get();
        }
        CHECK(isCircle(c.receiveGraph<Link>(previousRank(c)).root(), 300));
    });
}

TEST_CASE("Pending: an exception of another rank interrupts get(), after which the value can still be taken") {
    onRanks([](Connector& c) {
        Pending<int> value = c.expect<int>(previousRank(c));
        c.throwOn(nextRank(c), std::domain_error("look up"));
        CHECK_THROWS_AS(value.get(), std::domain_error);
        c.send(previousRank(c), "go on");
        CHECK(c.receive<std::string>(nextRank(c)) == "go on");    // an exception may arrive later than a value that was sent after it
        c.send(nextRank(c), 7);
        CHECK(value.get() == 7);
    });
}
