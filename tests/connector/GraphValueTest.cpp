// Graphs as values: fields of messages, values of collectives.
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/graph/PartGraph.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace graphvaluetest {

struct Unpackable {
    bool refuses = false;
    void writeToInts(IntWriter& out) const {
        if (refuses) throw std::runtime_error("it stays here");
        out << refuses;
    }
    void readFromInts(IntReader& in) { in >> refuses; }
};

/// A ring of two nodes with a number each.
struct HalfLoop {
    int number = 0;
    HalfLoop* other = nullptr;
    FERRY_FIELDS(number, other)
};

struct Loop {
    HalfLoop first;
    HalfLoop second;
    explicit Loop(int number) {
        first.number = number;
        second.number = number + 100;
        first.other = &second;
        second.other = &first;
    }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;
};

void checkLoop(const Graph<HalfLoop>& ring, int number) {
    REQUIRE(ring);
    CHECK(ring->number == number);
    CHECK(ring->other->number == number + 100);
    CHECK(ring->other->other == ring.root());
}

using Links = View<&HalfLoop::other>;
using LinkGraph = PartGraph<Links, HalfLoop>;

/// A ring whose numbers have stayed behind.
void checkLinks(const LinkGraph& ring) {
    REQUIRE(ring);
    CHECK(ring->number == 0);
    CHECK(ring->other->other == ring.root());
}

class LoopParcel : public Message {
public:
    FERRY_CLASS(graphvaluetest::LoopParcel)
    FERRY_FIELDS(name, rings)
    std::string name;
    std::vector<Graph<HalfLoop>> rings;
};

}    // namespace graphvaluetest

using namespace graphvaluetest;

TEST_CASE("Graph as a value: it is a field of a message, and a value that is sent") {
    onRanks([](Connector& c) {
        const Loop own(c.rank());
        LoopParcel parcel;
        parcel.name = "rings";
        for (int copy = 0; copy < 3; ++copy) parcel.rings.push_back(copyGraph(graph(&own.first)));
        parcel.rings.emplace_back();
        c.send(nextRank(c), parcel);
        c.send(nextRank(c), parcel.rings.front());
        const LoopParcel arrived = c.receive<LoopParcel>(previousRank(c));
        REQUIRE(arrived.rings.size() == 4);
        for (int copy = 0; copy < 3; ++copy) checkLoop(arrived.rings[static_cast<std::size_t>(copy)], previousRank(c));
        CHECK_FALSE(arrived.rings.back());
        checkLoop(c.receive<Graph<HalfLoop>>(previousRank(c)), previousRank(c));
    });
}

TEST_CASE("Graph as a value: startBroadcastGraph brings it to every rank, and the root's objects may change meanwhile") {
    onRanks([](Connector& c) {
        const int root = c.size() - 1;
        Loop own(7);
        Pending<Graph<HalfLoop>> pending = c.startBroadcastGraph(graph(&own.first), root);
        const int sum = c.allReduce(1, Sum{});
        CHECK(sum == c.size());
        const Graph<HalfLoop> arrived = pending.get();
        checkLoop(arrived, 7);
        CHECK((arrived.root() == &own.first) == (c.rank() == root));
    });
}

TEST_CASE("Graph as a value: gatherGraphs and allGatherGraphs give copies of all ranks' graphs") {
    onRanks([](Connector& c) {
        const Loop own(c.rank());
        for (int root = 0; root < c.size(); ++root) {
            const std::vector<Graph<HalfLoop>> all = c.gatherGraphs(graph(&own.first), root);
            REQUIRE(all.size() == (c.rank() == root ? static_cast<std::size_t>(c.size()) : 0));
            for (std::size_t rank = 0; rank < all.size(); ++rank) checkLoop(all[rank], static_cast<int>(rank));
            if (!all.empty()) CHECK(all[static_cast<std::size_t>(root)].root() != &own.first);
        }
        const std::vector<Graph<HalfLoop>> all = c.allGatherGraphs(graph(&own.first));
        REQUIRE(all.size() == static_cast<std::size_t>(c.size()));
        for (std::size_t rank = 0; rank < all.size(); ++rank) checkLoop(all[rank], static_cast<int>(rank));
        std::vector<Graph<HalfLoop>> started = c.startGather(copyGraph(graph(&own.first))).get();
        CHECK(started.size() == (c.rank() == 0 ? static_cast<std::size_t>(c.size()) : 0));
    });
}

TEST_CASE(
    "Graph as a value: a graph that cannot be packed on one rank is a failure of gatherGraphs and allGatherGraphs, and the ranks go on") {
    onRanks([](Connector& c) {
        for (int faulty = 0; faulty < c.size(); ++faulty) {
            const Loop loop(c.rank());
            Unpackable own;
            own.refuses = c.rank() == faulty;
            for (int root = 0; root < c.size(); ++root) {
                if (c.rank() == root || c.rank() == faulty)
                    CHECK_THROWS_WITH(c.gatherGraphs(graph(&own), root), "it stays here");
                else
                    CHECK(c.gatherGraphs(graph(&own), root).empty());
            }
            CHECK_THROWS_WITH(c.allGatherGraphs(graph(&own)), "it stays here");
            CHECK(c.allGatherGraphs(graph(&loop.first)).size() == static_cast<std::size_t>(c.size()));
        }
    });
}

TEST_CASE("Graph as a value: a view chosen for one call goes by messages and collectives") {
    onRanks([](Connector& c) {
        const Loop own(c.rank() + 1);
        c.send(nextRank(c), graph(part<Links>(own.first)));
        checkLinks(c.receive<LinkGraph>(previousRank(c)));
        const LinkGraph root = c.broadcast(graph(part<Links>(own.first)), 0);
        CHECK(root->other->other == root.root());
        if (!c.isMaster()) checkLinks(root);
        const std::vector<LinkGraph> gathered = c.gather(graph(part<Links>(own.first)));
        CHECK(gathered.size() == (c.isMaster() ? static_cast<std::size_t>(c.size()) : 0));
        for (const LinkGraph& each : gathered) checkLinks(each);
        for (const LinkGraph& each : c.startAllGather(copyGraph(graph(part<Links>(own.first)))).get()) checkLinks(each);
    });
}
