#include <ferry/examples/scene/Scene.hpp>

#include <array>
#include <cstddef>

namespace scene {

namespace {

constexpr std::size_t maxDepth = 64;    ///< greatest depth of the tree; a balanced tree of this depth holds 2^63 triangles

/// Visits the leaves along the ray until the visitor returns true.
template <class Visitor>
void visitLeaves(const TreeNode* root, const Ray& ray, const Hit& nearest, Visitor visit) {
    if (root == nullptr) return;
    const Vector3 inverse{1 / ray.direction.x, 1 / ray.direction.y, 1 / ray.direction.z};
    std::array<const TreeNode*, maxDepth> pending{root};
    for (std::size_t count = 1; count != 0;) {
        const TreeNode& node = *pending[--count];
        if (!node.box.isHitBy(ray, inverse, nearest.distance)) continue;
        if (node.triangleCount == 0) {
            pending[count++] = node.right;
            pending[count++] = node.left;
        } else if (visit(node)) {
            return;
        }
    }
}

}    // namespace

Hit Scene::nearestHit(const Ray& ray) const {
    Hit nearest;
    visitLeaves(tree, ray, nearest, [&](const TreeNode& leaf) {
        for (std::int32_t i = 0; i < leaf.triangleCount; ++i)
            triangles[static_cast<std::size_t>(leaf.firstTriangle + i)].intersect(ray, nearest);
        return false;
    });
    return nearest;
}

bool Scene::isBlocked(const Ray& ray, double distance) const {
    Hit nearest;
    nearest.distance = distance;
    visitLeaves(tree, ray, nearest, [&](const TreeNode& leaf) {
        for (std::int32_t i = 0; i < leaf.triangleCount; ++i)
            triangles[static_cast<std::size_t>(leaf.firstTriangle + i)].intersect(ray, nearest);
        return nearest.triangle != nullptr;
    });
    return nearest.triangle != nullptr;
}

}    // namespace scene
