#pragma once

#include <deque>
#include <span>
#include <vector>

#include <ferry/examples/scene/TreeNode.hpp>
#include <ferry/examples/scene/Triangle.hpp>

namespace scene {

/// Builds a balanced tree of boxes, one triangle in each leaf: 2n - 1 nodes for n triangles.
///
/// Ownership: the deque owns the nodes, and the vector owns the triangles. Both must outlive the builder and the tree.
class TreeBuilder {
public:
    TreeBuilder(std::vector<Triangle>& triangles, std::deque<TreeNode>& nodes) : triangles_(triangles), nodes_(nodes) {}

    /// Sorts the triangles into the order of the leaves. Returns the root; null without triangles.
    TreeNode* build();

private:
    TreeNode* buildOver(std::span<Triangle> part);

    std::vector<Triangle>& triangles_;
    std::deque<TreeNode>& nodes_;
};

}    // namespace scene
