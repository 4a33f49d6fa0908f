#pragma once

#include <cstdint>

#include <ferry/ferry.hpp>

#include <ferry/examples/scene/Box.hpp>

namespace scene {

/// A node of the tree of boxes. An inner node has two children, a leaf has some triangles.
struct TreeNode {
    FERRY_FIELDS(box, firstTriangle, triangleCount, left, right)

    Box box;                           ///< around all triangles below
    std::int32_t firstTriangle = 0;    ///< index into the scene's triangles
    std::int32_t triangleCount = 0;    ///< 0 in an inner node
    TreeNode* left = nullptr;
    TreeNode* right = nullptr;
};

}    // namespace scene
