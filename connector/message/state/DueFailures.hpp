#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

namespace ferry::detail {

/// The exceptions that the next calls of a mailbox throw. An exception of another rank is thrown once. The reason of a stopped job is
/// thrown by every call. A summons is thrown until this rank comes to the place where the other ranks wait.
///
/// Ownership: borrows its surroundings.
class DueFailures {
public:
    /// The place of the mailbox among the guarded regions and the mailboxes of its rank.
    class Surroundings {
    public:
        /// The innermost region of the mailbox, and those of the mailboxes around, innermost first.
        virtual std::int32_t innermostRegion() const noexcept = 0;
        virtual std::vector<std::int32_t> regionsAround() const = 0;
        /// The exceptions of the mailbox around; null: there is none.
        virtual const DueFailures* dueAround() const noexcept = 0;

    protected:
        ~Surroundings() = default;
    };

    /// An exception that waits to be thrown, and the guarded regions that its thrower was in.
    struct Due {
        std::exception_ptr exception;
        std::int32_t region = 0;                      ///< the region of this mailbox
        std::vector<std::int32_t> regionsAround{};    ///< regions of the mailboxes around, innermost first
    };

    explicit DueFailures(const Surroundings& surroundings) noexcept : surroundings_(surroundings) {}
    DueFailures(const DueFailures&) = delete;
    DueFailures& operator=(const DueFailures&) = delete;

    /// The next wait or poll throws this exception, once. A failure of its guarded region makes the mailbox forget it. The form without a
    /// region means the innermost region.
    void throwSoon(std::exception_ptr exception);
    void throwSoon(std::exception_ptr exception, std::int32_t region);
    void add(Due failure) { failures_.push_back(std::move(failure)); }

    /// From now on every wait and poll throws this reason. The first reason stays.
    void stop(std::exception_ptr reason);
    /// regionsAround: the regions in which the stop was sent. The stop is undone when one of them fails.
    void stop(std::exception_ptr reason, std::vector<std::int32_t> regionsAround);
    /// Whether this mailbox or one around it was stopped.
    bool isStopped() const noexcept;

    /// Summons this rank: every wait and poll throws the reason until the summons ends. The first reason stays.
    void summon(std::exception_ptr reason) {
        if (!summons_) summons_ = std::move(reason);
    }
    void endSummons() noexcept { summons_ = nullptr; }
    /// Whether the ranks of this mailbox, or of one around it, wait elsewhere for this rank.
    bool isSummoned() const noexcept;
    void throwIfSummoned() const {
        if (summons_) std::rethrow_exception(summons_);
    }

    /// Whether an exception of this mailbox itself is due, or will be in a later region.
    bool isAny() const noexcept { return !failures_.empty() || stopReason_ != nullptr || summons_ != nullptr; }
    /// Takes out the next exception of another rank. Null: there is none. lastRegion: the last region number in use on this rank.
    std::exception_ptr takeNext(std::int32_t lastRegion);
    void throwIfStopped() const {
        if (stopReason_) std::rethrow_exception(stopReason_);
    }

    /// Holds the exceptions of other ranks back, or no longer: while they are held, no call throws them. A stop and the failure of a region
    /// are thrown all the same.
    void hold(bool areHeld) noexcept { areHeld_ = areHeld; }

    /// Forgets the exceptions for which isOver(Due) holds.
    template <class IsOver>
    void forget(const IsOver& isOver) {
        std::erase_if(failures_, isOver);
    }
    /// Undoes a stop that was sent in regions for which areOver(regions) holds.
    template <class AreOver>
    void forgetStop(const AreOver& areOver) {
        if (areOver(stoppedIn_)) stopReason_ = nullptr;
    }

private:
    const Surroundings& surroundings_;
    std::vector<Due> failures_;
    bool areHeld_ = false;
    std::exception_ptr stopReason_;
    std::exception_ptr summons_;
    std::vector<std::int32_t> stoppedIn_;    ///< regions of the mailboxes around in which the stop was sent
};

}    // namespace ferry::detail
