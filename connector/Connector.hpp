#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <ferry/connector/exception/exceptionToThrow.hpp>
#include <ferry/connector/measurement/Measurements.hpp>
#include <ferry/connector/measurement/Timers.hpp>
#include <ferry/connector/message/DeadlineScope.hpp>
#include <ferry/connector/message/letter/Deadline.hpp>
#include <ferry/connector/message/letter/Transportable.hpp>
#include <ferry/connector/region/RegionRunner.hpp>
#include <ferry/connector/transport/Transport.hpp>
#include <ferry/connector/verbs/AlgorithmCalls.hpp>
#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry {

namespace detail {
class GroupTransport;
class Survivors;
class TeamConnector;
}    // namespace detail

/// Tells whether ranks compare the classes that they know when they connect.
enum class RegistryComparison {
    Compare,
    Skip,    ///< no comparison between ranks, no check of the registry: for ranks of one process and registry, or that compare later
};

/// The calls of one rank to the others. The rank sends and receives messages and values, takes part in collectives, and throws on other
/// ranks.
///
/// A message is an object of a class derived from Message. A value is anything else that can be written: numbers, strings, containers,
/// classes with FERRY_FIELDS. Messages and values are received by type.
///
/// Ownership: owns its transport. Neither copied nor moved. The destructor does not communicate.
/// Threads: one at a time. Another thread may use the connector after the first. A call throws UsageError while a call of another thread
/// lasts, and always on a thread of another rank.
/// Errors: UsageError for a rank that does not exist, and for a class without FERRY_CLASS of its own. SerializationError for data that
/// cannot be read. Any exception that another rank throws on this one (throwOn). Terminated when the job was stopped. The last two wake
/// every call that waits. Every call that waits takes a Deadline as its last argument. The call throws a TimeoutError when the time is over
/// and the awaited event has not come.
class Connector : public detail::AlgorithmCalls {
public:
    /// Connects the ranks of the transport. All ranks call the constructor together, unless the comparison is skipped.
    /// Errors: UsageError when the registry of classes has conflicts; RegistryMismatch on every rank when the ranks know different classes.
    explicit Connector(std::unique_ptr<detail::Transport> transport, const ObjectFactory& factory = ObjectFactory::global(),
                       RegistryComparison comparison = RegistryComparison::Compare);
    Connector(const Connector&) = delete;
    Connector& operator=(const Connector&) = delete;
    ~Connector();

    /// Destroys a connector and frees its memory. Any thread may destroy the connector of a group, also while the rank's own thread is in a
    /// call. Such a connector ends later: when the connector from which it was split off makes another group, or ends. Until then its calls
    /// that wait throw UsageError, also a call that waits already. Any other connector must not end while a call lasts: the program then
    /// ends by std::terminate() with a UsageError that names both threads.
    static void operator delete(Connector* connector, std::destroying_delete_t) noexcept;
    static void* operator new(std::size_t bytes);
    static void operator delete(void* memory) noexcept;    // for a constructor that throws

    /// Runs the function, which all ranks call, and leaves it together with them. When the function throws on any rank, ranks that wait in
    /// a call of Ferry are woken. Every rank then gets the same ExceptionList of all exceptions. The connector then is as before the
    /// region. Letters sent inside the region are never received later. Letters sent before the region are still received. Returns the
    /// result of the function. Regions may lie inside each other.
    ///
    /// Cost when nothing fails: two small letters along each edge of a tree of the ranks, and a wait for the slowest rank, as in a barrier.
    /// Errors: ExceptionList. Terminated when the job was stopped, at once and without waiting for any rank. RankHasLeft. While an
    /// exception leaves the region, calls from destructors neither wait nor throw (receive and the like throw RegionFailed), and the region
    /// has failed.
    ///
    /// Calls inside the region wait until the deadline. The ranks have as long again, and at least a second, to meet at the end. If they do
    /// not meet, every later call throws the TimeoutError that names the missing ranks.
    template <class Function>
        requires std::is_invocable_v<Function&>
    auto guarded(Function&& function, Deadline deadline = Deadline::never()) {
        const detail::DeadlineScope scope(mailbox_, deadline);
        using Result = std::invoke_result_t<Function&>;
        if constexpr (std::is_void_v<Result>) {
            regionRunner_.run([&function] { function(); });
        } else {
            std::optional<std::decay_t<Result>> result;
            regionRunner_.run([&] { result.emplace(function()); });
            return std::move(*result);
        }
    }

    template <class Function, class... Rest>
        requires(!std::is_invocable_v<Function&>)
    void guarded(Function&&, const Rest&...) {
        static_assert(detail::never<Function>, "ferry: guarded takes a function without arguments: let a lambda capture what it needs");
    }

    /// Throws the exception on another rank (or this one): from the call of Ferry in which that rank waits, else from its next call. A
    /// standard exception, or one without FERRY_EXCEPTION, that is known only by a base class is passed on whole within its handler.
    /// Elsewhere it is refused with UsageError.
    template <class E>
    void throwOn(int rank, const E& exception) {
        throwOn(rank, detail::exceptionToThrow(exception));
    }
    void throwOn(int rank, const std::exception_ptr& exception);

    /// Makes a connector of its own for the ranks of each colour. All ranks call split() together. The new connector counts its ranks in
    /// the order of their keys, and ranks with equal keys in the order of their ranks here. Returns null for a rank without a colour.
    ///
    /// The new connector has every call of this one, with all guarantees. An exception that is due here is thrown from its calls too.
    /// Deadlines here count for its calls. When a guarded region of this connector fails, everything done in the group inside that region
    /// has not happened, as here. Within a guarded region of the group, calls that more ranks make together than are in the group are
    /// refused (UsageError). Lists of failures name ranks as the outermost connector counts them. Other texts name ranks as the group
    /// counts them.
    ///
    /// Ownership: the new connector must not outlive this one. If it does, its calls throw UsageError. A connector that was made in a
    /// guarded region that fails cannot be used any more. Destroying a connector communicates nothing: letters that are still under way are
    /// dropped. Any thread may destroy it (operator delete).
    std::unique_ptr<Connector> split(std::optional<int> colour, int key = 0, Deadline deadline = Deadline::never());

    /// Makes a connector of its own for these ranks, which it counts in the order of the list. All ranks call group() together. Ranks of
    /// one group give the same list. So one call makes several groups. Returns null for a rank that is not in its own list. For the new
    /// connector all that split() says holds.
    /// Errors, the same on every rank: UsageError for a list with a rank that does not exist, or is there twice. CollectiveMismatch when
    /// ranks of one list give different lists.
    std::unique_ptr<Connector> group(std::vector<int> ranks, Deadline deadline = Deadline::never());

    /// Makes a connector of its own for all ranks. All ranks call duplicate() together. A library that gets one meets no messages and no
    /// collectives of the program. For the new connector all that split() says holds.
    std::unique_ptr<Connector> duplicate(Deadline deadline = Deadline::never()) { return split(0, 0, deadline); }

    /// Splits the ranks into one group for each host (machine).
    std::unique_ptr<Connector> splitByHost(Deadline deadline = Deadline::never());

    /// Makes a connector for the ranks that are left, after the loss of ranks (LostRank). All ranks that are left call shrink() together.
    /// Their numbers are new, in the order of the old ones, and the members are the same on every rank. Ranks whose program has returned
    /// are left out as well. When no rank is lost, the new connector has all ranks. A rank that is lost meanwhile is left out, or the calls
    /// of the new connector throw the next LostRank.
    ///
    /// A rank that waits in another call of this connector while others are in shrink() gets a LostRank from its call. Afterwards this
    /// connector still sends and receives between ranks that are left. Its collectives and guarded regions throw LostRank.
    ///
    /// Ownership: the new connector must not outlive the connector that was not split off from another one; it may outlive this one.
    /// Errors: UsageError in a guarded region. TimeoutError: a further call goes on with the same agreement.
    std::unique_ptr<Connector> shrink(Deadline deadline = Deadline::never());

    /// Returns the number of a rank in the outermost of the connectors that were split. On a connector that was not split off, the result
    /// is the rank itself.
    int rankInJob(int rank) const;

    /// The timers and counters of this rank.
    Timers& timers() noexcept { return timers_; }
    /// Gathers the timers and counters of all ranks on the root; the other ranks get none. All ranks call it together. A timer or counter
    /// that only some ranks have is told, with the ranks that lack it.
    Measurements measurements(int root = 0, Deadline deadline = Deadline::never());

    /// All ranks call close() together, before the connector is destroyed. Waits until all ranks have called it and nothing is under way.
    /// So no rank waits for a rank that has gone. Later calls work as before.
    void close();

private:
    friend class detail::TeamConnector;

    Connector(std::unique_ptr<detail::GroupTransport> transport, const ObjectFactory& factory,
              std::shared_ptr<detail::Survivors> survivors);

    static void destroy(void* connector) noexcept;
    static bool destroyNow(Connector& connector) noexcept;
    std::unique_ptr<Connector> makeGroup(std::vector<int> members, std::int32_t id);

    detail::RegionRunner regionRunner_{mailbox_, collectives_};
    std::shared_ptr<detail::Survivors> survivors_;    ///< one for a connector and all that are made from it
    std::int32_t shrinkCount_ = 0;
    Timers timers_;
};

}    // namespace ferry
