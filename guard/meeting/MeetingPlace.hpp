#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include <ferry/guard/meeting/Census.hpp>
#include <ferry/guard/meeting/EntryTree.hpp>
#include <ferry/guard/meeting/HostPeers.hpp>
#include <ferry/guard/meeting/JoinedCalls.hpp>
#include <ferry/guard/meeting/RollCall.hpp>

namespace ferry::pmpi {

/// The guard's messages on its own duplicate of a communicator: notices of failures, and the meeting at the end of a region.
///
/// Notices travel along the edges of a binary tree of the ranks. In a failing region each rank sends exactly one notice to each of its
/// neighbours in the tree, so that all notices can be received before the region is over. The receive for notices is posted once for the
/// life of the meeting place. A receive that was cancelled at the end of a region could take the notice of a rank that fails at once in the
/// next region.
class MeetingPlace {
public:
    /// The result of a meeting, known to all ranks.
    struct Verdict {
        bool hasFailed = false;            ///< some rank has failed
        bool hasFreed = false;             ///< some rank has freed communicators
        bool haveThreadsMet = false;       ///< two threads of some rank are in calls of MPI at the same time, and some rank has failed
        bool haveCallsDiffered = false;    ///< some ranks have come to collective calls that differ
        bool hasStoodStill = false;        ///< some rank has found out that no rank can go on
    };

    /// The meeting place for a region of this communicator. Nested regions on one communicator have different meeting places. Collective at
    /// the first call.
    static MeetingPlace& of(MPI_Comm communicator);
    /// Ends the meeting places of a communicator, before it is freed. Collective.
    static void close(MPI_Comm communicator);
    /// Ends all meeting places, before MPI_Finalize.
    static void closeAll();

    /// watchSeconds: the time that this rank wishes for watchSeconds().
    MeetingPlace(MPI_Comm communicator, double watchSeconds);
    MeetingPlace(const MeetingPlace&) = delete;
    MeetingPlace& operator=(const MeetingPlace&) = delete;

    MPI_Comm communicator() const noexcept { return communicator_; }
    /// The meeting place's duplicate of the communicator.
    MPI_Comm own() const noexcept { return own_; }
    int rank() const noexcept { return rank_; }
    int size() const noexcept { return size_; }
    /// A number that no other meeting place of this process has, from 1.
    std::uint32_t serial() const noexcept { return serial_; }

    void beginRegion();
    void endRegion() noexcept { isInRegion_ = false; }

    /// Takes in notices that have arrived. Returns whether any notice has come in this region.
    bool look();
    /// A rank that has failed in this region; -1: none is known. A failure may be known before its rank is.
    int failedRank() const noexcept { return failedRank_; }
    /// The text of that rank's exception, as far as its notice holds it.
    const std::string& failedText() const noexcept { return failedText_; }
    /// Sends the notices of this rank; further calls in the same region do nothing. failedRank: the rank that has failed. thrown: the text
    /// of its exception, whose beginning travels.
    void tell(int failedRank, const std::string& thrown);
    /// Replaces the failure that is known here by one that all ranks have found out together.
    void setFailed(int failedRank, const std::string& thrown) {
        failedRank_ = failedRank;
        failedText_ = thrown;
    }
    /// Waits until all neighbours have sent their notices and have received this rank's.
    void awaitNotices();

    /// Takes part in the meeting of the region, once, without a wait. hasMet(): all ranks take part.
    void startMeeting(Verdict own);
    bool hasMet();
    /// The result of the meeting; valid after hasMet().
    Verdict verdict() const noexcept { return {met_[0] != 0, met_[1] != 0, met_[2] != 0, met_[3] != 0, met_[4] != 0}; }

    void barrier() const;

    /// Time after which a waiting call is reported, in seconds; 0: never. All ranks use the largest value of any rank.
    double watchSeconds() const noexcept { return watchSeconds_; }
    /// Whether some rank may call MPI by several threads (Turn).
    bool mayThreadsMeet() const noexcept { return mayThreadsMeet_; }
    Census& census() const noexcept { return *census_; }
    RollCall& rollCall() const noexcept { return *rollCall_; }
    EntryTree& entryTree() const noexcept { return *entryTree_; }
    const HostPeers& hostPeers() const noexcept { return *hostPeers_; }
    JoinedCalls& joinedCalls() const noexcept { return *joinedCalls_; }

private:
    struct Notice {
        std::int32_t region = 0;    // number of the region
        std::int32_t failedRank = -1;
        std::array<char, 248> thrown{};    // text up to the first zero
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
    std::int32_t number_ = 0;       // number of the region; all ranks enter the same regions
    std::size_t heardCount_ = 0;    // notices in this region
    std::size_t earlyCount_ = 0;    // notices of the next region, which neighbours may have entered before this rank
    int failedRank_ = -1;
    std::string failedText_;
    Notice early_;
    Notice arriving_{};
    Notice told_{};
    MPI_Request arrival_ = MPI_REQUEST_NULL;
    std::vector<MPI_Request> tellings_;
    MPI_Request meeting_ = MPI_REQUEST_NULL;
    std::array<int, 5> meant_{};
    std::array<int, 5> met_{};
    double watchSeconds_ = 0;
    bool mayThreadsMeet_ = false;
    std::unique_ptr<HostPeers> hostPeers_;
    std::unique_ptr<EntryTree> entryTree_;
    std::unique_ptr<RollCall> rollCall_;
    std::unique_ptr<JoinedCalls> joinedCalls_;
    std::unique_ptr<Census> census_;
    bool isInRegion_ = false;
};

}    // namespace ferry::pmpi
