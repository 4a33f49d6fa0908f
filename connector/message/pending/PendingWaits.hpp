#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <ferry/connector/message/DeadlineScope.hpp>
#include <ferry/connector/message/letter/Deadline.hpp>
#include <ferry/connector/message/letter/Transportable.hpp>
#include <ferry/connector/message/mailboxCalls.hpp>
#include <ferry/connector/message/pending/KeptOutcome.hpp>
#include <ferry/connector/message/pending/Pending.hpp>
#include <ferry/serialization/ints/algorithms.hpp>
#include <ferry/serialization/ints/rangeConcepts.hpp>

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
            if (Mailbox* const mailbox = mailboxOf(pending); mailbox != nullptr) return mailbox;
        }
        return nullptr;
    }
    template <class T>
    static Mailbox* mailboxOf(Pending<T>& pending) {
        Mailbox* const mailbox = pending.isUnderWay() ? operationOf(pending).mailbox() : nullptr;
        if (mailbox != nullptr) mailbox->thread().require();
        return mailbox;
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
/// get(); then no value is taken. When operations fail, the failure of the first of them is thrown. Nothing else is lost then: the get() of
/// every other operation returns its value, or throws its failure. Errors: UsageError when an operation is not under way.
template <detail::PendingRange Range>
auto waitAll(Range&& pendings, Deadline deadline = Deadline::never()) {
    using Value = detail::PendingValue<std::remove_cvref_t<Range>>;
    using Outcome = detail::KeptOutcome<Value>;
    if (detail::Mailbox* mailbox = detail::PendingWaits::mailboxOf(pendings); mailbox != nullptr) {
        const detail::DeadlineScope scope(*mailbox, deadline);
        for (auto& pending : pendings) detail::PendingWaits::operationOf(pending).await();
    }
    std::vector<std::unique_ptr<Outcome>> outcomes;
    for ([[maybe_unused]] auto& pending : pendings)
        outcomes.push_back(std::make_unique<Outcome>());    // all memory, before the first get()
    std::exception_ptr failure;
    auto outcome = outcomes.begin();
    for (auto& pending : pendings) {
        (*outcome)->takeFrom(pending);
        if (!failure && (*outcome)->failure()) {
            failure = (*outcome)->failure();
            outcome->reset();
        }
        ++outcome;
    }
    if (failure) {
        outcome = outcomes.begin();
        for (auto& pending : pendings) {
            if (*outcome) Outcome::giveBack(std::move(*outcome), pending);
            ++outcome;
        }
        std::rethrow_exception(failure);
    }
    if constexpr (!std::is_void_v<Value>) {
        std::vector<Value> values;
        values.reserve(outcomes.size());
        for (const std::unique_ptr<Outcome>& each : outcomes) values.push_back(each->get());
        return values;
    }
}

namespace detail {

/// The element that an operation adds to the tuple of waitAll().
template <class T>
using TupleElement = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

template <class P>
using ValueOfPending = typename IsPending<std::remove_cvref_t<P>>::Value;

template <class T>
TupleElement<T> elementOf(KeptOutcome<T>& outcome) {
    if constexpr (std::is_void_v<T>) {
        outcome.get();
        return {};
    } else {
        return outcome.get();
    }
}

}    // namespace detail

/// Waits for operations of different types, and returns their values as a std::tuple, in their order; std::monostate stands for an
/// operation without a value. auto [count, names] = waitAll(first, second). Meaning and errors are those of waitAll() for a range. The
/// operations belong to one connector, or to groups of it. The deadline comes first.
template <class... Pendings>
    requires(sizeof...(Pendings) != 0 && (detail::isPending<std::remove_cvref_t<Pendings>> && ...))
auto waitAll(Deadline deadline, Pendings&&... pendings) {
    using detail::KeptOutcome, detail::PendingWaits, detail::ValueOfPending;
    const std::array<detail::Mailbox*, sizeof...(Pendings)> mailboxes{PendingWaits::mailboxOf(pendings)...};
    const auto known = std::find_if(mailboxes.begin(), mailboxes.end(), [](const detail::Mailbox* mailbox) { return mailbox != nullptr; });
    if (known != mailboxes.end()) {
        const detail::DeadlineScope scope(detail::outermostOf(**known), deadline);    // it counts in all groups
        (PendingWaits::operationOf(pendings).await(), ...);
    }
    auto outcomes = std::make_tuple(std::make_unique<KeptOutcome<ValueOfPending<Pendings>>>()...);
    return std::apply(
        [&pendings...](auto&... outcome) {
            (outcome->takeFrom(pendings), ...);
            std::exception_ptr failure;
            const auto findFailure = [&failure](auto& each) {
                if (failure || !each->failure()) return;
                failure = each->failure();
                each.reset();
            };
            (findFailure(outcome), ...);
            if (failure) {
                const auto giveBack = [](auto& each, auto& pending) {
                    if (each) std::remove_reference_t<decltype(*each)>::giveBack(std::move(each), pending);
                };
                (giveBack(outcome, pendings), ...);
                std::rethrow_exception(failure);
            }
            return std::tuple<detail::TupleElement<ValueOfPending<Pendings>>...>(detail::elementOf(*outcome)...);
        },
        outcomes);
}
template <class... Pendings>
    requires(sizeof...(Pendings) != 0 && (detail::isPending<std::remove_cvref_t<Pendings>> && ...))
auto waitAll(Pendings&&... pendings) { return waitAll(Deadline::never(), pendings...); }

/// Waits until one of these operations of one connector is ready, and returns its index in the range. Operations that are not under way are
/// skipped. The failure of an operation is thrown by its get(), not here. Errors: UsageError when no operation is under way.
template <detail::PendingRange Range>
std::size_t waitAny(Range&& pendings, Deadline deadline = Deadline::never()) {
    using detail::PendingWaits;
    const auto count = static_cast<std::size_t>(std::ranges::distance(pendings));
    detail::Mailbox* const mailbox = PendingWaits::mailboxOf(pendings);
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
