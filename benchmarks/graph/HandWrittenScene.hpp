#pragma once

#include <memory>
#include <vector>

#include <ferry/examples/scene/Scene.hpp>

namespace bench {

/// A scene with all that it points to.
struct OwnedScene {
    scene::Scene scene;
    std::vector<std::unique_ptr<scene::TreeNode>> nodes;
    std::vector<std::unique_ptr<scene::Material>> materials;
};

// The broadcast of a scene from rank 0 as one writes it by hand for MPI_COMM_WORLD: it knows what a scene consists of, down to the kinds of
// material. Arrays of triangles go in one piece; the tree goes node by node, its shape being told by flags. All ranks call it; the copy is
// empty on rank 0.

/// One MPI_Bcast for each node.
std::unique_ptr<OwnedScene> broadcastByHand(scene::Scene& original);

/// Packed by MPI_Pack into one buffer, whose size is counted in a first pass, and unpacked there.
std::unique_ptr<OwnedScene> broadcastPackedByHand(scene::Scene& original);

}    // namespace bench
