#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/transport/Transport.hpp>

namespace ferry::detail {

/// The guarded regions that a rank is in, its logical time, and the letters that belong to failed regions. The class decides only, and
/// sends nothing.
///
/// All ranks enter the same regions in the same order. So a region has the same number on every rank. A rank in the agreement on region r
/// may already get letters of a rank that is past r. So the letters of r and of the regions inside it are known for certain only with the
/// verdict. The verdict says the last number that any rank has given a region: the letters are those of regions r to last.
class Regions {
public:
    explicit Regions(int rankCount) : heard_(static_cast<std::size_t>(rankCount)) {}

    /// The number of the innermost region; 0: the rank is in no region.
    std::int32_t innermost() const noexcept { return stack_.empty() ? 0 : stack_.back().number; }
    /// The last region number in use: of a region that this rank has entered, or that a verdict has named.
    std::int32_t last() const noexcept { return last_; }
    /// The logical time: later than the times of all packets that have arrived or were sent.
    const std::int32_t& clock() const noexcept { return clock_; }

    /// Notes that the innermost region now throws this exception, which was thrown elsewhere and handed on to this rank.
    void noteDue(const std::exception_ptr& exception);
    /// The logical time when the exception was thrown in the innermost region, as far as it was noted (hook, noteDue()). Otherwise the
    /// present time. An earlier time than enteredAt does not count.
    std::int32_t timeOf(const std::exception_ptr& exception, std::int32_t enteredAt) const;

    /// Sets region and clock of a packet that is about to be sent. A packet that is too short for an envelope is left alone.
    void stamp(IntBuffer& ints, std::int32_t region);
    /// Notes the logical time at which an arriving packet was sent. To be called for every packet that arrives.
    void noteArrival(int from, Channel channel, std::int32_t clock);
    /// Notes that the rank will send nothing more.
    void noteGone(int from) noexcept { heard_[static_cast<std::size_t>(from)].isGone = true; }
    /// Notes the new number of ranks.
    void admitJoined(int rankCount) { heard_.resize(static_cast<std::size_t>(rankCount)); }
    /// Whether all packets that the rank had sent up to that time have arrived, as far as later packets on both channels tell.
    bool hasHeardAfter(int from, std::int32_t clock) const noexcept;

    /// The state that is restored when a region of a mailbox around fails. The numbers of regions that were entered since are given again.
    /// Notices of other ranks about their regions are forgotten.
    struct State;
    State save() const;
    void restore(const State& state);

    void enter();
    /// Leaves the innermost region when it has not failed, or is inside a region that has failed.
    void leave() noexcept { stack_.pop_back(); }
    /// Leaves the innermost region after its failure.
    /// last: the last number that any rank has given a region. clock: a time after all letters of the region, and before all later ones.
    void leaveFailed(std::int32_t last, std::int32_t clock);

    /// Notes that a rank has failed in a region. This rank may be in that region, enter it later, or have left it.
    void noteFailure(std::int32_t region, int rank);
    bool hasAnyFailed() const noexcept { return hasInnermostFailed() || hasOuterFailed(); }
    bool hasInnermostFailed() const noexcept { return !stack_.empty() && stack_.back().isFailed; }
    /// The rank because of which the innermost region has failed: the first one that this rank heard of. -1: the region has not failed.
    int failedRank() const noexcept { return stack_.empty() ? -1 : stack_.back().failedRank; }
    /// Whether a region around the innermost one has failed.
    bool hasOuterFailed() const noexcept;
    /// Throws RegionFailed when one of the regions that this rank is in has failed.
    void throwIfFailed() const {
        if (!stack_.empty()) throwIfAnyFailed();
    }

    /// Whether an exception is leaving the innermost region. A call made then comes from a destructor.
    bool isUnwinding() const noexcept { return !stack_.empty() && std::uncaught_exceptions() > stack_.back().uncaughtAtEntry; }

    /// Whether the region has failed and was left, so that all its letters are dropped.
    bool isOver(std::int32_t region) const noexcept;
    /// The number of remembered ranges of failed regions.
    std::size_t rememberedRanges() const noexcept { return failed_.size(); }

private:
    void throwIfAnyFailed() const;
    struct Region {
        std::int32_t number = 0;
        int uncaughtAtEntry = 0;
        bool isFailed = false;
        int failedRank = -1;
        std::exception_ptr due{};    ///< the last exception that was handed on to this rank in the region
        std::int32_t dueAt = 0;      ///< logical time at which that exception was thrown on this rank
    };
    struct Notice {
        std::int32_t region = 0;
        int rank = -1;
    };
    /// A failed region and the regions inside it: the numbers from first to last.
    struct Range {
        std::int32_t first = 0;
        std::int32_t last = 0;
        std::int32_t clock = 0;    ///< a time after that of every letter of these regions
    };

    /// The logical times at which the last arrived packets of a rank were sent.
    struct Heard {
        std::int32_t onData = 0;
        std::int32_t onControl = 0;
        bool isGone = false;    ///< the rank sends nothing more
    };

    void skipTo(std::int32_t last);
    void forgetWhatIsIn();

    std::vector<Region> stack_;      ///< outermost first
    std::vector<Notice> notices_;    ///< failures in regions that this rank has not entered yet
    std::vector<Range> failed_;      ///< in ascending order
    std::vector<Heard> heard_;       ///< by rank
    std::int32_t last_ = 0;
    std::int32_t clock_ = 0;
};

struct Regions::State {
    std::vector<Range> failed;
    std::int32_t last = 0;
};

}    // namespace ferry::detail
