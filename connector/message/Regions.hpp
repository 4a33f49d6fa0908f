#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include <ferry/connector/message/Envelope.hpp>
#include <ferry/connector/transport/Transport.hpp>

namespace ferry {

/// Whether one number comes before another, where numbers go on from the start after the last one: for regions and logical times.
constexpr bool comesBefore(std::int32_t number, std::int32_t other) noexcept {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(number) - static_cast<std::uint32_t>(other)) < 0;
}

/// The guarded regions that a rank is in, its logical time, and which letters belong to regions that have failed. Decides, and moves
/// nothing.
///
/// All ranks enter the same regions in the same order, so that each has the same number everywhere. A rank that is in the agreement on
/// region r may hear from one that is past it already; so what belongs to r and the regions inside it is known for certain with the
/// verdict, which says the last number that any rank has given away: r to last.
class Regions {
public:
    explicit Regions(int rankCount) : heard_(static_cast<std::size_t>(rankCount)) {}

    /// The number of the innermost region; 0: in none.
    std::int32_t innermost() const noexcept { return stack_.empty() ? 0 : stack_.back().number; }
    /// The number that was given away last.
    std::int32_t last() const noexcept { return last_; }
    /// The logical time: later than that of everything which has arrived and was sent.
    const std::int32_t& clock() const noexcept { return clock_; }

    /// Notes that the innermost region now meets this exception, which was thrown elsewhere and handed on to this rank.
    void noteDue(const std::exception_ptr& exception);
    /// When the exception was thrown in the innermost region, as far as it was noted (hook, noteDue()); else now. Not before enteredAt.
    std::int32_t timeOf(const std::exception_ptr& exception, std::int32_t enteredAt) const;

    /// Sets region and clock of a packet that is about to be sent; one that is too short for an envelope is left alone.
    void stamp(IntBuffer& ints, std::int32_t region);
    /// Notes when a packet was sent. Every one that arrives comes by here.
    void noteArrival(int from, Channel channel, std::int32_t clock);
    /// The rank sends nothing any more.
    void noteGone(int from);
    /// There are so many ranks now.
    void admitJoined(int rankCount) { heard_.resize(static_cast<std::size_t>(rankCount)); }
    /// Whether all that the rank had sent up to that time has arrived, as far as later packets on both channels tell.
    bool hasHeardAfter(int from, std::int32_t clock) const noexcept;

    /// The state that comes back when a region of a mailbox around fails. The numbers given away in that region are given away again, and
    /// the reports of other ranks on their regions are forgotten.
    struct State;
    State save() const;
    void restore(const State& state);

    void enter();
    /// Leaves the innermost region, which has not failed, or is inside of one that has.
    void leave() noexcept { stack_.pop_back(); }
    /// Leaves the innermost region after its failure.
    /// last: the last number that any rank had given away. clock: a time after all letters of the region, and before all later ones.
    void leaveFailed(std::int32_t last, std::int32_t clock);

    /// A rank has failed in a region, which this rank may be in, enter later, or have left.
    void noteFailure(std::int32_t region, int rank);
    bool hasAnyFailed() const noexcept { return hasInnermostFailed() || hasOuterFailed(); }
    bool hasInnermostFailed() const noexcept { return !stack_.empty() && stack_.back().isFailed; }
    /// The rank because of which the innermost region has failed, as this rank heard first; -1: it has not failed.
    int failedRank() const noexcept { return stack_.empty() ? -1 : stack_.back().failedRank; }
    /// Whether one around the innermost region has failed.
    bool hasOuterFailed() const noexcept;
    /// Throws RegionFailed when one of the regions that this rank is in has failed.
    void throwIfFailed() const {
        if (!stack_.empty()) throwIfAnyFailed();
    }

    /// Whether an exception is on its way out of the innermost region, so that a destructor calls.
    bool isUnwinding() const noexcept { return !stack_.empty() && std::uncaught_exceptions() > stack_.back().uncaughtAtEntry; }

    /// Whether the region has failed, and everything that was sent in it is to be dropped.
    bool isOver(std::int32_t region) const noexcept;
    /// How many ranges of failed regions are remembered.
    std::size_t rememberedRanges() const noexcept { return failed_.size(); }

private:
    void throwIfAnyFailed() const;
    struct Region {
        std::int32_t number = 0;
        int uncaughtAtEntry = 0;
        bool isFailed = false;
        int failedRank = -1;
        std::exception_ptr due{};    ///< the last one that was handed on to this rank, and
        std::int32_t dueAt = 0;      ///< when
    };
    struct Notice {
        std::int32_t region = 0;
        int rank = -1;
    };
    /// Regions that have failed, those inside others with them.
    struct Range {
        std::int32_t first = 0;
        std::int32_t last = 0;
        std::int32_t clock = 0;    ///< every letter of these regions was sent before
    };

    /// When the last packets that came were sent.
    struct Heard {
        std::int32_t onData = 0;
        std::int32_t onControl = 0;
    };

    void skipTo(std::int32_t last);
    void forgetWhatIsIn();

    std::vector<Region> stack_;      ///< outermost first
    std::vector<Notice> notices_;    ///< of regions that this rank has not entered yet
    std::vector<Range> failed_;      ///< in ascending order
    std::vector<Heard> heard_;       ///< by rank
    std::vector<int> gone_;
    std::int32_t last_ = 0;
    std::int32_t clock_ = 0;
};

struct Regions::State {
    std::vector<Range> failed;
    std::int32_t last = 0;
};

}    // namespace ferry
