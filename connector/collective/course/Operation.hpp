#pragma once

#include <cstdint>
#include <string>

namespace ferry::detail {

/// The collective that a step belongs to. The numbers travel between ranks and are frozen: docs/wire-format.md.
enum class Operation : std::int32_t {
    Barrier = 1,
    Broadcast = 2,
    Gather = 3,
    GraphBroadcast = 4,
    Reduce = 5,
    AllReduce = 6,
    Scan = 7,
    AllGather = 8,
    Scatter = 9,
    AllToAll = 10,
    SparseAllToAll = 11,
    ExclusiveScan = 32,
    ReduceScatter = 33,
    NeighbourAllGather = 34,
    NeighbourAllToAll = 35,
    Ordered = 64,
    ReproducibleReduce = 65,
    ReproducibleAllReduce = 66,
    GridAllToAll = 67,
    Split = 68,
    Neighbourhood = 69,
};

/// The started form of a collective, which goes on in the background. Its steps have numbers of their own, since the two forms do not fit
/// together.
constexpr Operation started(Operation operation) noexcept {
    constexpr std::int32_t inBackground = 128;
    return static_cast<Operation>(static_cast<std::int32_t>(operation) | inBackground);
}

/// The key of a step, made of the operation and the root (0 where there is none).
constexpr std::int32_t keyOf(Operation operation, int root) noexcept { return static_cast<std::int32_t>(operation) + root * 256; }

/// The call in words, such as "broadcast from rank 0".
std::string describeCall(std::int32_t key);

}    // namespace ferry::detail
