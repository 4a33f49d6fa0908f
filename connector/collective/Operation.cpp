#include <ferry/connector/collective/Operation.hpp>

#include <fmt/format.h>

namespace ferry {

std::string describeCall(std::int32_t key) {
    const std::int32_t root = key >> 8;
    switch (static_cast<Operation>(key & 255)) {
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
        case Operation::Ordered: return "ordered";
        case Operation::ReproducibleReduce: return fmt::format("reproducibleReduce to rank {}", root);
        case Operation::ReproducibleAllReduce: return "reproducibleAllReduce";
        case Operation::GridAllToAll: return "gridAllToAll";
    }
    return fmt::format("an unknown collective ({})", key);
}

}    // namespace ferry
