#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/message/Envelope.hpp>
#include <ferry/connector/message/StandstillReview.hpp>
#include <ferry/connector/message/StillnessReport.hpp>
#include <ferry/connector/transport/Transport.hpp>

namespace ferry {

class Mailbox;

/// One rank's part in finding out that no rank can go on.
///
/// A rank in whose wait nothing has happened for some time stands still. The lowest rank that has not left asks all others, when it stands
/// still itself, and they answer when they do: each is asked once and answers once, so that ranks that work, or have deadlines, are not
/// disturbed. It passes the answers to its StandstillReview, and asks again as that demands; at the end it tells every rank that all are
/// stuck. Letters of this kind are not counted, and are no reason to go on.
///
/// Ownership: borrows the mailbox, whose part it is. Errors: SerializationError for letters that are damaged.
class Standstill {
public:
    using Clock = Transport::Clock;

    Standstill(Mailbox& mailbox, int rankCount);
    Standstill(const Standstill&) = delete;
    Standstill& operator=(const Standstill&) = delete;

    /// How long nothing has to happen; Clock::duration::max(): this rank takes no part.
    void setQuietTime(Clock::duration time) noexcept {
        if (takesPart_) quietTime_ = time;
    }
    /// From now on this rank takes no part, and there are so many ranks.
    void leaveOut(int rankCount);
    bool isOn() const noexcept { return quietTime_ != Clock::duration::max(); }

    // Events: every letter but those of this class, and the ends of waits.
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

    /// How many letters this rank will have sent to the other one with the next; from 0 again after the last number.
    std::int32_t countWithNextTo(int rank) const noexcept { return low(sent_[static_cast<std::size_t>(rank)] + 1); }
    /// Notes that a rank has left. sentCount: the letters that it had sent to this rank, its farewell included.
    void noteFarewell(int from, std::int32_t sentCount) { sentByThoseWhoLeft_[from] = sentCount; }
    /// Whether all that a rank has sent which has left, on both channels, has been taken.
    bool hasAllOf(int rankThatLeft) const;

    /// To be called in a wait that finds nothing. Returns the time at which to look again; time_point::max() when this rank takes no part,
    /// which a loss may have brought about since the wait began.
    Clock::time_point look(Waiter waiter, const std::function<Awaited()>& describe);

    /// A letter of the kind Standstill.
    void handle(const Letter& letter);

    /// Throws Deadlock when all ranks are stuck, and this rank's wait has to end for it.
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

    Mailbox& mailbox_;
    Clock::duration quietTime_ = Clock::duration::max();
    bool takesPart_ = true;
    std::vector<std::uint64_t> sent_;     ///< by rank
    std::vector<std::uint64_t> taken_;    ///< by rank
    std::map<int, std::int32_t> sentByThoseWhoLeft_;

    Phase phase_ = Phase::Moving;
    Clock::time_point quietSince_{};
    StillnessReport own_;                    ///< of the last stillness
    std::int32_t lastOfEarlierWaits_ = 0;    ///< the number of the last stillness that was not of this wait
    std::optional<Deadlock> deadlock_;

    std::map<int, std::int32_t> asked_;    ///< inquiries that are to be answered, by rank

    // State of the rank that asks.
    StandstillReview review_;
    std::int32_t inquiry_ = 0;
    Clock::time_point nextInquiry_ = Clock::time_point::max();
    Clock::duration pause_{};    ///< until the next one but one
};

}    // namespace ferry
