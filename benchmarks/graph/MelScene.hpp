#pragma once

// For users who have MEL (-DFERRY_MEL_INCLUDE=...). MEL is not part of Ferry.

#include <deque>
#include <memory>
#include <vector>

#include <MEL.hpp>
#include <MEL_deepcopy.hpp>

#include <ferry/examples/scene/Scene.hpp>

namespace bench {

/// The scene in the form that MEL requires. The materials are missing, because MEL cannot send polymorphic objects.
struct MelScene {
    struct Node {
        scene::Box box;
        std::int32_t firstTriangle = 0;
        std::int32_t triangleCount = 0;
        Node* left = nullptr;
        Node* right = nullptr;

        template <class Message>
        void DeepCopy(Message& message) {    // NOLINT: the name is MEL's
            message.packPtr(left);
            message.packPtr(right);
        }
    };

    std::vector<scene::Camera> cameras;
    std::vector<scene::Light> lights;
    std::vector<scene::Triangle> triangles;
    Node* tree = nullptr;

    template <class Message>
    void DeepCopy(Message& message) {    // NOLINT: the name is MEL's
        message& cameras;
        message& lights;
        message& triangles;
        message.packPtr(tree);
    }
};

/// Destroys a scene that MEL has made.
struct DestructMelScene {
    void operator()(MelScene* copy) const {
        std::vector<MelScene::Node*> pending{copy->tree};
        while (!pending.empty()) {
            MelScene::Node* node = pending.back();
            pending.pop_back();
            if (node == nullptr) continue;
            pending.push_back(node->left);
            pending.push_back(node->right);
            MEL::MemDestruct(node);
        }
        MEL::MemDestruct(copy);
    }
};

/// Broadcasts a scene from rank 0 with MEL.
class MelSceneBroadcast {
public:
    using Copy = std::unique_ptr<MelScene, DestructMelScene>;

    explicit MelSceneBroadcast(const scene::Scene& original) {
        original_.cameras = original.cameras;
        original_.lights = original.lights;
        original_.triangles = original.triangles;
        original_.tree = convert(original.tree);
    }
    MelSceneBroadcast(const MelSceneBroadcast&) = delete;
    MelSceneBroadcast& operator=(const MelSceneBroadcast&) = delete;

    Copy broadcast(bool isRoot) {
        MelScene* pointer = isRoot ? &original_ : nullptr;
        MEL::Deep::Bcast(pointer, 0, MEL::Comm(MPI_COMM_WORLD));
        return Copy(isRoot ? nullptr : pointer);
    }
    Copy broadcastBuffered(bool isRoot) {
        MelScene* pointer = isRoot ? &original_ : nullptr;
        MEL::Deep::BufferedBcast(pointer, 0, MEL::Comm(MPI_COMM_WORLD));
        return Copy(isRoot ? nullptr : pointer);
    }

private:
    MelScene::Node* convert(const scene::TreeNode* node) {
        if (node == nullptr) return nullptr;
        MelScene::Node& copy = nodes_.emplace_back();
        copy.box = node->box;
        copy.firstTriangle = node->firstTriangle;
        copy.triangleCount = node->triangleCount;
        copy.left = convert(node->left);
        copy.right = convert(node->right);
        return &copy;
    }

    std::deque<MelScene::Node> nodes_;
    MelScene original_;
};

}    // namespace bench
