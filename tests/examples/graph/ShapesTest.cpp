#include <ferry/examples/graph/Shapes.hpp>

#include <cstddef>

#include <doctest/doctest.h>

#include <ferry/examples/graph/DirectedGraph.hpp>
#include <ferry/examples/graph/GraphWalk.hpp>

namespace {

using graphs::DirectedGraph;
using graphs::EdgeLists;
using graphs::Shape;

struct ShapeNode {
    int value = 0;
    std::vector<ShapeNode*> edges;
};

}    // namespace

TEST_CASE("EdgeLists: a ring leads on and back") {
    EdgeLists lists(Shape::Ring, 4);
    CHECK(lists.next() == std::vector<int>{1, 3});
    CHECK(lists.next() == std::vector<int>{2, 0});
}

TEST_CASE("EdgeLists: a tree leads to two children, where there are any") {
    EdgeLists lists(Shape::Tree, 4);
    CHECK(lists.next() == std::vector<int>{1, 2});
    CHECK(lists.next() == std::vector<int>{3});
    CHECK(lists.next().empty());
}

TEST_CASE("EdgeLists: shapes are the same each time") {
    for (const Shape shape : graphs::allShapes) {
        EdgeLists first(shape, 50);
        EdgeLists second(shape, 50);
        for (int node = 0; node < 50; ++node) CHECK(first.next() == second.next());
    }
}

TEST_CASE("DirectedGraph: every node can be reached from the root, for any shape and size") {
    for (const Shape shape : graphs::allShapes) {
        for (const int nodeCount : {1, 2, 3, 100}) {
            const DirectedGraph<ShapeNode> graph(shape, nodeCount);
            CHECK(graphs::nodesFrom(graph.root()).size() == static_cast<std::size_t>(nodeCount));
        }
    }
    CHECK(DirectedGraph<ShapeNode>(Shape::Full, 7).edgeCount() == 49);
    CHECK(DirectedGraph<ShapeNode>(Shape::Sparse, 7).edgeCount() == 28);
}
