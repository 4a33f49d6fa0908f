#include <ferry/connector/message/state/OneThread.hpp>

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

std::string threadInWords(std::uint64_t number, int rank) {
    return rank >= 0 ? fmt::format("thread {} (rank {})", number, rank) : fmt::format("thread {} (of no rank)", number);
}

/// Makes this thread the user. The thread that called last must not be in a call.
OneThread::Seat& OneThread::takeOver(int depth) {
    static std::atomic<std::uint64_t> lastId{0};
    std::uint64_t& id = idOfThisThread();
    if (id == 0) id = ++lastId;
    const std::lock_guard lock(mutex_);
    Seat* const last = user_.load();
    if (last->id.load() != id) {
        const std::uint64_t number = numberOfThisThread();
        const int rank = rankOfThisThread();
        if (last == &nobody_) firstRank_ = rank;
        const bool isOfOtherRank = rank >= 0 && rank != rank_ && rank != firstRank_;
        if (isOfOtherRank) {
            throw UsageError(
                fmt::format("{} has used a connector or master of rank {}, which {} used last: each rank uses its own; a handler submits "
                            "tasks by task.submit()",
                            threadInWords(number, rank), rank_, threadInWords(last->number, last->rank)));
        }
        Seat& own = seatOfThisThread();    // may be the seat of the last thread, which has ended then
        user_.store(&own);
        // Where the system offers no such order, a call that begins within the same nanoseconds may be missed.
        if (last != &own) platform::orderWithOtherThreads();
        if (last != &own && last->depth.load() != 0) {
            user_.store(last);
            throw UsageError(
                fmt::format("{} has used a connector or master of rank {} while a call of {} lasts: only one thread at a time may use a "
                            "connector or master",
                            threadInWords(number, rank), rank_, threadInWords(last->number, last->rank)));
        }
    }
    Seat& own = *user_.load();
    own.depth.store(own.depth.load(std::memory_order_relaxed) + depth);
    return own;
}

void OneThread::requireNoCall() {
    const std::lock_guard lock(mutex_);
    const Seat& last = *user_.load();
    if (last.id.load() != idOfThisThread()) platform::orderWithOtherThreads();
    const bool isIn = last.depth.load() != 0;
    if (!isIn && outsideCount_.load() == 0) return;
    throw UsageError(
        fmt::format("{} has destroyed the connector of rank {} while a call of {} lasts: a connector that is of no group ends "
                    "when no thread and no function of the user needs it any more",
                    threadInWords(numberOfThisThread(), rankOfThisThread()), rank_,
                    isIn ? threadInWords(last.number, last.rank) : std::string("a thread that runs a function of the user")));
}

/// A thread that a function of the user has left in a call gets its error at its next call.
void OneThread::comeBack(Seat& seat, int depth) noexcept {
    const std::lock_guard lock(mutex_);
    user_.store(&seat);
    seat.depth.store(depth);
    --outsideCount_;
}

OneThread::Seat& OneThread::seatOfThisThread() {
    const std::uint64_t& id = idOfThisThread();
    const auto known = std::find_if(seats_.begin(), seats_.end(), [&id](const Seat& seat) { return seat.place == &id; });
    Seat& seat = known != seats_.end() ? *known : seats_.emplace_back();
    seat.place = &id;
    seat.number = numberOfThisThread();
    seat.rank = rankOfThisThread();
    if (seat.id.exchange(id) != id) seat.depth.store(0);
    return seat;
}

}    // namespace ferry::detail
