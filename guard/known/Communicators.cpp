#include <ferry/guard/known/Communicators.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

#include <ferry/guard/known/HostMemory.hpp>
#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/known/Turn.hpp>

namespace ferry::pmpi {

namespace {

constexpr int slotOfWorld = 0;
constexpr std::int32_t idsOfNumber = 64;

}    // namespace

Communicators& Communicators::ofProcess() {
    static Communicators& communicators = *new Communicators;
    return communicators;
}

void Communicators::add(MPI_Comm handle, std::int32_t parent) {
    if (handle == MPI_COMM_NULL) return;
    int isInter = 0;
    must(PMPI_Comm_test_inter(handle, &isInter), "MPI_Comm_test_inter");
    if (isInter != 0) return;
    std::array<std::int32_t, HostMemory::slotCount + 1> own{};    // the next number, then whether each slot is in use
    own[0] = nextNumber_;
    own[1 + slotOfWorld] = 1;
    // Another thread may add a communicator meanwhile: then both get no slot, and ids that differ by their parents.
    if (++addsUnderWay_ > 1) std::fill(own.begin() + 1, own.end(), 1);
    for (const auto& [id, communicator] : all_) {
        if (communicator.slot >= 0) own[1 + static_cast<std::size_t>(communicator.slot)] = 1;
    }
    auto all = own;
    {
        const Turn::Pause pause;
        must(PMPI_Allreduce(own.data(), all.data(), static_cast<int>(own.size()), MPI_INT32_T, MPI_MAX, handle), "MPI_Allreduce");
    }
    --addsUnderWay_;
    nextNumber_ = std::max(nextNumber_, all[0] + 1);
    const auto free = std::find(all.begin() + 1, all.end(), 0);
    insert(handle, all[0] * idsOfNumber + parent % idsOfNumber, free != all.end() ? static_cast<int>(free - all.begin()) - 1 : -1);
}

bool Communicators::isWithinWorld(MPI_Comm handle) {
    int isInter = 0;
    must(PMPI_Comm_test_inter(handle, &isInter), "MPI_Comm_test_inter");
    if (isInter != 0) return false;
    int size = 0;
    must(PMPI_Comm_size(handle, &size), "MPI_Comm_size");
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Group world = MPI_GROUP_NULL;
    must(PMPI_Comm_group(handle, &group), "MPI_Comm_group");
    must(PMPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
    MPI_Group common = MPI_GROUP_NULL;
    must(PMPI_Group_intersection(group, world, &common), "MPI_Group_intersection");
    int commonSize = 0;
    must(PMPI_Group_size(common, &commonSize), "MPI_Group_size");
    for (MPI_Group* one : {&group, &world, &common}) {
        if (*one != MPI_GROUP_EMPTY) must(PMPI_Group_free(one), "MPI_Group_free");
    }
    return commonSize == size;
}

int Communicators::rankInWorld(MPI_Comm handle, int rank) {
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Group world = MPI_GROUP_NULL;
    must(PMPI_Comm_group(handle, &group), "MPI_Comm_group");
    must(PMPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
    int found = MPI_UNDEFINED;
    must(PMPI_Group_translate_ranks(group, 1, &rank, world, &found), "MPI_Group_translate_ranks");
    for (MPI_Group* one : {&group, &world}) must(PMPI_Group_free(one), "MPI_Group_free");
    return found == MPI_UNDEFINED ? -1 : found;
}

void Communicators::remove(MPI_Comm handle) {
    const auto found = byHandle_.find(handle);
    if (found == byHandle_.end()) return;
    last_ = nullptr;
    // No rank reads the counters now. In a region the ranks have met, not by counters, before the communicator is freed. Outside there are
    // no barriers.
    if (found->second->slot >= 0) HostMemory::ofProcess().clear(found->second->slot);
    all_.erase(found->second->id);
    byHandle_.erase(found);
}

Communicator* Communicators::withId(std::int32_t id) {
    if (id == 0) return find(MPI_COMM_WORLD);    // known even if never used
    if (id == 1) return find(MPI_COMM_SELF);
    const auto found = all_.find(id);
    return found != all_.end() ? &found->second : nullptr;
}

Communicator* Communicators::look(MPI_Comm handle) {
    const auto found = byHandle_.find(handle);
    if (found != byHandle_.end()) return last_ = found->second;
    if (handle == MPI_COMM_WORLD) return insert(handle, 0, slotOfWorld);
    if (handle == MPI_COMM_SELF) return insert(handle, 1, -1);
    return nullptr;
}

Communicator* Communicators::insert(MPI_Comm handle, std::int32_t id, int slot) {
    Communicator& communicator = all_[id];
    communicator.handle = handle;
    communicator.id = id;
    communicator.slot = slot;
    must(PMPI_Comm_rank(handle, &communicator.rank), "MPI_Comm_rank");
    must(PMPI_Comm_size(handle, &communicator.size), "MPI_Comm_size");
    communicator.sentIn.assign(static_cast<std::size_t>(communicator.size), 0);
    byHandle_[handle] = &communicator;
    return last_ = &communicator;
}

}    // namespace ferry::pmpi
