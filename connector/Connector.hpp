#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <ferry/connector/Guard.hpp>
#include <ferry/connector/collective/Collectives.hpp>
#include <ferry/connector/collective/Exchange.hpp>
#include <ferry/connector/collective/Operators.hpp>
#include <ferry/connector/collective/Reduction.hpp>
#include <ferry/connector/collective/SparseExchange.hpp>
#include <ferry/connector/exception/Chain.hpp>
#include <ferry/connector/message/Deadline.hpp>
#include <ferry/connector/message/DeadlineScope.hpp>
#include <ferry/connector/message/GraphLetters.hpp>
#include <ferry/connector/message/GraphPosting.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/Message.hpp>
#include <ferry/connector/message/Pending.hpp>
#include <ferry/connector/message/TypedFilter.hpp>
#include <ferry/connector/message/ValueKey.hpp>
#include <ferry/connector/transport/Transport.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/IntReader.hpp>
#include <ferry/serialization/IntWriter.hpp>
#include <ferry/serialization/ObjectFactory.hpp>
#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>

namespace ferry {

/// Whether ranks compare what classes they know when they connect.
enum class RegistryComparison {
    Compare,
    Skip,    ///< for ranks that share one process and one registry
};

/// What one rank does with the others: sends and receives messages and values, takes part in collectives, throws on other ranks.
///
/// A message is an object of a class derived from Message; a value is anything else that can be written: numbers, strings, containers,
/// classes with FERRY_FIELDS. Both are received by type.
///
/// Ownership: owns its transport. Neither copied nor moved. The destructor does not communicate.
/// Threads: the one thread of its rank.
/// Errors: UsageError for a rank that does not exist, and for a class without FERRY_CLASS of its own; SerializationError for what cannot be
/// read; whatever another rank threw on this one
///         (throwOn); Terminated when the job was stopped. Every call that waits is woken for the last two, and takes a Deadline as its
///         last argument: it throws a TimeoutError when the time is over and what it waits for has not come.
class Connector {
public:
    /// Connects the ranks of the transport; all ranks together unless the comparison is skipped.
    /// Errors: UsageError when the registry of classes has conflicts; RegistryMismatch on every rank when they know different classes.
    explicit Connector(std::unique_ptr<Transport> transport, const ObjectFactory& factory = ObjectFactory::global(),
                       RegistryComparison comparison = RegistryComparison::Compare);
    Connector(const Connector&) = delete;
    Connector& operator=(const Connector&) = delete;
    ~Connector();

    int rank() const noexcept { return transport_->rank(); }
    int size() const noexcept { return transport_->size(); }
    bool isMaster() const noexcept { return rank() == 0; }

    /// Sends a message or a value to a rank (this one too). Returns as soon as it is packed; the object may be changed or dropped then.
    template <class T>
        requires(!detail::NamedGraph<T>)
    void send(int to, const T& value) {
        if constexpr (std::is_convertible_v<const T&, std::string_view> && !std::is_same_v<T, std::string>) {
            send(to, std::string(std::string_view(value)));    // text arrives as std::string, however it was held
        } else {
            checkRank(to);
            mailbox_.throwIfDue();
            mailbox_.post(to, Channel::Data, detail::envelopeOf(value),
                          [&](IntWriter& out) { out << value; });    // Flow A, step 1: object -> ints
        }
    }

    /// Waits for the oldest message or value of exactly the class T from the rank. Others that arrive meanwhile wait for their own receive.
    template <std::default_initializable T>
    T receive(int from = AnyRank, Deadline deadline = Deadline::never()) {
        static_assert(
            !std::is_base_of_v<Message, T> || HasOwnClassName<T>,
            "ferry: this message only inherits FERRY_CLASS, so that it would arrive as its base class: add FERRY_CLASS(...) to it");
        checkSource(from);
        const DeadlineScope scope(mailbox_, deadline);
        return valueOf<T>(mailbox_.take(detail::filterFor<T>(from)));
    }

    /// The same, into an object that is there already, whose memory is used again; into a part of one with ferry::part<...>(object): the
    /// members that are not in the view stay. After an error the object holds a part of the data.
    template <class T>
    void receiveInto(int from, T&& target, Deadline deadline = Deadline::never()) {
        using Received = std::remove_cvref_t<T>;
        checkSource(from);
        const DeadlineScope scope(mailbox_, deadline);
        Letter letter = mailbox_.take(detail::filterFor<Received>(from));
        readBody(letter, target);
        if constexpr (std::is_base_of_v<Message, Received>) target.setSender(letter.from);
        mailbox_.giveBack(std::move(letter));
    }

    /// Sends a structure of objects that point to each other: send(1, ferry::graph(root)). A large one travels in pieces; the call returns
    /// when the last is packed, which is when the receiver has taken in all but a few of them. At a deadline the receiver is told.
    template <class T>
    void send(int to, const GraphRoot<T>& graph, Deadline deadline = Deadline::never()) {
        checkRank(to);
        const DeadlineScope scope(mailbox_, deadline);
        mailbox_.throwIfDue();
        sendGraph(GraphSender(mailbox_, {to}, Envelope{MessageKind::Graph, valueKey<GraphRoot<T>>, ++graphCount_}), graph);
    }

    /// Waits for the oldest graph from the rank whose root was sent as a pointer to T.
    template <class T>
    Graph<T> receiveGraph(int from = AnyRank, GraphMemory memory = GraphMemory::Heap, Deadline deadline = Deadline::never()) {
        checkSource(from);
        const DeadlineScope scope(mailbox_, deadline);
        if (mailbox_.limit().isSet()) return expectGraph<T>(from, memory).get();    // whole or not at all
        return ferry::receiveGraph<T>(GraphReceiver(mailbox_, detail::graphFilter<T>(from)), memory);
    }

    /// The root rank's graph on every rank, for instance broadcastGraph(ferry::graph(scene)); what the others pass in is ignored. On the
    /// root rank the result refers to the caller's objects and owns nothing.
    template <class T>
    Graph<T> broadcastGraph(const GraphRoot<T>& graph, int root = 0, GraphMemory memory = GraphMemory::Heap,
                            Deadline deadline = Deadline::never()) {
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        return collectives_.broadcastGraph(graph, root, memory);
    }

    /// The same as send(), as an operation to be waited for. A message or value is packed at once: the operation is ready, and dropping it
    /// changes nothing.
    template <class T>
        requires(!detail::NamedGraph<T>)
    Pending<void> post(int to, const T& value) {
        send(to, value);
        return Pending<void>(std::make_unique<detail::NothingPending>());
    }

    /// Sends a graph while this rank does other things. It arrives before what is sent later; only its first piece is packed at once, so
    /// its objects must not change before the operation is ready.
    template <class T>
    Pending<void> post(int to, const GraphRoot<T>& graph) {
        checkRank(to);
        mailbox_.throwIfDue();
        GraphSender sender(mailbox_, {to}, Envelope{MessageKind::Graph, valueKey<GraphRoot<T>>, ++graphCount_});
        const auto posting = std::make_shared<GraphPosting>(std::move(sender), graph);
        mailbox_.doInBackground(posting);
        return Pending<void>(std::make_unique<detail::PostedGraph>(mailbox_, posting));
    }
    template <class T>
    void post(int, const TemporaryGraphRoot<T>&) {
        static_assert(std::is_void_v<T>, "ferry: the owner of a posted graph is a temporary: keep it in a variable until it is sent");
    }

    /// Asks for the oldest message or value of exactly the class T from the rank, to be taken later. Of several expectations for which a
    /// letter would do, the one that was made first gets it; receives that are called later get none of theirs.
    template <std::default_initializable T>
    Pending<T> expect(int from = AnyRank) {
        checkSource(from);
        return expectLetters<T>(detail::filterFor<T>(from), Expectation::Wanted::OneLetter,
                                [this](Expectation& expectation) { return valueOf<T>(mailbox_.take(expectation)); });
    }

    /// Asks for the oldest graph from the rank whose root was sent as a pointer to T. Its pieces are kept as they come, and read by get().
    template <class T>
    Pending<Graph<T>> expectGraph(int from = AnyRank, GraphMemory memory = GraphMemory::Heap) {
        checkSource(from);
        return expectLetters<Graph<T>>(detail::graphFilter<T>(from), Expectation::Wanted::WholeGraph,
                                       [this, memory](Expectation& expectation) {
                                           if (mailbox_.limit().isSet())
                                               mailbox_.awaitAllOf(expectation);    // so that nothing is lost at a deadline
                                           return ferry::receiveGraph<T>(GraphReceiver(mailbox_, expectation), memory);
                                       });
    }

    /// Waits for the oldest message of any class.
    std::unique_ptr<Message> receive(int from = AnyRank, Deadline deadline = Deadline::never());

    /// The root's value on every rank; what the others pass in is ignored.
    template <class T>
    T broadcast(T value, int root = 0, Deadline deadline = Deadline::never()) {
        detail::requireNoGraph<T>();
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        Letter letter = collectives_.broadcast(root, [&](IntWriter& out) { out << value; });
        if (rank() != root) readBody(letter, value);
        mailbox_.giveBack(std::move(letter));
        return value;
    }

    /// On the root the values of all ranks, in the order of ranks; elsewhere an empty vector.
    template <std::default_initializable T>
    std::vector<T> gather(const T& value, int root = 0, Deadline deadline = Deadline::never()) {
        detail::requireNoGraph<T>();
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        return detail::gather<T, std::vector<T>>(collectives_, value, root, detail::AppendOne());
    }

    /// On the root the elements of all ranks' vectors, whose lengths may differ, in the order of ranks; elsewhere an empty vector.
    template <class T>
    std::vector<T> gather(const std::vector<T>& values, int root = 0, Deadline deadline = Deadline::never()) {
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        return detail::gather<std::vector<T>, std::vector<T>>(collectives_, values, root, detail::AppendAll());
    }

    /// Returns when every rank has called it.
    void barrier(Deadline deadline = Deadline::never()) {
        const DeadlineScope scope(mailbox_, deadline);
        collectives_.barrier();
    }

    /// On the root the values of all ranks made one by the operator (Sum{}, any function of two values), in the order of ranks, so that it
    /// need not commute; elsewhere T{}. Vectors, of one length, are combined element by element.
    /// Errors: what the operator throws, and CollectiveMismatch for lengths, on the root and on the ranks between.
    template <class T, class Operator>
    T reduce(const T& value, Operator combineTwo, int root = 0, Deadline deadline = Deadline::never()) {
        detail::requireNoGraph<T>();
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        return detail::reduce(collectives_, value, combineTwo, root);
    }

    /// The same on every rank, errors too.
    template <class T, class Operator>
    T allReduce(const T& value, Operator combineTwo, Deadline deadline = Deadline::never()) {
        detail::requireNoGraph<T>();
        const DeadlineScope scope(mailbox_, deadline);
        return detail::allReduce(collectives_, value, combineTwo);
    }

    /// The values of the ranks up to this one made one, as by reduce. An error arrives on the ranks from there on.
    template <class T, class Operator>
    T scan(const T& value, Operator combineTwo, Deadline deadline = Deadline::never()) {
        detail::requireNoGraph<T>();
        const DeadlineScope scope(mailbox_, deadline);
        return detail::scan(collectives_, value, combineTwo);
    }

    /// The values of all ranks on every rank, in the order of ranks. A value that cannot be written or read is an error on every rank.
    template <std::default_initializable T>
    std::vector<T> allGather(const T& value, Deadline deadline = Deadline::never()) {
        detail::requireNoGraph<T>();
        const DeadlineScope scope(mailbox_, deadline);
        return detail::allGather<T, std::vector<T>>(collectives_, value, detail::AppendOne());
    }

    /// The elements of all ranks' vectors, whose lengths may differ, on every rank, in the order of ranks.
    template <class T>
    std::vector<T> allGather(const std::vector<T>& values, Deadline deadline = Deadline::never()) {
        const DeadlineScope scope(mailbox_, deadline);
        return detail::allGather<std::vector<T>, std::vector<T>>(collectives_, values, detail::AppendAll());
    }

    /// The root's element for this rank; what the others pass in is ignored. The elements may be vectors, whose lengths may differ.
    /// Errors: UsageError on every rank when the root has not one for each.
    template <std::default_initializable T>
    T scatter(const std::vector<T>& values, int root = 0, Deadline deadline = Deadline::never()) {
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        return detail::scatter(collectives_, values, root);
    }

    /// Element r of the result is what rank r had for this one: its element number rank(). The elements may be vectors, whose lengths may
    /// differ. Errors: UsageError on every rank when one has not an element for each.
    template <std::default_initializable T>
    std::vector<T> allToAll(const std::vector<T>& values, Deadline deadline = Deadline::never()) {
        const DeadlineScope scope(mailbox_, deadline);
        return detail::allToAll(collectives_, values);
    }

    /// Sends each value to the rank that it is listed under, and returns what other ranks had for this one, by sender: for exchanges in
    /// which a rank has something for few others, and nobody knows who will send. Costs two messages for each value and two for each rank.
    /// Errors: UsageError for a rank that does not exist, on the rank that named it; a value that cannot be written or read is an error on
    /// its sender and its receiver. All are thrown when the exchange is over, so that nobody waits.
    template <std::default_initializable T>
    std::map<int, T> sparseAllToAll(const std::map<int, T>& outgoing, Deadline deadline = Deadline::never()) {
        detail::requireNoGraph<T>();
        const DeadlineScope scope(mailbox_, deadline);
        return detail::sparseAllToAll(collectives_, outgoing);
    }

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

    /// Throws the exception on another rank (or this one): from the call of Ferry that it waits in, else from its next one. A standard
    /// exception known by a base class only is passed on whole from within its handler; elsewhere it is refused with UsageError.
    template <class E>
    void throwOn(int rank, const E& exception) {
        if constexpr (std::is_base_of_v<Exception, E>) {
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

    /// For long computations: moves messages under way on, and throws what another rank has thrown on this one.
    void poll() { mailbox_.poll(); }

    /// Waits until everything sent has left this rank.
    void flush(Deadline deadline = Deadline::never()) {
        const DeadlineScope scope(mailbox_, deadline);
        mailbox_.flush();
    }

    /// While what it returns lives, no call waits beyond the deadline: const auto limit = connector.limitWaits(Deadline::in(10s)).
    DeadlineScope limitWaits(Deadline deadline) { return DeadlineScope(mailbox_, deadline); }

    /// When nothing has happened for so long in a call that waits without a deadline, ranks find out whether any of them can go on; if not,
    /// such calls throw a Deadlock that says who waits for whom. A second at first (in a simulation, which finds deadlocks itself, never);
    /// microseconds::max(): never.
    void findDeadlocksAfter(std::chrono::microseconds quietTime);

    /// The time by which calls wait: simulated in a simulation.
    Deadline::Clock::time_point now() const noexcept { return transport_->now(); }

    /// Ends the connection in order, all ranks together: waits until all have called it and nothing is under way.
    void close();

    /// One level down: for the framework.
    Mailbox& mailbox() noexcept { return mailbox_; }
    const ObjectFactory& factory() const noexcept { return factory_; }

private:
    template <class T, class Read>
    Pending<T> expectLetters(const Filter& filter, Expectation::Wanted wanted, Read read) {
        const auto expectation = std::make_shared<Expectation>(filter, wanted);
        mailbox_.expect(expectation);
        return Pending<T>(std::make_unique<detail::ExpectedLetters<T, Read>>(mailbox_, expectation, std::move(read)));
    }

    template <class T>
    T valueOf(Letter letter) {
        T value{};
        readBody(letter, value);    // Flow A, last step: ints -> object
        if constexpr (std::is_base_of_v<Message, T>) value.setSender(letter.from);
        mailbox_.giveBack(std::move(letter));
        return value;
    }

    template <class T>
    void readBody(const Letter& letter, T& value) const {
        IntReader in(letter.body(), factory_);
        in >> value;
        in.expectEnd();
    }

    void checkRank(int rank) const;
    void checkSource(int from) const;
    [[noreturn]] static void refuseBase();

    std::unique_ptr<Transport> transport_;
    const ObjectFactory& factory_;
    Mailbox mailbox_;
    Collectives collectives_;
    Guard guard_{mailbox_, collectives_};
    std::int32_t graphCount_ = 0;    ///< sent by this rank
};

}    // namespace ferry
