#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/message/state/StandstillReview.hpp>
#include <ferry/connector/message/state/StillnessReport.hpp>
#include <ferry/connector/transport/Transport.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/ints/durations.hpp>

namespace ferry::detail {

/// One rank's part in the search for deadlocks among the ranks of its mailbox: whether none of them can go on.
///
/// A rank stands still when nothing has happened in its wait for some time. The lowest rank that has not left makes inquiries when it
/// stands still itself. It asks all other ranks, and each of them answers when it stands still. Each rank is asked once and answers once.
/// So ranks that work, or have deadlines, are not disturbed. The asking rank gives the answers to its StandstillReview, and asks again
/// where the review needs it. At the end it tells every rank that all are stuck. Letters of kind Standstill are not counted, and do not end
/// a stillness.
///
/// Ranks that have left or are lost are not asked. Every report must say that no letter of them is taken any more: a rank that has not
/// heard of a loss may still go on. Ranks that join later reach rank 0 alone. Other ranks exchange no letters with them, and report no
/// counts.
///
/// Ownership: borrows its surroundings and the transport. Errors: SerializationError for damaged letters.
class Standstill {
public:
    using Clock = Transport::Clock;

    /// The mailbox around the search.
    class Surroundings {
    public:
        /// Whether no more letters of the rank will come.
        virtual bool hasLeft(int rank) const noexcept = 0;
        /// Sends a letter of the search on the control channel, and counts it nowhere. A lost rank gets no letter.
        virtual void sendOfSearch(int to, const Envelope& envelope, const std::function<void(IntWriter&)>& write) = 0;

    protected:
        ~Surroundings() = default;
    };

    /// The time without any event after which a rank stands still, where the program sets no other.
    static constexpr std::chrono::seconds usualQuietTime{1};

    /// isOfGroup: whether the ranks are those of a group, as the text of a Deadlock says.
    Standstill(Surroundings& surroundings, const Transport& transport, bool isOfGroup);
    Standstill(const Standstill&) = delete;
    Standstill& operator=(const Standstill&) = delete;

    /// The time without any event after which the rank stands still. Clock::duration::max(): this rank takes no part.
    void setQuietTime(Clock::duration time) noexcept { quietTime_ = time; }
    /// The quiet time of teams that are made later of ranks of this mailbox.
    void setQuietTimeOfTeams(Clock::duration time) noexcept { quietTimeOfTeams_ = time; }
    Clock::duration quietTimeOfTeams() const noexcept { return quietTimeOfTeams_; }
    /// The numbers of letters sent, by rank. restoreSent(), uncountTaken(): letters no longer count, because they were dropped on their
    /// way.
    const std::vector<std::uint64_t>& sentCounts() const noexcept { return sent_; }
    void restoreSent(const std::vector<std::uint64_t>& sent) noexcept;
    void uncountTaken(int from, std::uint64_t letters) noexcept;
    /// Sets the number of ranks after others have joined.
    void admitJoined(int rankCount);
    /// Notes that a rank is gone. So waits end that no letter ends, and ranks that were still may go on.
    void noteGone() noexcept { phase_ = Phase::Moving; }
    bool isOn() const noexcept { return quietTime_ != Clock::duration::max(); }

    // Notes of events: letters sent and taken, except those of kind Standstill, and the ends of waits.
    void noteSent(int to) noexcept {
        ++sent_[static_cast<std::size_t>(to)];
        phase_ = Phase::Moving;
    }
    void noteTaken(int from) noexcept {
        ++taken_[static_cast<std::size_t>(from)];
        phase_ = Phase::Moving;
    }
    void noteEndOfWait() noexcept {
        phase_ = Phase::Moving;
        lastOfEarlierWaits_ = own_.stillness;
        deadlock_.reset();
    }

    /// The number of letters to the rank, the next one included. After the greatest number it starts again from 0.
    std::int32_t countWithNextTo(int rank) const noexcept { return low(sent_[static_cast<std::size_t>(rank)] + 1); }
    /// Notes that a rank has left. sentCount: the number of letters that it had sent to this rank, its farewell included.
    void noteFarewell(int from, std::int32_t sentCount) { sentByThoseWhoLeft_[from] = sentCount; }
    /// Whether all letters of a rank that has left were taken, on both channels.
    bool hasAllOf(int rankThatLeft) const;

    /// To be called in a wait that finds nothing. Returns the time of the next call. time_point::max() when this rank takes no part; a loss
    /// may have caused that since the wait began.
    Clock::time_point look(Waiter waiter, const std::function<Awaited()>& describe);

    /// Handles a letter of kind Standstill.
    void handle(const Letter& letter);

    /// Throws Deadlock when all ranks are stuck, and that must end the wait of this rank.
    void throwIfStuck() {
        if (deadlock_) throwDeadlock();
    }

private:
    enum class Phase { Moving, Quiet, Still };

    static std::int32_t low(std::uint64_t count) noexcept { return static_cast<std::int32_t>(static_cast<std::uint32_t>(count)); }

    void standStill(Waiter waiter, const std::function<Awaited()>& describe);
    bool isFirst() const noexcept;
    void ask();
    void answer(int asker, std::int32_t inquiry);
    void judge();
    void tellAll();
    void end(const std::vector<StuckRank>& ranks, bool areCallsAmongThem);
    void postponeNextInquiry();
    void send(int to, std::int32_t key, std::int32_t number, const std::function<void(IntWriter&)>& write);
    [[noreturn]] void throwDeadlock();

    Surroundings& surroundings_;
    const Transport& transport_;
    const bool isOfGroup_;
    Clock::duration quietTime_ = Clock::duration::max();
    Clock::duration quietTimeOfTeams_ = usualQuietTime;
    std::vector<std::uint64_t> sent_;     ///< by rank
    std::vector<std::uint64_t> taken_;    ///< by rank
    std::map<int, std::int32_t> sentByThoseWhoLeft_;

    Phase phase_ = Phase::Moving;
    Clock::time_point quietSince_{};
    StillnessReport own_;                    ///< report on the last stillness
    std::int32_t lastOfEarlierWaits_ = 0;    ///< the number of the last stillness before this wait
    std::optional<Deadlock> deadlock_;

    std::map<int, std::int32_t> asked_;    ///< unanswered inquiries, by the rank that asks

    // State of the rank that asks.
    StandstillReview review_;
    std::int32_t inquiry_ = 0;
    Clock::time_point nextInquiry_ = Clock::time_point::max();
    Clock::duration pause_{};    ///< the time between the next inquiry and the one after it
};

}    // namespace ferry::detail
