#include <ferry/guard/known/PersistentRequests.hpp>

namespace ferry::pmpi {

PersistentRequests& PersistentRequests::ofProcess() {
    static PersistentRequests& requests = *new PersistentRequests;    // never destroyed: see Communicators
    return requests;
}

void PersistentRequests::rename(MPI_Request before, MPI_Request now) {
    const auto found = all_.find(before);
    if (found == all_.end()) return;
    const PersistentRequest persistent = found->second;
    all_.erase(found);
    add(now, persistent);
}

}    // namespace ferry::pmpi
