#include <ferry/connector/Connector.hpp>

#include <memory>
#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace graphtransfertest {

struct Node {
    int value = 0;
    std::vector<Node*> edges;
    FERRY_FIELDS(value, edges)
};

struct Ring {
    std::vector<Node> nodes;
    explicit Ring(int count) : nodes(static_cast<std::size_t>(count)) {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            nodes[i].value = static_cast<int>(i);
            nodes[i].edges = {&nodes[(i + 1) % nodes.size()]};
        }
    }
    const Node* root() const { return nodes.data(); }
};

/// Whether the nodes form a ring of `count` nodes.
bool isRing(const Node* root, int count) {
    const Node* node = root;
    for (int i = 0; i < count; ++i, node = node->edges.at(0)) {
        if (node->value != i) return false;
    }
    return node == root;
}

struct Fragile {
    int value = 0;
    Fragile* next = nullptr;
    void writeToInts(IntWriter& out) const {
        if (value == 1000) throw std::range_error("not this one");
        out << value << next;
    }
    void readFromInts(IntReader& in) {
        in >> value >> next;
        if (value == 500) throw std::domain_error("nor this one");
    }
};

std::vector<Fragile> chainOf(int first, int count) {
    std::vector<Fragile> chain(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < chain.size(); ++i) {
        chain[i].value = first + static_cast<int>(i);
        if (i + 1 < chain.size()) chain[i].next = &chain[i + 1];
    }
    return chain;
}

}    // namespace graphtransfertest

using namespace graphtransfertest;

TEST_CASE("Connector: graphs of one piece and of many go round the ring of ranks") {
    onRanks([](Connector& c) {
        const Ring ring(100);
        for (const std::size_t chunkBytes : {std::size_t{1} << 20, std::size_t{64}}) {
            c.send(nextRank(c), graph(ring.root(), chunkBytes));
            const Graph<Node> copy = c.receiveGraph<Node>(previousRank(c));
            CHECK(copy.objectCount() == 100);
            CHECK(isRing(copy.root(), 100));
            const Graph<Node> empty = (c.send(nextRank(c), graph(static_cast<Node*>(nullptr))), c.receiveGraph<Node>());
            CHECK(empty.root() == nullptr);
        }
    });
}

TEST_CASE("Connector: messages and graphs of several senders do not mix") {
    onRanks([](Connector& c) {
        if (!c.isMaster()) {
            const Ring ring(50 + c.rank());
            c.send(0, c.rank());
            c.send(0, graph(ring.root(), 100));
            c.send(0, graph(ring.root(), 200));
            c.send(0, "done");
            return;
        }
        for (int rank = 1; rank < c.size(); ++rank) {
            const Graph<Node> first = c.receiveGraph<Node>(rank, GraphMemory::Arena);
            CHECK(isRing(first.root(), 50 + rank));
            CHECK(c.receive<std::string>(rank) == "done");
            CHECK(isRing(c.receiveGraph<Node>(rank).root(), 50 + rank));
            CHECK(c.receive<int>(rank) == rank);
        }
    });
}

TEST_CASE("Connector: a graph is broadcast in pieces") {
    onRanks([](Connector& c) {
        const Ring ring(1000);
        for (int root = 0; root < c.size(); ++root) {
            for (const std::size_t chunkBytes : {std::size_t{1} << 20, std::size_t{256}}) {
                const Graph<Node> copy = c.broadcastGraph(graph(c.rank() == root ? ring.root() : nullptr, chunkBytes), root);
                CHECK(isRing(copy.root(), 1000));
                CHECK((copy.root() == ring.root()) == (c.rank() == root));
            }
        }
    });
}

TEST_CASE("Connector: a sender that gives up tells the receiver why, and the next graph arrives") {
    onRanks([](Connector& c) {
        const std::vector<Fragile> bad = chainOf(600, 1000);
        const std::vector<Fragile> good = chainOf(2000, 1000);
        CHECK_THROWS_AS(c.send(nextRank(c), graph(bad.data(), 64)), std::range_error);
        CHECK_THROWS_AS(c.receiveGraph<Fragile>(previousRank(c)), std::range_error);
        c.send(nextRank(c), graph(good.data(), 64));
        CHECK(c.receiveGraph<Fragile>(previousRank(c)).objectCount() == 1000);
    });
}

TEST_CASE("Connector: a receiver that cannot read a graph drops the rest of it, and the next one arrives") {
    onRanks([](Connector& c) {
        const std::vector<Fragile> bad = chainOf(100, 600);
        const std::vector<Fragile> good = chainOf(2000, 300);
        c.send(nextRank(c), graph(bad.data(), 64));
        CHECK_THROWS_AS(c.receiveGraph<Fragile>(previousRank(c)), std::domain_error);
        c.send(nextRank(c), graph(good.data(), 64));
        CHECK(c.receiveGraph<Fragile>(previousRank(c)).objectCount() == 300);
    });
}

TEST_CASE("Connector: a probe does not find the rest of a graph that could not be read") {
    onRanks([](Connector& c) {
        const std::vector<Fragile> bad = chainOf(100, 600);
        c.send(nextRank(c), graph(bad.data(), 64));
        CHECK_THROWS_AS(c.receiveGraph<Fragile>(previousRank(c)), std::domain_error);
        c.send(nextRank(c), 7);
        CHECK(c.receive<int>(previousRank(c)) == 7);    // the rest of the graph has come before
        CHECK_FALSE(c.tryProbe().has_value());
        c.barrier();
        c.send(nextRank(c), 8);
        CHECK(c.probe(previousRank(c)).is<int>());
        CHECK(c.receive<int>(previousRank(c)) == 8);
    });
}

TEST_CASE("Connector: a broadcast graph that cannot be written fails on every rank") {
    onRanks([](Connector& c) {
        for (const int first : {990, 600}) {    // the failure is in the first piece, and then in a later piece
            const std::vector<Fragile> bad = chainOf(first, 1000);
            CHECK_THROWS_AS(c.broadcastGraph(graph(bad.data(), 4096), c.size() - 1), std::range_error);
        }
        c.barrier();
    });
}
