#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include <ferry/guard/meeting/EntryTree.hpp>
#include <ferry/guard/meeting/HostPeers.hpp>
#include <ferry/guard/meeting/JoinedCalls.hpp>
#include <ferry/guard/meeting/RollCall.hpp>

namespace ferry::pmpi {

/// What the guard says on its own duplicate of a communicator: notices of failures, and the meeting at the end of a region.
///
/// A notice goes along the edges of a binary tree of the ranks; in a region that fails each rank sends exactly one to each of its
/// neighbours there, so that all can be received before the region is over. The receive for them is posted once for the life of the
/// channel: one that was cancelled at the end of a region could take the notice of a rank that fails at once in the next.
class Channel {
public:
    /// What all ranks know after a meeting.
    struct Verdict {
        bool hasFailed = false;    ///< some rank has
        bool hasFreed = false;     ///< some rank has freed communicators
    };

    /// The channel for a region of this communicator: another one than those of regions on it that this rank is in. Collective the first
    /// time.
    static Channel& of(MPI_Comm communicator);
    /// Ends those of the communicator before it is freed. Collective.
    static void close(MPI_Comm communicator);
    /// Before MPI_Finalize.
    static void closeAll();

    /// watchSeconds: what this rank wishes.
    Channel(MPI_Comm communicator, double watchSeconds);
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    MPI_Comm communicator() const noexcept { return communicator_; }
    /// The duplicate.
    MPI_Comm own() const noexcept { return own_; }
    int rank() const noexcept { return rank_; }
    int size() const noexcept { return size_; }
    /// Of no other channel of this process; from 1.
    std::uint32_t serial() const noexcept { return serial_; }

    void beginRegion();
    void endRegion() noexcept { isInRegion_ = false; }

    /// Takes in a notice that has come. Whether any has come in this region.
    bool look();
    /// A rank that has failed in this region; -1 while none is known, though it may be known that there is one.
    int failedRank() const noexcept { return failedRank_; }
    /// What it has thrown, as far as its notice said.
    const std::string& failedText() const noexcept { return failedText_; }
    /// Sends the notices of this rank, the first time in a region: a rank has failed, and what it has thrown, of which the beginning
    /// travels.
    void tell(int failedRank, const std::string& thrown);
    /// Until all neighbours have sent theirs, and have this rank's.
    void awaitNotices();

    /// This rank takes part in the meeting of the region, once. It waits for all others: hasMet().
    void startMeeting(Verdict own);
    bool hasMet();
    /// After hasMet().
    Verdict verdict() const noexcept { return {met_[0] != 0, met_[1] != 0}; }

    void barrier() const;

    /// How long a call may wait until it is talked of; 0: for ever. The same on all ranks: the largest one.
    double watchSeconds() const noexcept { return watchSeconds_; }
    RollCall& rollCall() const noexcept { return *rollCall_; }
    EntryTree& entryTree() const noexcept { return *entryTree_; }
    const HostPeers& hostPeers() const noexcept { return *hostPeers_; }
    JoinedCalls& joinedCalls() const noexcept { return *joinedCalls_; }

private:
    struct Notice {
        std::int32_t region = 0;    // its number
        std::int32_t failedRank = -1;
        std::array<char, 248> thrown{};    // up to its first zero
    };

    void postReceive();
    void take();
    void end();

    MPI_Comm communicator_;
    MPI_Comm own_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 0;
    std::uint32_t serial_;
    std::vector<int> neighbours_;
    std::int32_t number_ = 0;       // of the region; all ranks enter the same ones
    std::size_t heardCount_ = 0;    // notices in this region
    std::size_t earlyCount_ = 0;    // and in the next one, which neighbours may have entered before this rank
    int failedRank_ = -1;
    std::string failedText_;
    Notice early_;
    Notice arriving_{};
    Notice told_{};
    MPI_Request arrival_ = MPI_REQUEST_NULL;
    std::vector<MPI_Request> tellings_;
    MPI_Request meeting_ = MPI_REQUEST_NULL;
    std::array<int, 2> meant_{};
    std::array<int, 2> met_{};
    double watchSeconds_ = 0;
    std::unique_ptr<HostPeers> hostPeers_;
    std::unique_ptr<EntryTree> entryTree_;
    std::unique_ptr<RollCall> rollCall_;
    std::unique_ptr<JoinedCalls> joinedCalls_;
    bool isInRegion_ = false;
};

}    // namespace ferry::pmpi
