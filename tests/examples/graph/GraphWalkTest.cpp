#include <ferry/examples/graph/GraphWalk.hpp>

#include <memory>

#include <doctest/doctest.h>

#include <ferry/examples/graph/DirectedGraph.hpp>

namespace {

using graphs::areSame;
using graphs::DirectedGraph;
using graphs::Shape;

struct Node {
    int value = 0;
    std::vector<Node*> edges;
};

struct SharedNode {
    int value = 0;
    std::vector<std::shared_ptr<SharedNode>> edges;
};

}    // namespace

TEST_CASE("areSame: two graphs of one shape are the same, with raw and with shared pointers") {
    for (const Shape shape : graphs::allShapes) {
        const DirectedGraph<Node> raw(shape, 30);
        const DirectedGraph<SharedNode> shared(shape, 30);
        CHECK(areSame(raw.root(), shared.root().get()));
        CHECK(areSame(raw.root(), DirectedGraph<Node>(shape, 30).root()));
        CHECK_FALSE(areSame(raw.root(), DirectedGraph<Node>(shape, 31).root()));
    }
}

TEST_CASE("areSame: another value, a missing edge, and another order of edges are seen") {
    const DirectedGraph<Node> original(Shape::Sparse, 30);
    DirectedGraph<Node> copy(Shape::Sparse, 30);
    Node& changed = *copy.root()->edges[0]->edges[1];
    ++changed.value;
    CHECK_FALSE(areSame(original.root(), copy.root()));
    --changed.value;
    CHECK(areSame(original.root(), copy.root()));
    std::swap(changed.edges[0], changed.edges[1]);
    CHECK_FALSE(areSame(original.root(), copy.root()));
    std::swap(changed.edges[0], changed.edges[1]);
    changed.edges.pop_back();
    CHECK_FALSE(areSame(original.root(), copy.root()));
}

TEST_CASE("areSame: one node in the place of two with the same value is seen, and the other way round") {
    Node left;
    Node right;
    Node twice;
    Node apart{1, {&left, &right}};
    Node joined{1, {&twice, &twice}};
    CHECK_FALSE(areSame(&apart, &joined));
    CHECK_FALSE(areSame(&joined, &apart));
}

TEST_CASE("areSame: a copy with pointers into the original is no copy") {
    const DirectedGraph<Node> original(Shape::Ring, 5);
    const Node copy = *original.root();
    CHECK_FALSE(areSame(original.root(), &copy));
    CHECK_FALSE(areSame(original.root(), original.root()));
}
