#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/connector/message/Deadline.hpp>
#include <ferry/connector/message/DeadlineScope.hpp>
#include <ferry/connector/message/Pending.hpp>

namespace ferry {

namespace detail {

template <class T>
struct IsPending : std::false_type {};
template <class T>
struct IsPending<Pending<T>> : std::true_type {
    using Value = T;
};

/// A vector, array, span or other range of operations of one type.
template <class Range>
concept PendingRange = std::ranges::forward_range<Range> && IsPending<std::ranges::range_value_t<Range>>::value;

template <PendingRange Range>
using PendingValue = typename IsPending<std::ranges::range_value_t<Range>>::Value;

struct PendingWaits {
    template <class T>
    static PendingOperation<T>& operationOf(Pending<T>& pending) {
        return pending.operation(PendingAccess());
    }

    /// The mailbox of the first operation that has one; null: all operations are ready. Errors: UsageError when this thread may not call it
    /// now.
    template <class Range>
    static Mailbox* mailboxOf(Range& pendings) {
        for (auto& pending : pendings) {
            if (!pending.isUnderWay()) continue;
            Mailbox* const mailbox = operationOf(pending).mailbox();
            if (mailbox == nullptr) continue;
            mailbox->thread().require();
            return mailbox;
        }
        return nullptr;
    }

    template <class Range>
    static std::size_t indexOfReady(Range& pendings) {
        std::size_t index = 0;
        for (auto& pending : pendings) {
            if (pending.isUnderWay() && operationOf(pending).isReadyNow()) break;
            ++index;
        }
        return index;
    }
};

/// Waits until one of `count` operations is ready. Errors: UsageError for a null mailbox.
void waitForOne(Mailbox* mailbox, std::size_t count, const std::function<bool()>& isOneReady, Deadline deadline);

}    // namespace detail

/// Waits for all of these operations of one connector, and takes their values, in the order of the range. A wait throws the exceptions of
/// get(); then no value is taken. When a value cannot be read, that exception is thrown. The values before it are lost then, and the values
/// behind it can still be taken. Errors: UsageError when an operation is not under way.
template <detail::PendingRange Range>
auto waitAll(Range&& pendings, Deadline deadline = Deadline::never()) {
    using Value = detail::PendingValue<std::remove_cvref_t<Range>>;
    if (Mailbox* mailbox = detail::PendingWaits::mailboxOf(pendings); mailbox != nullptr) {
        const DeadlineScope scope(*mailbox, deadline);
        for (auto& pending : pendings) detail::PendingWaits::operationOf(pending).await();
    }
    if constexpr (std::is_void_v<Value>) {
        for (auto& pending : pendings) pending.get();
    } else {
        std::vector<Value> values;
        for (auto& pending : pendings) values.push_back(pending.get());
        return values;
    }
}

/// Waits until one of these operations of one connector is ready, and returns its index in the range. Operations that are not under way are
/// skipped. The failure of an operation is thrown by its get(), not here. Errors: UsageError when no operation is under way.
template <detail::PendingRange Range>
std::size_t waitAny(Range&& pendings, Deadline deadline = Deadline::never()) {
    using detail::PendingWaits;
    const auto count = static_cast<std::size_t>(std::ranges::distance(pendings));
    Mailbox* const mailbox = PendingWaits::mailboxOf(pendings);
    std::size_t ready = PendingWaits::indexOfReady(pendings);
    if (ready != count) return ready;
    const auto isOneReady = [&] {
        ready = PendingWaits::indexOfReady(pendings);
        return ready != count;
    };
    detail::waitForOne(mailbox, count, isOneReady, deadline);
    return ready;
}

}    // namespace ferry
