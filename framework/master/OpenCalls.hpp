#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include <ferry/framework/master/Call.hpp>
#include <ferry/framework/schedule/Agenda.hpp>

namespace ferry::detail {

/// The calls that are not done, by number, with their deadlines and the times of their next tries. Pure logic.
///
/// Ownership: shares the calls. Errors: std::out_of_range for a number that no open call has. A std::bad_alloc changes nothing.
class OpenCalls {
public:
    using TimePoint = Call::TimePoint;

    static constexpr std::int32_t mostInBundle = 63;

    /// lastNumber: the number of the last call of any OpenCalls that the slaves know (MailboxHooks::numbers). It must outlive the object.
    explicit OpenCalls(std::uint32_t& lastNumber) noexcept : lastNumber_(lastNumber) {}

    /// Makes a call with a new number. The call is not open yet.
    std::shared_ptr<Call> make();

    /// Makes a call for a bundle. The mostInBundle numbers after the number of the call are those of its tasks.
    std::shared_ptr<Call> makeForBundle();

    /// Opens the call, and watches over its deadline if it has one.
    void add(const std::shared_ptr<Call>& call);
    /// Removes an open call. Returns it: the caller may be its last owner.
    std::shared_ptr<Call> remove(const Call& call) noexcept {
        if (call.deadline != TimePoint::max()) dropDeadline(call);
        if (call.place == Call::Place::Resting) wake(call);
        const auto entry = calls_.find(call.number);
        std::shared_ptr<Call> removed = std::move(entry->second);
        if (removed->bundle) --bundleCount_;
        calls_.erase(entry);
        return removed;
    }

    bool hasBundles() const noexcept { return bundleCount_ > 0; }
    /// The open call of the bundle to which a task with this number may belong; null: there is none.
    std::shared_ptr<Call> findBundleOf(std::int32_t task) const noexcept {
        if (bundleCount_ == 0) return nullptr;
        const auto entry = calls_.find(task & ~mostInBundle);
        return entry != calls_.end() && entry->second->bundle ? entry->second : nullptr;
    }

    bool isEmpty() const noexcept { return calls_.empty(); }
    std::size_t count() const noexcept { return calls_.size(); }

    const std::shared_ptr<Call>& at(std::int32_t number) const { return calls_.at(number); }
    /// The call with this number, if the rank has it; null otherwise.
    std::shared_ptr<Call> findAt(int rank, std::int32_t number) const noexcept {
        const auto entry = calls_.find(number);
        const bool isThere = entry != calls_.end() && entry->second->place == Call::Place::AtSlave && entry->second->slaveRank == rank;
        return isThere ? entry->second : nullptr;
    }
    /// The calls that no slave has, in the order of their numbers.
    std::vector<std::shared_ptr<Call>> withoutSlave() const;

    /// A call whose deadline has passed; null: there is none. The call is returned until it is removed or its deadline is dropped.
    std::shared_ptr<Call> overdue(TimePoint now) const { return numbered(deadlines_.due(now)); }
    void dropDeadline(const Call& call) noexcept { deadlines_.remove(call.deadline, call.number); }

    /// Lets the call rest until its next try.
    void rest(Call& call, TimePoint nextTry);
    /// A resting call whose next try is due; null: there is none. The call is returned until it is woken or removed.
    std::shared_ptr<Call> rested(TimePoint now) const { return numbered(retries_.due(now)); }
    /// Ends the rest of a call. The caller sets its place.
    void wake(const Call& call) noexcept { retries_.remove(call.nextTry, call.number); }

    /// The earliest time of a deadline or a next try; TimePoint::max(): there is none.
    TimePoint nextDue() const noexcept { return std::min(deadlines_.next(), retries_.next()); }

private:
    /// Whether an open call, or a task of an open bundle, has this number.
    bool isOpen(std::uint32_t number) const noexcept;
    std::shared_ptr<Call> numbered(std::optional<std::int32_t> number) const { return number ? at(*number) : nullptr; }

    boost::unordered_flat_map<std::int32_t, std::shared_ptr<Call>> calls_;
    Agenda deadlines_;
    Agenda retries_;
    std::size_t bundleCount_ = 0;
    std::uint32_t& lastNumber_;
    bool haveAllBeenUsed_ = false;    ///< the numbers have begun again: some may be those of open calls
};

}    // namespace ferry::detail
