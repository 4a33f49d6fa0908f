#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <ferry/examples/scene/Scene.hpp>

namespace scene {

/// A scene that is generated from a seed: bodies of several materials on a chequered floor.
/// Ownership: owns everything that the scene points to.
class GeneratedScene {
public:
    /// The number of triangles is about as requested, and at least some hundred.
    /// The tree gets 2n - 1 nodes for n triangles.
    explicit GeneratedScene(int triangles, std::uint64_t seed = 1);
    GeneratedScene(const GeneratedScene&) = delete;
    GeneratedScene& operator=(const GeneratedScene&) = delete;

    Scene& scene() { return scene_; }
    std::size_t nodeCount() const { return nodes_.size(); }

private:
    void addMaterials();
    void addFloor();
    void addBodies(int triangles, std::uint64_t seed);

    template <class Kind, class... Arguments>
    Material* addMaterial(Arguments... arguments);

    std::deque<TreeNode> nodes_;
    std::vector<std::unique_ptr<Material>> materials_;
    Scene scene_;
};

}    // namespace scene
