#include <ferry/examples/scene/TreeBuilder.hpp>

#include <cstddef>

#include <doctest/doctest.h>

#include <ferry/examples/scene/Mesh.hpp>

namespace {

using namespace scene;

bool isInside(const Box& inner, const Box& outer) {
    Box both = outer;
    both.include(inner.low);
    both.include(inner.high);
    return both.low.x == outer.low.x && both.low.y == outer.low.y && both.low.z == outer.low.z && both.high.x == outer.high.x &&
           both.high.y == outer.high.y && both.high.z == outer.high.z;
}

void checkNode(const TreeNode& node, const std::vector<Triangle>& triangles, std::vector<int>& visits) {
    if (node.triangleCount == 0) {
        REQUIRE(node.left != nullptr);
        REQUIRE(node.right != nullptr);
        CHECK(isInside(node.left->box, node.box));
        CHECK(isInside(node.right->box, node.box));
        checkNode(*node.left, triangles, visits);
        checkNode(*node.right, triangles, visits);
        return;
    }
    const auto index = static_cast<std::size_t>(node.firstTriangle);
    ++visits.at(index);
    Box corners;
    for (const Vector3& corner : triangles.at(index).corners) corners.include(corner);
    CHECK(isInside(corners, node.box));
}

}    // namespace

TEST_CASE("TreeBuilder: every triangle is in one leaf, and every box holds what is below it") {
    std::vector<Triangle> triangles;
    appendMesh({{1, 2, 3}, 0.6, 0.3, 0.5}, 6, triangles);
    std::deque<TreeNode> nodes;
    const TreeNode* root = TreeBuilder(triangles, nodes).build();
    CHECK(nodes.size() == 2 * triangles.size() - 1);
    std::vector<int> visits(triangles.size());
    REQUIRE(root != nullptr);
    checkNode(*root, triangles, visits);
    CHECK(visits == std::vector<int>(triangles.size(), 1));
}

TEST_CASE("TreeBuilder: no triangles make no tree, one makes a leaf") {
    std::vector<Triangle> triangles;
    std::deque<TreeNode> nodes;
    CHECK(TreeBuilder(triangles, nodes).build() == nullptr);
    triangles.emplace_back();
    const TreeNode* root = TreeBuilder(triangles, nodes).build();
    REQUIRE(root != nullptr);
    CHECK(root->triangleCount == 1);
}
