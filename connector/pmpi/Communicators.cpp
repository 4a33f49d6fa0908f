#include <ferry/connector/pmpi/Communicators.hpp>

#include <cstddef>

#include <ferry/connector/pmpi/MpiMust.hpp>

namespace ferry::pmpi {

Communicators& Communicators::ofProcess() {
    static Communicators communicators;
    return communicators;
}

void Communicators::add(MPI_Comm handle) {
    if (handle == MPI_COMM_NULL) return;
    int isInter = 0;
    must(PMPI_Comm_test_inter(handle, &isInter), "MPI_Comm_test_inter");
    if (isInter != 0) return;
    std::int32_t id = 0;
    must(PMPI_Allreduce(&nextId_, &id, 1, MPI_INT32_T, MPI_MAX, handle), "MPI_Allreduce");
    nextId_ = id + 1;
    insert(handle, id);
}

void Communicators::remove(MPI_Comm handle) {
    const auto found = byHandle_.find(handle);
    if (found == byHandle_.end()) return;
    last_ = nullptr;
    all_.erase(found->second->id);
    byHandle_.erase(found);
}

Communicator* Communicators::withId(std::int32_t id) {
    if (id == 0) return find(MPI_COMM_WORLD);    // known though never used
    if (id == 1) return find(MPI_COMM_SELF);
    const auto found = all_.find(id);
    return found != all_.end() ? &found->second : nullptr;
}

Communicator* Communicators::look(MPI_Comm handle) {
    const auto found = byHandle_.find(handle);
    if (found != byHandle_.end()) return last_ = found->second;
    if (handle == MPI_COMM_WORLD) return insert(handle, 0);
    if (handle == MPI_COMM_SELF) return insert(handle, 1);
    return nullptr;
}

Communicator* Communicators::insert(MPI_Comm handle, std::int32_t id) {
    Communicator& communicator = all_[id];
    communicator.handle = handle;
    communicator.id = id;
    must(PMPI_Comm_rank(handle, &communicator.rank), "MPI_Comm_rank");
    must(PMPI_Comm_size(handle, &communicator.size), "MPI_Comm_size");
    communicator.sentIn.assign(static_cast<std::size_t>(communicator.size), 0);
    byHandle_[handle] = &communicator;
    return last_ = &communicator;
}

}    // namespace ferry::pmpi
