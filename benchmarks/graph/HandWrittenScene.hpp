#pragma once

#include <memory>
#include <vector>

#include <ferry/examples/scene/Scene.hpp>

namespace bench {

/// A scene that owns all objects to which it points.
struct OwnedScene {
    scene::Scene scene;
    std::vector<std::unique_ptr<scene::TreeNode>> nodes;
    std::vector<std::unique_ptr<scene::Material>> materials;
};

// The broadcast of a scene from rank 0, written by hand for MPI_COMM_WORLD. The code knows the structure of a scene, down to the kinds of
// material. Arrays of triangles travel in one piece. The tree travels node by node, with flags for its shape. All ranks call these
// functions. The result is empty on rank 0.

/// One MPI_Bcast for each node.
std::unique_ptr<OwnedScene> broadcastByHand(scene::Scene& original);

/// Packs the scene by MPI_Pack into one buffer. A first pass counts the size of the buffer. The receivers unpack it.
std::unique_ptr<OwnedScene> broadcastPackedByHand(scene::Scene& original);

}    // namespace bench
