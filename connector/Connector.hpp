#pragma once

#include <concepts>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <ferry/connector/exception/Chain.hpp>
#include <ferry/connector/message/Deadline.hpp>
#include <ferry/connector/message/DeadlineScope.hpp>
#include <ferry/connector/message/Transportable.hpp>
#include <ferry/connector/region/Guard.hpp>
#include <ferry/connector/transport/Transport.hpp>
#include <ferry/connector/verbs/AlgorithmCalls.hpp>
#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry {

/// Whether ranks compare what classes they know when they connect.
enum class RegistryComparison {
    Compare,
    Skip,    ///< no comparison, here or of the registry in itself: for ranks that share one process and registry, or compare later
};

/// The calls of one rank to the others: it sends and receives messages and values, takes part in collectives, and throws on other ranks.
///
/// A message is an object of a class derived from Message; a value is anything else that can be written: numbers, strings, containers,
/// classes with FERRY_FIELDS. Both are received by type.
///
/// Ownership: owns its transport. Neither copied nor moved. The destructor does not communicate.
/// Threads: one at a time. Another thread may use it after the first. A call throws UsageError while a call of another thread lasts, and
/// always on a thread of another rank. Errors: UsageError for a rank that does not exist, and for a class without FERRY_CLASS of
/// its own; SerializationError for what cannot be read; whatever another rank threw on this one
///         (throwOn); Terminated when the job was stopped. Every call that waits is woken for the last two, and takes a Deadline as its
///         last argument: it throws a TimeoutError when the time is over and what it waits for has not come.
class Connector : public AlgorithmCalls {
public:
    /// Connects the ranks of the transport; all ranks together unless the comparison is skipped.
    /// Errors: UsageError when the registry of classes has conflicts; RegistryMismatch on every rank when they know different classes.
    explicit Connector(std::unique_ptr<Transport> transport, const ObjectFactory& factory = ObjectFactory::global(),
                       RegistryComparison comparison = RegistryComparison::Compare);
    Connector(const Connector&) = delete;
    Connector& operator=(const Connector&) = delete;
    ~Connector();

    /// Runs the function, which all ranks call, and leaves it together with them. If it throws on any rank, those that wait in a call of
    /// Ferry are woken, and every rank gets the same ExceptionList of what was thrown. The connector is as before then: what was sent
    /// inside is never met later, what was sent before still is. Returns what the function returns. Regions may lie in each other.
    ///
    /// Cost when nothing fails: two small messages along each edge of a tree of the ranks, and a wait for the slowest rank, as in a
    /// barrier. Errors: ExceptionList; at once, without waiting for anybody, Terminated when the job was stopped; RankHasLeft. While an
    /// exception is on its way out, calls from destructors neither wait nor throw (receive and the like throw RegionFailed), and the region
    /// has failed.
    ///
    /// Calls in it wait until the deadline; the ranks have as long again, and at least a second, to meet at the end. If they do not, every
    /// call from then on throws the TimeoutError that names the missing ranks.
    template <class Function>
        requires std::is_invocable_v<Function&>
    auto guarded(Function&& function, Deadline deadline = Deadline::never()) {
        const DeadlineScope scope(mailbox_, deadline);
        using Result = std::invoke_result_t<Function&>;
        if constexpr (std::is_void_v<Result>) {
            guard_.run([&function] { function(); });
        } else {
            std::optional<std::decay_t<Result>> result;
            guard_.run([&] { result.emplace(function()); });
            return std::move(*result);
        }
    }

    template <class Function, class... Rest>
        requires(!std::is_invocable_v<Function&>)
    void guarded(Function&&, const Rest&...) {
        static_assert(detail::never<Function>, "ferry: guarded takes a function without arguments: let a lambda capture what it needs");
    }

    /// Throws the exception on another rank (or this one): from the call of Ferry that it waits in, else from its next one. A standard
    /// exception known by a base class only is passed on whole from within its handler; elsewhere it is refused with UsageError.
    template <class E>
    void throwOn(int rank, const E& exception) {
        constexpr bool canBeCopied = std::is_base_of_v<Exception, E> || std::is_copy_constructible_v<E>;
        static_assert(canBeCopied, "ferry: what is thrown on another rank is copied: its class (see E) cannot be");
        static_assert(!std::is_pointer_v<E>, "ferry: a pointer (see E) leads to nothing on another rank: pass the exception itself");
        if constexpr (!canBeCopied || std::is_pointer_v<E>) {
            return;
        } else if constexpr (std::is_base_of_v<Exception, E>) {
            const std::exception_ptr held = handled(static_cast<const Exception&>(exception));
            throwOn(rank, held ? held : raised(exception));    // with its dynamic class
        } else if constexpr (std::is_convertible_v<const E*, const std::exception*>) {
            const std::exception_ptr held = handled(exception);
            if (!held && typeid(exception) != typeid(E)) refuseBase();
            throwOn(rank, held ? held : std::make_exception_ptr(exception));
        } else {
            throwOn(rank, std::make_exception_ptr(exception));
        }
    }
    void throwOn(int rank, const std::exception_ptr& exception);

    /// A connector of its own for the ranks of one colour, of all ranks that give the same, which all ranks call together: its ranks are
    /// counted in the order of their keys, equal ones in the order of their ranks here. Null for a rank without a colour.
    ///
    /// The new connector has every call of this one, and all of their guarantees. What is due here is thrown from its calls too,
    /// deadlines here count for
    /// them, and when a guarded region of this connector fails, what was done in the group inside of it has not happened, as here. In a
    /// guarded region of the group calls that more ranks make together than are in it are refused (UsageError). Lists of failures name
    /// ranks as the outermost connector counts them, other texts as the group does.
    ///
    /// Ownership: the new connector must not outlive this one; if it does, its calls throw UsageError. One that was made in a guarded
    /// region that fails can be used no more. Destroying it communicates nothing: what is still under way is dropped.
    std::unique_ptr<Connector> split(std::optional<int> colour, int key = 0, Deadline deadline = Deadline::never());

    /// Splits the ranks into one group for each host (machine).
    std::unique_ptr<Connector> splitByHost(Deadline deadline = Deadline::never());

    /// The number of a rank in the outermost of the connectors that were split; where this is not split off, the rank.
    int rankInJob(int rank) const {
        checkRank(rank);
        return mailbox_.rankInJob(rank);
    }

    /// All ranks together, before the connector goes: waits until all have called it and nothing is under way, so that nobody waits for a
    /// rank that has gone. Calls that follow work as before.
    void close();

private:
    Connector(std::unique_ptr<GroupTransport> transport, const ObjectFactory& factory);

    [[noreturn]] static void refuseBase();

    Guard guard_{mailbox_, collectives_};
};

}    // namespace ferry
