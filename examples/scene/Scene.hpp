#pragma once

#include <vector>

#include <ferry/ferry.hpp>

#include <ferry/examples/scene/Camera.hpp>
#include <ferry/examples/scene/Material.hpp>
#include <ferry/examples/scene/TreeNode.hpp>
#include <ferry/examples/scene/Triangle.hpp>

namespace scene {

/// A lamp that shines in all directions.
struct Light {
    Vector3 position;
    Vector3 colour;
};

/// All visible things, as a graph: raw pointers lead to the materials and to the nodes of the tree.
///
/// Ownership: none. A GeneratedScene owns the parts of the scene that it made.
/// A ferry::Graph<Scene> owns the parts of a scene from another rank.
struct Scene {
    FERRY_FIELDS(cameras, lights, materials, triangles, tree)

    std::vector<Camera> cameras;
    std::vector<Light> lights;
    std::vector<Material*> materials;
    std::vector<Triangle> triangles;
    TreeNode* tree = nullptr;    ///< null without triangles

    /// Returns the nearest triangle on the ray.
    Hit nearestHit(const Ray& ray) const;
    /// Whether any triangle stands between the start of the ray and the distance.
    bool isBlocked(const Ray& ray, double distance) const;
};

}    // namespace scene
