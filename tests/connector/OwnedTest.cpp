#include <ferry/connector/Connector.hpp>

#include <cstddef>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace ownedRankTest {

struct Branch {    // deletes what its pointers lead to, and may be copied by mistake: nobody copies it on its way
    int value = 0;
    Branch* left = nullptr;
    Branch* right = nullptr;
    int count = 0;
    double* samples = nullptr;
    ~Branch() {
        delete left;
        delete right;
        delete[] samples;
    }
    FERRY_FIELDS(value, ferry::owned(left), ferry::owned(right), ferry::ownedArray(samples, count))
};

std::unique_ptr<Branch> treeOf(int depth, int sampleCount) {
    auto node = std::make_unique<Branch>();
    node->value = 1;
    node->count = sampleCount;
    node->samples = new double[static_cast<std::size_t>(sampleCount)];
    for (int i = 0; i < sampleCount; ++i) node->samples[i] = i;
    if (depth > 1) {
        node->left = treeOf(depth - 1, sampleCount).release();
        node->right = treeOf(depth - 1, sampleCount).release();
    }
    return node;
}

struct Region {    // owns several objects in each way
    int value = 0;
    std::vector<Region*> parts;
    Region* corners[2] = {};
    int count = 0;
    Region** more = nullptr;
    Region() = default;
    explicit Region(int number) : value(number) {}
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;
    ~Region() {
        for (const Region* part : parts) delete part;
        for (const Region* corner : corners) delete corner;
        for (int i = 0; i < count; ++i) delete more[i];
        delete[] more;
    }
    FERRY_FIELDS(value, ferry::owned(parts), ferry::owned(corners), ferry::owned(more, count))
};

std::unique_ptr<Region> regionOf(int depth) {
    auto region = std::make_unique<Region>(depth);
    if (depth == 0) return region;
    region->parts = {regionOf(depth - 1).release(), nullptr};
    region->corners[1] = regionOf(depth - 1).release();
    region->more = new Region* [1] { regionOf(depth - 1).release() };
    region->count = 1;
    return region;
}

/// The sum of the values of a region and all that it owns.
int sumOf(const Region* region) {
    if (region == nullptr) return 0;
    int sum = region->value;
    for (const Region* part : region->parts) sum += sumOf(part);
    for (const Region* corner : region->corners) sum += sumOf(corner);
    for (int i = 0; i < region->count; ++i) sum += sumOf(region->more[i]);
    return sum;
}

/// The number of nodes that arrived whole.
int goodNodes(const Branch* node) {
    if (node == nullptr) return 0;
    for (int i = 0; i < node->count; ++i) {
        if (node->samples[i] != i) return 0;
    }
    return node->value + goodNodes(node->left) + goodNodes(node->right);
}

}    // namespace ownedRankTest

using namespace ownedRankTest;

TEST_CASE("Connector: trees that own by raw pointers travel as values and as graphs") {
    onRanks([](Connector& c) {
        for (const int sampleCount : {0, 3, 10'000}) {    // the last arrays are fetched into place
            const auto tree = treeOf(3, sampleCount);
            Branch there = Branch();
            there.left = new Branch;
            const auto sending = c.post(nextRank(c), *tree);
            c.receiveInto(previousRank(c), there);
            CHECK(goodNodes(&there) == 7);
            c.send(nextRank(c), *tree);
            const Branch value = c.receive<Branch>(previousRank(c));
            CHECK(goodNodes(&value) == 7);
            c.send(nextRank(c), graph(tree));
            CHECK(goodNodes(c.receiveGraph<Branch>(previousRank(c)).root()) == 7);
            const Graph<Branch> all = c.broadcastGraph(graph(static_cast<const Branch*>(tree.get())));
            CHECK(goodNodes(all.root()) == 7);
            const auto copies = c.allGather(std::vector<int>{goodNodes(all.root())});
            CHECK(copies.size() == static_cast<std::size_t>(c.size()));
        }
    });
}

TEST_CASE("Connector: objects that own several objects by raw pointers travel as values and as graphs") {
    onRanks([](Connector& c) {
        const auto region = regionOf(3);
        const int sum = sumOf(region.get());
        Region there(5);
        there.parts = {new Region, new Region};
        const auto sending = c.post(nextRank(c), *region);
        c.receiveInto(previousRank(c), there);
        CHECK(sumOf(&there) == sum);
        c.send(nextRank(c), graph(region));
        CHECK(sumOf(c.receiveGraph<Region>(previousRank(c)).root()) == sum);
        CHECK(sumOf(c.broadcastGraph(graph(region), c.size() - 1).root()) == sum);
        for (const Graph<Region>& each : c.allGatherGraphs(graph(region))) CHECK(sumOf(each.root()) == sum);
    });
}

TEST_CASE("Connector: a deep list that owns by raw pointers travels as a graph, and a value of it is refused") {
    onRanks([](Connector& c) {
        constexpr int Length = 100'000;
        std::unique_ptr<Branch> list;
        for (int i = 0; i < Length; ++i) {
            auto around = std::make_unique<Branch>();
            around->value = 1;
            around->left = list.release();
            list = std::move(around);
        }
        CHECK_THROWS_WITH_AS(c.send(nextRank(c), *list), doctest::Contains("send them with ferry::graph"), UsageError);
        auto sending = c.post(nextRank(c), graph(list));
        CHECK(c.receiveGraph<Branch>(previousRank(c)).objectCount() == Length);
        sending.get();    // a graph that is not all packed is dropped with its Pending
        while (list != nullptr) list.reset(std::exchange(list->left, nullptr));
    });
}
