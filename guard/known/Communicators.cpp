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

void freeGroup(MPI_Group group) {
    if (group != MPI_GROUP_EMPTY) must(PMPI_Group_free(&group), "MPI_Group_free");
}

/// Whether all processes of the group are in MPI_COMM_WORLD. Frees the group.
bool isInWorld(MPI_Group group) {
    MPI_Group world = MPI_GROUP_NULL;
    must(PMPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
    MPI_Group common = MPI_GROUP_NULL;
    must(PMPI_Group_intersection(group, world, &common), "MPI_Group_intersection");
    int size = 0;
    int commonSize = 0;
    must(PMPI_Group_size(group, &size), "MPI_Group_size");
    must(PMPI_Group_size(common, &commonSize), "MPI_Group_size");
    for (const MPI_Group one : {group, world, common}) freeGroup(one);
    return commonSize == size;
}

/// The ranks of the other group of an intercommunicator in the communicator that has both groups: they follow each other.
int firstPeerOf(MPI_Comm intercommunicator, MPI_Comm both) {
    MPI_Group remote = MPI_GROUP_NULL;
    MPI_Group all = MPI_GROUP_NULL;
    must(PMPI_Comm_remote_group(intercommunicator, &remote), "MPI_Comm_remote_group");
    must(PMPI_Comm_group(both, &all), "MPI_Comm_group");
    const int first = 0;
    int found = 0;
    must(PMPI_Group_translate_ranks(remote, 1, &first, all, &found), "MPI_Group_translate_ranks");
    for (const MPI_Group one : {remote, all}) freeGroup(one);
    return found;
}

}    // namespace

Communicators& Communicators::ofProcess() {
    static Communicators& communicators = *new Communicators;
    return communicators;
}

void Communicators::add(MPI_Comm handle, std::int32_t parent) {
    if (handle == MPI_COMM_NULL) return;
    int isInter = 0;
    must(PMPI_Comm_test_inter(handle, &isInter), "MPI_Comm_test_inter");
    const MPI_Comm traffic = handle;
    if (isInter != 0) {
        if (!isWithinWorld(traffic)) return;
        const Turn::Pause pause;
        must(PMPI_Intercomm_merge(traffic, 0, &handle), "MPI_Intercomm_merge");
    }
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
    insert(traffic, handle, all[0] * idsOfNumber + parent % idsOfNumber, free != all.end() ? static_cast<int>(free - all.begin()) - 1 : -1);
}

std::int32_t Communicators::idFor(std::int32_t number, std::uint64_t part) {
    nextNumber_ = std::max(nextNumber_, number + 1);
    return number * idsOfNumber + 1 + static_cast<std::int32_t>(part % (idsOfNumber - 1));
}

bool Communicators::reserve(std::int32_t id) { return all_.count(id) == 0 && reserved_.insert(id).second; }

void Communicators::addReserved(MPI_Comm handle, MPI_Comm meeting, std::int32_t id, bool haveAll) {
    reserved_.erase(id);
    if (haveAll) insert(handle, meeting, id, -1);
}

bool Communicators::isWithinWorld(MPI_Comm handle) {
    int isInitialized = 0;
    must(PMPI_Initialized(&isInitialized), "MPI_Initialized");
    if (isInitialized == 0) return false;    // there are only Sessions
    int isInter = 0;
    must(PMPI_Comm_test_inter(handle, &isInter), "MPI_Comm_test_inter");
    MPI_Group group = MPI_GROUP_NULL;
    must(PMPI_Comm_group(handle, &group), "MPI_Comm_group");
    if (!isInWorld(group)) return false;
    if (isInter == 0) return true;
    must(PMPI_Comm_remote_group(handle, &group), "MPI_Comm_remote_group");
    return isInWorld(group);
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

void Communicators::noteForeign(MPI_Comm handle) {
    if (handle == MPI_COMM_NULL) return;
    foreign_.insert(handle);
    hasForeign_ = true;
}

void Communicators::remove(MPI_Comm handle) {
    foreign_.erase(handle);
    const auto found = byHandle_.find(handle);
    if (found == byHandle_.end()) return;
    last_ = nullptr;
    // No rank reads the counters now. In a region the ranks have met, not by counters, before the communicator is freed. Outside there are
    // no barriers.
    if (found->second->slot >= 0) HostMemory::ofProcess().clear(found->second->slot);
    if (found->second->isInter()) must(PMPI_Comm_free(&found->second->handle), "MPI_Comm_free");
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
    if (handle == MPI_COMM_WORLD) return insert(handle, handle, 0, slotOfWorld);
    if (handle == MPI_COMM_SELF) return insert(handle, handle, 1, -1);
    return nullptr;
}

Communicator* Communicators::insert(MPI_Comm traffic, MPI_Comm handle, std::int32_t id, int slot) {
    Communicator& communicator = all_[id];
    communicator.handle = handle;
    communicator.traffic = traffic;
    communicator.id = id;
    communicator.slot = slot;
    must(PMPI_Comm_rank(handle, &communicator.rank), "MPI_Comm_rank");
    must(PMPI_Comm_size(handle, &communicator.size), "MPI_Comm_size");
    communicator.peerCount = communicator.size;
    if (communicator.isInter()) {
        must(PMPI_Comm_remote_size(traffic, &communicator.peerCount), "MPI_Comm_remote_size");
        communicator.firstPeer = firstPeerOf(traffic, handle);
    }
    communicator.sentIn.assign(static_cast<std::size_t>(communicator.size), 0);
    byHandle_[traffic] = &communicator;
    return last_ = &communicator;
}

}    // namespace ferry::pmpi
