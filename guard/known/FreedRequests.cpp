#include <ferry/guard/known/FreedRequests.hpp>

#include <algorithm>

#include <ferry/guard/known/MpiMust.hpp>

namespace ferry::pmpi {

void FreedRequests::take(FreedRequests& other) {
    all_.insert(all_.end(), other.all_.begin(), other.all_.end());
    other.all_.clear();
}

/// Removes the requests that are over, and frees them. Returns their handles, which MPI may use again.
std::vector<MPI_Request> FreedRequests::takeOver() {
    const auto firstOver = std::partition(all_.begin(), all_.end(), [](const Freed& one) { return !isOver(one); });
    std::vector<MPI_Request> over;
    for (auto one = firstOver; one != all_.end(); ++one) {
        over.push_back(one->request);
        must(PMPI_Request_free(&one->request), "MPI_Request_free");
    }
    all_.erase(firstOver, all_.end());
    nextCount_ = std::max(leastCount, 2 * all_.size());
    return over;
}

void FreedRequests::freeAll() {
    for (Freed& one : all_) must(PMPI_Request_free(&one.request), "MPI_Request_free");
    all_.clear();
}

void FreedRequests::endAll() {
    std::erase_if(all_, [](const Freed& one) { return !one.isPersistent; });
    freeAll();
}

bool FreedRequests::isOver(const Freed& one) {
    int isOver = 0;
    must(PMPI_Request_get_status(one.request, &isOver, MPI_STATUS_IGNORE), "MPI_Request_get_status");
    return isOver != 0;
}

}    // namespace ferry::pmpi
