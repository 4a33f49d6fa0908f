#include <ferry/guard/meeting/Waiting.hpp>

#include <cstddef>

namespace ferry::pmpi {

namespace {

bool isUnderWay(MPI_Request request) {
    int isOver = 1;
    return request != MPI_REQUEST_NULL && PMPI_Request_get_status(request, &isOver, MPI_STATUS_IGNORE) == MPI_SUCCESS && isOver == 0;
}

}    // namespace

std::vector<std::optional<Operation>> pendingOf(const Waiting& waiting, const Requests& known) {
    std::vector<std::optional<Operation>> pending;
    if (waiting.requests.empty() || waiting.areTests) pending.assign(waiting.operations.begin(), waiting.operations.end());
    for (std::size_t i = 0; i < waiting.requests.size(); ++i) {
        if (!isUnderWay(waiting.requests[i])) continue;
        std::optional<Operation>& operation = pending.emplace_back();
        if (!waiting.operations.empty() && !waiting.areTests) {
            operation = waiting.operations[i];
        } else if (const Operation* found = known.find(waiting.requests[i])) {
            operation = *found;
        }
    }
    return pending;
}

}    // namespace ferry::pmpi
