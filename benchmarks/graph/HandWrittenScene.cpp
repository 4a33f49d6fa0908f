#include <ferry/benchmarks/graph/HandWrittenScene.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>

#include <mpi.h>

namespace bench {

namespace {

using scene::Chequered;
using scene::Material;
using scene::Matte;
using scene::Polished;
using scene::Scene;
using scene::TreeNode;

bool isRoot() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

/// The data of a node that travels. The flags say which children follow.
struct NodeRecord {
    scene::Box box;
    std::int32_t firstTriangle = 0;
    std::int32_t triangleCount = 0;
    std::int32_t hasLeft = 0;
    std::int32_t hasRight = 0;
};

/// The data of a material of any kind that travels. References are numbers of earlier materials.
struct MaterialRecord {
    enum Kind : std::int32_t { IsMatte, IsPolished, IsChequered };

    std::int32_t kind = IsMatte;
    std::array<std::int32_t, 2> references{};
    std::array<double, 3> numbers{};
};

// The four operations on each part of a scene. All of them visit the parts in the same order.

struct Bcast {
    void operator()(void* data, int bytes) const { MPI_Bcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD); }
};

struct CountBytes {
    void operator()(void*, int bytes) {
        int size = 0;
        MPI_Pack_size(bytes, MPI_BYTE, MPI_COMM_WORLD, &size);
        total += size;
    }
    int total = 0;
};

struct Pack {
    void operator()(void* data, int bytes) {
        MPI_Pack(data, bytes, MPI_BYTE, buffer.data(), static_cast<int>(buffer.size()), &position, MPI_COMM_WORLD);
    }
    std::vector<char>& buffer;
    int position = 0;
};

struct Unpack {
    void operator()(void* data, int bytes) {
        MPI_Unpack(buffer.data(), static_cast<int>(buffer.size()), &position, data, bytes, MPI_BYTE, MPI_COMM_WORLD);
    }
    const std::vector<char>& buffer;
    int position = 0;
};

/// Passes the parts of an existing scene to a transfer.
template <class Transfer>
class Sender {
public:
    Sender(Scene& original, Transfer& transfer) : original_(original), transfer_(transfer) {}

    void run() {
        array(original_.cameras);
        array(original_.lights);
        array(original_.triangles);
        std::vector<MaterialRecord> records;
        for (const Material* material : original_.materials) records.push_back(recordOf(*material));
        array(records);
        std::int32_t hasTree = original_.tree != nullptr;
        transfer_(&hasTree, sizeof(hasTree));
        if (hasTree != 0) tree(*original_.tree);
    }

private:
    template <class T>
    void array(std::vector<T>& values) {
        auto count = static_cast<std::int32_t>(values.size());
        transfer_(&count, sizeof(count));
        transfer_(values.data(), static_cast<int>(values.size() * sizeof(T)));
    }

    void tree(const TreeNode& node) {
        NodeRecord record{node.box, node.firstTriangle, node.triangleCount, node.left != nullptr, node.right != nullptr};
        transfer_(&record, sizeof(record));
        if (node.left != nullptr) tree(*node.left);
        if (node.right != nullptr) tree(*node.right);
    }

    MaterialRecord recordOf(const Material& material) const {
        if (const auto* matte = dynamic_cast<const Matte*>(&material))
            return {MaterialRecord::IsMatte, {}, {matte->colour.x, matte->colour.y, matte->colour.z}};
        if (const auto* polished = dynamic_cast<const Polished*>(&material))
            return {MaterialRecord::IsPolished, {numberOf(polished->below), 0}, {polished->mirror, 0, 0}};
        const auto& chequered = dynamic_cast<const Chequered&>(material);
        return {MaterialRecord::IsChequered, {numberOf(chequered.even), numberOf(chequered.odd)}, {chequered.fieldLength, 0, 0}};
    }

    std::int32_t numberOf(const Material* material) const {
        const auto& all = original_.materials;
        return static_cast<std::int32_t>(std::find(all.begin(), all.end(), material) - all.begin());
    }

    Scene& original_;
    Transfer& transfer_;
};

/// Makes a scene from the parts that a transfer delivers.
template <class Transfer>
class Receiver {
public:
    explicit Receiver(Transfer& transfer) : transfer_(transfer) {}

    std::unique_ptr<OwnedScene> run() {
        array(copy_->scene.cameras);
        array(copy_->scene.lights);
        array(copy_->scene.triangles);
        std::vector<MaterialRecord> records;
        array(records);
        for (const MaterialRecord& record : records) {
            copy_->materials.push_back(materialOf(record));
            copy_->scene.materials.push_back(copy_->materials.back().get());
        }
        std::int32_t hasTree = 0;
        transfer_(&hasTree, sizeof(hasTree));
        if (hasTree != 0) copy_->scene.tree = tree();
        return std::move(copy_);
    }

private:
    template <class T>
    void array(std::vector<T>& values) {
        std::int32_t count = 0;
        transfer_(&count, sizeof(count));
        values.resize(static_cast<std::size_t>(count));
        transfer_(values.data(), static_cast<int>(values.size() * sizeof(T)));
    }

    TreeNode* tree() {
        NodeRecord record;
        transfer_(&record, sizeof(record));
        copy_->nodes.push_back(std::make_unique<TreeNode>());
        TreeNode* node = copy_->nodes.back().get();
        node->box = record.box;
        node->firstTriangle = record.firstTriangle;
        node->triangleCount = record.triangleCount;
        if (record.hasLeft != 0) node->left = tree();
        if (record.hasRight != 0) node->right = tree();
        return node;
    }

    std::unique_ptr<Material> materialOf(const MaterialRecord& record) const {
        const auto& numbers = record.numbers;
        const auto material = [&](std::size_t i) { return copy_->scene.materials.at(static_cast<std::size_t>(record.references[i])); };
        switch (record.kind) {
            case MaterialRecord::IsMatte: return std::make_unique<Matte>(scene::Vector3{numbers[0], numbers[1], numbers[2]});
            case MaterialRecord::IsPolished: return std::make_unique<Polished>(material(0), numbers[0]);
            case MaterialRecord::IsChequered: return std::make_unique<Chequered>(material(0), material(1), numbers[0]);
            default: throw std::runtime_error("a material of no known kind");
        }
    }

    Transfer& transfer_;
    std::unique_ptr<OwnedScene> copy_ = std::make_unique<OwnedScene>();
};

template <class Transfer>
void sendParts(Scene& original, Transfer& transfer) {
    Sender<Transfer>(original, transfer).run();
}

template <class Transfer>
std::unique_ptr<OwnedScene> receiveParts(Transfer& transfer) {
    return Receiver<Transfer>(transfer).run();
}

}    // namespace

std::unique_ptr<OwnedScene> broadcastByHand(Scene& original) {
    Bcast transfer;
    if (!isRoot()) return receiveParts(transfer);
    sendParts(original, transfer);
    return nullptr;
}

std::unique_ptr<OwnedScene> broadcastPackedByHand(Scene& original) {
    std::vector<char> buffer;
    CountBytes count;
    if (isRoot()) {
        sendParts(original, count);
        buffer.resize(static_cast<std::size_t>(count.total));
        Pack pack{buffer};
        sendParts(original, pack);
    }
    MPI_Bcast(&count.total, 1, MPI_INT, 0, MPI_COMM_WORLD);
    buffer.resize(static_cast<std::size_t>(count.total));
    MPI_Bcast(buffer.data(), count.total, MPI_PACKED, 0, MPI_COMM_WORLD);
    if (isRoot()) return nullptr;
    Unpack unpack{buffer};
    return receiveParts(unpack);
}

}    // namespace bench
