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

/// All that is to be seen, as a graph: its materials and the nodes of its tree stand behind raw pointers.
///
/// Ownership: none; a GeneratedScene owns what it was made of, a ferry::Graph<Scene> what came from another rank.
struct Scene {
    FERRY_FIELDS(cameras, lights, materials, triangles, tree)

    std::vector<Camera> cameras;
    std::vector<Light> lights;
    std::vector<Material*> materials;
    std::vector<Triangle> triangles;
    TreeNode* tree = nullptr;    ///< null without triangles

    /// The nearest triangle on the ray.
    Hit nearestHit(const Ray& ray) const;
    /// Whether anything stands between the start of the ray and the distance.
    bool isBlocked(const Ray& ray, double distance) const;
};

}    // namespace scene
