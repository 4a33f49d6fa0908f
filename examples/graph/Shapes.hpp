#pragma once

#include <array>
#include <random>
#include <string_view>
#include <vector>

namespace graphs {

/// Kinds of directed graphs. Every node can be reached from node 0.
enum class Shape {
    Full,      ///< every node points to every node, itself too
    Random,    ///< every node points to the next, and to a random number of others, half of all on average
    Sparse,    ///< every node points to the next, and to three others
    Ring,      ///< every node points to the next and to the one before
    Tree,      ///< a binary tree, edges away from the root
};

inline constexpr std::array<Shape, 5> allShapes{Shape::Full, Shape::Random, Shape::Sparse, Shape::Ring, Shape::Tree};

std::string_view nameOf(Shape shape);

/// Where the edges of a graph lead. Graphs of the same shape and size are the same everywhere.
class EdgeLists {
public:
    EdgeLists(Shape shape, int nodeCount) : shape_(shape), nodeCount_(nodeCount) {}

    /// The ends of the edges of the next node; called once for each node, in order. Valid until the next call.
    const std::vector<int>& next();

private:
    void addOthers(int count);

    Shape shape_;
    int nodeCount_;
    int node_ = -1;
    std::mt19937_64 random_{1};
    std::vector<int> edges_;
};

}    // namespace graphs
