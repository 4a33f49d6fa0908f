#include <ferry/guard/region/Quiescence.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <limits>
#include <optional>
#include <utility>

#include <sched.h>

#include <ferry/guard/known/IdLists.hpp>
#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/known/ReservedTags.hpp>
#include <ferry/guard/meeting/Membership.hpp>

namespace ferry::pmpi {

namespace {

constexpr int comparisonTag = 2;    // on the meeting place
constexpr std::chrono::seconds longestDrop{60};

/// Ends the job for a missing marker. A receive from any tag that was posted before the region may have taken it, and the later messages
/// are then unknown.
[[noreturn]] void abortForMarker() {
    std::fprintf(stderr,
                 "ferry: a guarded region cannot end: the marker behind its messages has not come within %d s. A receive from any tag, "
                 "posted before the region, may have taken the marker\n",
                 static_cast<int>(longestDrop.count()));
    abortJob(1);
}

}    // namespace

void Quiescence::reach() {
    takeReceivesBack();
    dropMatched();
    joinCalls();
    meetingPlace_.barrier();    // from here on no receive of the program can take a marker
    Communicators& communicators = Communicators::ofProcess();
    const auto isUsed = [this](const Communicator& communicator) { return communicator.usedIn >= serial_; };
    const IdLists used(meetingPlace_.own(), communicators.idsOf(isUsed));
    for (const std::int32_t id : used.all()) {
        Communicator* communicator = communicators.withId(id);
        if (communicator != nullptr && isWithin(*communicator, meetingPlace_)) settle(*communicator);
    }
    deferred_.finish();
    for (Requests::Entry& entry : requests_.all()) must(PMPI_Wait(&entry.request, MPI_STATUS_IGNORE), "MPI_Wait");
    requests_.clear();
    meetingPlace_.awaitNotices();
    meetingPlace_.barrier();    // from here on other ranks may send new messages
}

void Quiescence::takeReceivesBack() {
    const std::vector<Requests::Entry> entries = requests_.all();
    for (Requests::Entry entry : entries) {
        if (entry.operation.kind != RequestKind::Receive) continue;
        requests_.remove(entry.request);
        int isOver = 0;    // a persistent request may be inactive, and must then not be cancelled
        must(PMPI_Request_get_status(entry.request, &isOver, MPI_STATUS_IGNORE), "MPI_Request_get_status");
        if (isOver == 0) must(PMPI_Cancel(&entry.request), "MPI_Cancel");
        must(PMPI_Wait(&entry.request, MPI_STATUS_IGNORE), "MPI_Wait");    // already over, or matched and about to complete
    }
}

/// Joins calls that other ranks make. Ranks that found out before this point that they must make an interrupted call may still be in it.
/// The other ranks of its communicator make it, too.
void Quiescence::joinCalls() {
    JoinedCalls& joined = meetingPlace_.joinedCalls();
    int count = 0;
    MPI_Request counting = joined.startCount(&count);
    int isCounted = 0;
    for (int heardCount = 0; isCounted == 0 || heardCount < count;) {
        if (isCounted == 0) must(PMPI_Test(&counting, &isCounted, MPI_STATUS_IGNORE), "MPI_Test");
        const std::optional<JoinedCalls::Place> place = joined.next();
        if (!place) {
            sched_yield();
            continue;
        }
        ++heardCount;
        if (interrupted_ != nullptr) interrupted_->join(*place);
    }
}

/// Receives and drops the matched messages. Their senders may still be sending, and progress in the calls that they make here.
void Quiescence::dropMatched() {
    for (const MatchedMessage& matched : matched_.all()) discard(matched.message, matched.status);
    matched_.clear();
}

void Quiescence::settle(Communicator& communicator) {
    const Common common = compare(communicator);
    catchUp(communicator, common);
    completeAccesses(communicator, common);
    std::vector<int> hasSent(communicator.sentIn.size());
    std::transform(communicator.sentIn.begin(), communicator.sentIn.end(), hasSent.begin(),
                   [this](std::uint32_t region) { return region >= serial_ ? 1 : 0; });
    int markerCount = 0;
    must(PMPI_Reduce_scatter_block(hasSent.data(), &markerCount, 1, MPI_INT, MPI_SUM, communicator.handle), "MPI_Reduce_scatter_block");
    sendMarkers(communicator, hasSent);
    drop(communicator, markerCount);
    must(PMPI_Waitall(static_cast<int>(markers_.size()), markers_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    markers_.clear();
    endEpochs(communicator);
}

/// Ends the epochs of a window that have begun in the region. This rank also answers the posts for which it has not come to MPI_Win_start:
/// their ranks wait for that here.
void Quiescence::endEpochs(Communicator& communicator) {
    if (communicator.window == MPI_WIN_NULL) return;
    const auto isOfRegion = [this](const WindowEpoch& epoch) { return epoch.isOpen && epoch.begunIn >= serial_; };
    if (isOfRegion(communicator.access)) {
        must(PMPI_Win_complete(communicator.window), "MPI_Win_complete");
        communicator.access = {};
    }
    if (!unanswered_.empty()) {
        MPI_Group all = MPI_GROUP_NULL;
        MPI_Group targets = MPI_GROUP_NULL;
        must(PMPI_Win_get_group(communicator.window, &all), "MPI_Win_get_group");
        must(PMPI_Group_incl(all, static_cast<int>(unanswered_.size()), unanswered_.data(), &targets), "MPI_Group_incl");
        must(PMPI_Win_start(targets, 0, communicator.window), "MPI_Win_start");
        must(PMPI_Win_complete(communicator.window), "MPI_Win_complete");
        for (MPI_Group* group : {&all, &targets}) must(PMPI_Group_free(group), "MPI_Group_free");
        unanswered_.clear();
    }
    if (isOfRegion(communicator.exposure)) {
        must(PMPI_Win_wait(communicator.window), "MPI_Win_wait");
        communicator.exposure = {};
    }
}

/// The greatest values of the ranks, by dissemination on the meeting place. The communicator itself cannot be used: an abandoned barrier
/// and receives from any tag may be open on it.
template <std::size_t Count>
std::array<std::uint64_t, Count> Quiescence::greatest(const Communicator& communicator, std::array<std::uint64_t, Count> known) const {
    constexpr int valueCount = static_cast<int>(Count);
    const int size = communicator.size;
    for (int distance = 1; distance < size; distance *= 2) {
        const auto rankAt = [&](int rank) { return communicator.regionRanks[static_cast<std::size_t>((rank + size) % size)]; };
        std::array<std::uint64_t, Count> heard{};
        must(PMPI_Sendrecv(known.data(), valueCount, MPI_UINT64_T, rankAt(communicator.rank + distance), comparisonTag, heard.data(),
                           valueCount, MPI_UINT64_T, rankAt(communicator.rank - distance), comparisonTag, meetingPlace_.own(),
                           MPI_STATUS_IGNORE),
             "MPI_Sendrecv");
        std::transform(known.begin(), known.end(), heard.begin(), known.begin(),
                       [](std::uint64_t left, std::uint64_t right) { return std::max(left, right); });
    }
    return known;
}

Quiescence::Common Quiescence::compare(const Communicator& communicator) const {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    const auto known = greatest(
        communicator, std::array<std::uint64_t, 6>{communicator.entered, most - communicator.entered, deferred_.calledByAll(communicator),
                                                   most - deferred_.countOn(communicator), communicator.accessedIn >= serial_ ? 1U : 0U,
                                                   communicator.isInEpoch() ? 1U : 0U});
    return {most - known[1], known[0], known[2], most - known[3], known[4] != 0, known[5] != 0};
}

/// Whether the ranks agree on the non-blocking collectives to which all have come, and that no rank has made.
bool Quiescence::areDeferredEqual(const Communicator& communicator, const Common& common) const {
    if (common.leastDeferred <= common.madeDeferred) return false;    // there are none
    const std::uint64_t hash = deferred_.hashOf(communicator, common.madeDeferred, common.leastDeferred);
    const auto known = greatest(communicator, std::array<std::uint64_t, 2>{hash, ~hash});
    return known[0] == ~known[1];
}

/// Waits for the barrier. Meanwhile the sends of the other ranks progress.
void Quiescence::await(EntryBarrier& barrier) {
    while (!barrier.isOver()) {
        meetingPlace_.look();
        sched_yield();
    }
}

void Quiescence::catchUp(Communicator& communicator, const Common& common) {
    deferred_.makeUpTo(areDeferredEqual(communicator, common) ? common.leastDeferred : common.madeDeferred, communicator);
    if (interrupted_ != nullptr && interrupted_->communicator == &communicator && interrupted_->barrier.isUnderWay()) {
        if (common.leastEntered >= interrupted_->number) {    // other ranks may have gone on into the call itself
            await(interrupted_->barrier);
            const bool mayOthersBeThere = !interrupted_->needsAll && interrupted_->barrier.isAgreed();
            if (mayOthersBeThere) interrupted_->call();
        } else {
            barriers_.push_back(std::exchange(interrupted_->barrier, {}));
        }
    }
    for (; communicator.entered < common.mostEntered; ++communicator.entered) barriers_.push_back(EntryBarrier::ofNoCall(communicator));
    for (EntryBarrier& barrier : barriers_) await(barrier);
    barriers_.clear();
    communicator.arrivals.accept();    // no rank arrives at a further barrier before all have come to the next call of settle()
}

/// Completes accesses to the window, which may read and write memory that is gone when the stacks are unwound.
void Quiescence::completeAccesses(const Communicator& communicator, const Common& common) const {
    if (communicator.window == MPI_WIN_NULL || !common.haveAccessed || common.haveEpoch) return;
    must(PMPI_Win_fence(0, communicator.window), "MPI_Win_fence");
}

void Quiescence::sendMarkers(const Communicator& communicator, const std::vector<int>& hasSent) {
    for (int rank = 0; rank < communicator.size; ++rank) {
        if (hasSent[static_cast<std::size_t>(rank)] == 0) continue;
        must(PMPI_Isend(nullptr, 0, MPI_BYTE, rank - communicator.firstPeer, ReservedTags::marker(), communicator.traffic,
                        &markers_.emplace_back()),
             "MPI_Isend");
    }
}

/// Receives messages that other ranks have sent before their markers: messages between two ranks do not overtake each other.
void Quiescence::drop(const Communicator& communicator, int markerCount) {
    const auto until = std::chrono::steady_clock::now() + longestDrop;
    while (markerCount > 0) {
        int hasCome = 0;
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        must(PMPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator.traffic, &hasCome, &message, &status), "MPI_Improbe");
        if (hasCome == 0) {
            if (std::chrono::steady_clock::now() > until) abortForMarker();
            sched_yield();
            continue;
        }
        if (status.MPI_TAG == ReservedTags::marker()) --markerCount;
        if (status.MPI_TAG == ReservedTags::post() && communicator.window != MPI_WIN_NULL) unanswered_.push_back(status.MPI_SOURCE);
        discard(message, status);
    }
}

void Quiescence::discard(MPI_Message message, const MPI_Status& status) {
    constexpr MPI_Count blockBytes = MPI_Count{1} << 20;    // since MPI counts are ints
    MPI_Count byteCount = 0;
    must(PMPI_Get_elements_x(&status, MPI_BYTE, &byteCount), "MPI_Get_elements_x");
    const MPI_Count blockCount = (byteCount + blockBytes - 1) / blockBytes;
    const bool isLarge = byteCount > std::numeric_limits<int>::max();
    const MPI_Count roomBytes = isLarge ? blockCount * blockBytes : byteCount;
    if (scratch_.size() < static_cast<std::size_t>(roomBytes)) scratch_.resize(static_cast<std::size_t>(roomBytes));
    MPI_Datatype type = MPI_BYTE;
    if (isLarge) {
        must(PMPI_Type_contiguous(static_cast<int>(blockBytes), MPI_BYTE, &type), "MPI_Type_contiguous");
        must(PMPI_Type_commit(&type), "MPI_Type_commit");
    }
    must(PMPI_Mrecv(scratch_.data(), static_cast<int>(isLarge ? blockCount : byteCount), type, &message, MPI_STATUS_IGNORE), "MPI_Mrecv");
    if (isLarge) must(PMPI_Type_free(&type), "MPI_Type_free");
}

}    // namespace ferry::pmpi
