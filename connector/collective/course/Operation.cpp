#include <ferry/connector/collective/course/Operation.hpp>

#include <fmt/format.h>

namespace ferry::detail {

namespace {

std::string describe(Operation operation, std::int32_t root) {
    switch (operation) {
        case Operation::Barrier: return "barrier";
        case Operation::Broadcast: return fmt::format("broadcast from rank {}", root);
        case Operation::Gather: return fmt::format("gather to rank {}", root);
        case Operation::GraphBroadcast: return fmt::format("broadcastGraph from rank {}", root);
        case Operation::Reduce: return fmt::format("reduce to rank {}", root);
        case Operation::AllReduce: return "allReduce";
        case Operation::Scan: return "scan";
        case Operation::AllGather: return "allGather";
        case Operation::Scatter: return fmt::format("scatter from rank {}", root);
        case Operation::AllToAll: return "allToAll";
        case Operation::SparseAllToAll: return "sparseAllToAll";
        case Operation::ExclusiveScan: return "exclusiveScan";
        case Operation::ReduceScatter: return "reduceScatter";
        case Operation::NeighbourAllGather: return "allGather of a neighbourhood";
        case Operation::NeighbourAllToAll: return "allToAll of a neighbourhood";
        case Operation::Ordered: return "ordered";
        case Operation::ReproducibleReduce: return fmt::format("reproducibleReduce to rank {}", root);
        case Operation::ReproducibleAllReduce: return "reproducibleAllReduce";
        case Operation::GridAllToAll: return "gridAllToAll";
        case Operation::Split: return "split";
        case Operation::Neighbourhood: return "making of a neighbourhood";
    }
    return "";
}

}    // namespace

std::string describeCall(std::int32_t key) {
    constexpr std::int32_t inBackground = 128;
    const bool isStarted = (key & inBackground) != 0;
    const std::string call = describe(static_cast<Operation>(key & (inBackground - 1)), key >> 8);
    if (call.empty()) return fmt::format("an unknown collective ({})", key);
    return isStarted ? "started " + call : call;
}

}    // namespace ferry::detail
