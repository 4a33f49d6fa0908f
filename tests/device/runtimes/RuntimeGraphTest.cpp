#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <ferry/tests/device/runtimes/Runners.hpp>

// Graphs of objects that point to each other, as in the deep copies of MEL, on each runtime.

namespace runtimegraphs {

struct Node {
    int value = 0;
    int sum = 0;
    std::vector<Node*> edges;
    FERRY_FIELDS(value, sum, edges)
};
struct Graph {
    std::vector<Node*> nodes;
    FERRY_FIELDS(nodes)
};
struct Item {
    int value = 0;
    Item* next = nullptr;
    FERRY_FIELDS(value, next)
};
struct Body {
    double mass = 0;
    FERRY_FIELDS(mass)
};
struct World {
    int count = 0;
    int isSame = 0;
    Body* first = nullptr;    // leads into the array, and is met before it
    Body* sun = nullptr;      // leads to the member
    Body* bodies = nullptr;
    Body star;
    FERRY_FIELDS(first, sun, ferry::arrayOf(bodies, count), star, isSame)
};

FERRY_TEST_KERNEL(sumNeighbours, Graph, GLOBAL Node* node = DATA(it->nodes)[i]; int sum = 0;
                  for (int k = 0; k < (int)SIZE(node->edges); ++k) sum += DATA(node->edges)[k]->value; node->sum = sum;)
FERRY_TEST_KERNEL(
    reverseList, Item, GLOBAL Item* done = 0; GLOBAL Item* item = it; while (item) {
        GLOBAL Item* next = item->next;
        item->next = done;
        done = item;
        item = next;
    })
FERRY_TEST_KERNEL(leadHome, Graph, DATA(DATA(it->nodes)[i]->edges)[0] = DATA(it->nodes)[0];)
FERRY_TEST_KERNEL(useWorld, World, it->isSame = it->first == it->bodies + 3 && it->sun == &it->star; it->first->mass = 7; it->sun->mass = 9;
                  it->first = it->bodies + 1;)

using Nodes = std::vector<std::unique_ptr<Node>>;

Nodes makeNodes(const std::string& shape, std::size_t count) {
    Nodes nodes;
    for (std::size_t i = 0; i < count; ++i) {
        nodes.push_back(std::make_unique<Node>());
        nodes.back()->value = static_cast<int>(i % 1000);
    }
    std::minstd_rand random(7);
    for (std::size_t i = 0; i < count; ++i) {
        if (shape == "ring") nodes[i]->edges.push_back(nodes[(i + 1) % count].get());
        if (shape == "tree" && i > 0) nodes[(i - 1) / 2]->edges.push_back(nodes[i].get());
        for (int edge = 0; shape == "random" && edge < 5; ++edge) nodes[i]->edges.push_back(nodes[random() % count].get());
        for (std::size_t k = 0; shape == "full" && k < count; ++k) nodes[i]->edges.push_back(nodes[k].get());
    }
    return nodes;
}

Graph graphOf(const Nodes& nodes) {
    Graph graph;
    for (const auto& node : nodes) graph.nodes.push_back(node.get());
    return graph;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t Large = 1 << 13;
#else
constexpr std::size_t Large = 1 << 18;    // a walk that recursed would overflow the stack
#endif

}    // namespace runtimegraphs

using namespace runtimegraphs;
using namespace ferry::test;

TEST_CASE_TEMPLATE("Device runtimes: ring, tree, random and full graphs, packed twice", Runner, FERRY_TEST_RUNNERS) {
    Runner on;
    for (const std::string shape : {"ring", "tree", "random", "full"}) {
        for (const std::size_t count : {std::size_t{3}, std::size_t{500}, shape == "ring" ? Large : Large / 8}) {
            if (shape == "full" && count > 500) continue;
            CAPTURE(shape);
            CAPTURE(count);
            const Nodes nodes = makeNodes(shape, shape == "random" ? (count + 3) / 4 : count);
            Graph graph = graphOf(nodes);
            for (int round = 0; round < 2; ++round) {
                for (const auto& node : nodes) {
                    node->value += round;
                    node->sum = -1;
                }
                auto there = on.device.copy(graph);
                on.template run<sumNeighbours>(there, nodes.size());
                there.fetch();
                bool isRight = true;
                for (const auto& node : nodes) {
                    int sum = 0;
                    for (const Node* next : node->edges) sum += next->value;
                    isRight &= node->sum == sum;
                }
                CHECK(isRight);
            }
        }
    }
}

TEST_CASE_TEMPLATE("Device runtimes: a kernel reverses a list", Runner, FERRY_TEST_RUNNERS) {
    Runner on;
    std::vector<Item> items(1000);
    for (std::size_t i = 0; i + 1 < items.size(); ++i) items[i].next = &items[i + 1];
    auto there = on.device.copy(items[0]);
    on.template run<reverseList>(there, 1);
    there.fetch();
    CHECK(items[0].next == nullptr);
    bool isRight = true;
    for (std::size_t i = 1; i < items.size(); ++i) isRight &= items[i].next == &items[i - 1];
    CHECK(isRight);
}

TEST_CASE_TEMPLATE("Device runtimes: a kernel rewires a graph", Runner, FERRY_TEST_RUNNERS) {
    Runner on;
    const Nodes nodes = makeNodes("ring", 100);
    Graph graph = graphOf(nodes);
    auto there = on.device.copy(graph);
    on.template run<leadHome>(there, 100);
    there.fetch();
    CHECK(std::all_of(nodes.begin(), nodes.end(), [&](const auto& node) { return node->edges[0] == nodes[0].get(); }));
}

TEST_CASE_TEMPLATE("Device runtimes: pointers into arrays and to members lead to the same objects on the device", Runner,
                   FERRY_TEST_RUNNERS) {
    Runner on;
    std::vector<Body> bodies(5);
    World world;
    world.count = 5;
    world.bodies = bodies.data();
    world.first = &bodies[3];
    world.sun = &world.star;
    auto there = on.device.copy(world);
    on.template run<useWorld>(there, 1);
    there.fetch();
    CHECK(world.isSame == 1);
    CHECK(bodies[3].mass == 7);
    CHECK(world.star.mass == 9);
    CHECK(world.first == &bodies[1]);
    CHECK(world.sun == &world.star);
}
