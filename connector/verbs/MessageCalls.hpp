#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <ferry/connector/message/GraphLetters.hpp>
#include <ferry/connector/message/Probed.hpp>
#include <ferry/connector/message/letter/Arrival.hpp>
#include <ferry/connector/message/letter/Message.hpp>
#include <ferry/connector/message/letter/Tag.hpp>
#include <ferry/connector/message/letter/Transportable.hpp>
#include <ferry/connector/message/letter/TypedFilter.hpp>
#include <ferry/connector/message/letter/ValueKey.hpp>
#include <ferry/connector/message/letter/ValueName.hpp>
#include <ferry/connector/message/mailboxCalls.hpp>
#include <ferry/connector/message/pending/GraphPosting.hpp>
#include <ferry/connector/message/pending/Pending.hpp>
#include <ferry/connector/message/pending/PendingPool.hpp>
#include <ferry/connector/message/pending/VectorPosting.hpp>
#include <ferry/connector/verbs/Endpoint.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphCodec.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/ints/HeldText.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/ints/TravelsAsText.hpp>

namespace ferry::detail {

/// The calls of a Connector that send and receive: messages, values and graphs, from one rank to another.
class MessageCalls : public Endpoint {
public:
    /// Sends a message or a value to a rank, which may be this one. Returns as soon as the object is packed. The object may be changed or
    /// dropped then.
    template <class T>
        requires(!detail::NamedGraph<T>)
    void send(int to, const T& value, Tag tag = Tag()) {
        if constexpr (detail::TravelsAsText<T> && !std::is_same_v<T, std::string>) {
            send(to, std::string(detail::heldText(value)), tag);    // text of every type arrives as std::string
        } else {
            detail::requireSendable<T>();
            checkRank(to);
            mailbox_.throwIfDue();
            throwIfLost(mailbox_, to);
            IntBuffer ints = mailbox_.pack(detail::envelopeOf(value, tag), [&](IntWriter& out) {
                out.lendCounted(detail::formOf(value), mailbox_.transport().offersFrom());    // Flow A, step 1: object -> ints
            });
            if (ints.hasBorrowed()) [[unlikely]] {
                mailbox_.postLent(to, std::move(ints));
            } else {
                mailbox_.postInts(to, Channel::Data, std::move(ints));
            }
        }
    }

    /// Waits for the oldest message or value of exactly the class T from the rank. Others that arrive meanwhile wait for their own receive.
    template <class T>
        requires(!std::is_abstract_v<T>)
    T receive(int from = AnyRank, Deadline deadline = Deadline::never()) { return receive<T>(from, Tag(), deadline); }
    /// Receives like the call before, but accepts only messages and values sent with the tag.
    template <class T>
        requires(!std::is_abstract_v<T>)
    T receive(int from, Tag tag, Deadline deadline = Deadline::never()) {
        detail::requireReceivable<T>();
        checkSource(from);
        const DeadlineScope scope(mailbox_, deadline);
        return valueOf<T>(mailbox_.takeLent(detail::filterFor<T>(from, tag)));
    }

    /// Waits for the oldest message or value of one of these classes. The options may give a tag and a rank; without them any tag and any
    /// rank will do. receiveAny<Job, Stop>({.from = 0}).value is a std::variant<Job, Stop>. For one class it is an object of that class.
    /// Without classes it is the oldest message of any class, as a std::unique_ptr<Message>.
    template <class... Types>
    Arrival<AnyOf<Types...>> receiveAny(ReceiveOptions options = {}) {
        (detail::requireReceivable<Types>(), ...);
        checkSource(options.from);
        const DeadlineScope scope(mailbox_, options.deadline);
        Letter letter = mailbox_.takeLent(detail::filterForAny<Types...>(options));
        const int from = letter.from;
        const Tag tag(letter.envelope.number);
        return {anyOf<Types...>(std::move(letter)), from, tag};
    }

    /// Receives like receive(), but does not wait: returns nothing when no such message or value has come yet. Moves on everything under
    /// way, like poll(). Errors: those of receive(); RankHasLeft when none can come any more.
    template <class T>
        requires(!std::is_abstract_v<T>)
    std::optional<T> tryReceive(int from = AnyRank, Tag tag = Tag()) {
        detail::requireReceivable<T>();
        checkSource(from);
        std::optional<Letter> letter = takeIfHere(detail::filterFor<T>(from, tag));
        return letter ? std::optional<T>(valueOf<T>(std::move(*letter))) : std::nullopt;
    }

    /// Waits for the oldest message, value or graph that no call has taken, and describes it: its type in words, sender, tag and size. A
    /// later receive takes it. The options may give a rank and a tag; a graph has no tag. The messages of expect() are not found.
    Probed probe(const ReceiveOptions& options = {});
    /// Like probe() with options, for the oldest from one rank. With a tag it looks for that tag alone: probe(2, ferry::Tag(7)).
    template <std::integral Rank>
    Probed probe(Rank from, std::optional<Tag> tag = {}) { return probe({.from = static_cast<int>(from), .tag = tag}); }
    /// Describes like probe(), but does not wait: returns nothing when nothing has come yet. The deadline of the options has no meaning.
    std::optional<Probed> tryProbe(const ReceiveOptions& options = {});
    /// Like tryProbe() with options, for the oldest from one rank.
    template <std::integral Rank>
    std::optional<Probed> tryProbe(Rank from, std::optional<Tag> tag = {}) {
        return tryProbe({.from = static_cast<int>(from), .tag = tag});
    }

    template <class T, class... Rest>
        requires std::is_abstract_v<T>
    void receive(const Rest&...) {
        static_assert(detail::never<T>, "ferry: an object of an abstract class (see T) cannot be made: receive a std::unique_ptr to it");
    }
    template <class T>
    T receive(Deadline) = delete;    // ferry: the rank comes before the deadline: receive<T>(ferry::AnyRank, deadline)
    template <std::floating_point Rank, class T>
    void send(Rank to, const T& value) = delete;    // ferry: a rank is an int
    template <class T, std::integral Number>
    void send(int to, const T& value, Number tag) = delete;    // ferry: a tag is a ferry::Tag: send(rank, value, ferry::Tag(7))
    template <class T, std::integral Number>
    T receive(int from, Number tag) = delete;    // ferry: a tag is a ferry::Tag: receive<T>(rank, ferry::Tag(7))
    template <std::integral Rank, std::integral Number>
    Probed probe(Rank from, Number tag) = delete;    // ferry: a tag is a ferry::Tag: probe(rank, ferry::Tag(7))
    template <std::integral Rank, std::integral Number>
    std::optional<Probed> tryProbe(Rank from, Number tag) = delete;    // ferry: a tag is a ferry::Tag: tryProbe(rank, ferry::Tag(7))

    /// Receives into an existing object, whose memory is used again. To receive into a part of an object, use ferry::part<...>(object):
    /// members that are not in the view stay unchanged. After an error the object holds a part of the data.
    template <class T>
    void receiveInto(int from, T&& target, Deadline deadline = Deadline::never()) {
        receiveInto(from, target, Tag(), deadline);
    }
    /// Receives like the call before, but accepts only messages and values sent with the tag.
    template <class T>
    void receiveInto(int from, T&& target, Tag tag, Deadline deadline = Deadline::never()) {
        using Received = std::remove_cvref_t<T>;
        checkSource(from);
        const DeadlineScope scope(mailbox_, deadline);
        Letter letter = mailbox_.takeLent(detail::filterFor<Received>(from, tag));
        readBody(letter, target);
        if constexpr (std::is_base_of_v<Message, Received>) target.setSender(letter.from);
        mailbox_.giveBack(std::move(letter));
    }

    /// Sends to one rank and receives from another, from the same one, or from AnyRank. By default the received value has the type of the
    /// sent one. Ranks that call this in a circle do not wait for ever.
    template <class Received = void, class T>
    auto sendReceive(int to, const T& value, int from, Deadline deadline = Deadline::never()) {
        checkSource(from);
        const DeadlineScope scope(mailbox_, deadline);
        send(to, value);
        return receive<std::conditional_t<std::is_void_v<Received>, T, Received>>(from);
    }

    /// Sends a structure of objects that point to each other: send(1, ferry::graph(root)). A large graph travels in pieces. The call
    /// returns when the last piece is packed; then the receiver has taken in all but a few of them. At a deadline the receiver is told that
    /// no more pieces come.
    template <class T>
    void send(int to, const GraphRoot<T>& graph, Deadline deadline = Deadline::never()) {
        checkRank(to);
        const DeadlineScope scope(mailbox_, deadline);
        mailbox_.throwIfDue();
        throwIfLost(mailbox_, to);
        sendGraph(GraphSender(mailbox_, {to}, Envelope{MessageKind::Graph, namedValueKey<GraphRoot<T>>(), ++graphCount_}), graph);
    }

    /// Waits for the oldest graph from the rank whose root was sent as a pointer to T.
    template <class T>
    Graph<T> receiveGraph(int from = AnyRank, GraphMemory memory = GraphMemory::Heap, Deadline deadline = Deadline::never()) {
        checkSource(from);
        const DeadlineScope scope(mailbox_, deadline);
        if (hasWaitLimit(mailbox_)) return expectGraph<T>(from, memory).get();    // so that the graph arrives whole or not at all
        return ferry::detail::receiveGraph<T>(GraphReceiver(mailbox_, detail::graphFilter<T>(from)), memory);
    }

    /// Sends like send(), as an operation that can be waited for. A message or value is packed at once, so the operation is ready. To drop
    /// it changes nothing.
    template <class T>
        requires(!detail::NamedGraph<T>)
    Pending<void> post(int to, const T& value, Tag tag = Tag()) {
        Pending<void> nothing(std::make_unique<detail::NothingPending>());    // first, since this rank must not fail behind the send
        send(to, value, tag);
        return nothing;
    }

    /// Sends a vector from where it lies: post(1, std::move(values)). Large arrays in it are not copied by the sender. get() waits until
    /// they have left, and gives the vector back. To drop the Pending does not take back the message. Between threads, a receiver that
    /// takes the message in during another call copies the arrays there. After an exception the caller still has the vector.
    template <class T>
    Pending<std::vector<T>> post(int to, std::vector<T>&& values, Tag tag = Tag()) {
        detail::requireSendable<std::vector<T>>();
        checkRank(to);
        mailbox_.throwIfDue();
        const auto held = std::make_shared<detail::HeldVector<T>>();
        Pending<std::vector<T>> pending(std::make_unique<detail::PostedVector<T>>(mailbox_, to, held));
        held->values = std::move(values);
        try {
            IntBuffer ints = mailbox_.pack(detail::envelopeOf(held->values, tag),
                                           [&](IntWriter& out) { out.lendCounted(held->values, mailbox_.transport().holdsFrom()); });
            if (ints.hasBorrowed()) {
                mailbox_.postNow(to, std::move(ints), detail::HeldVector<T>::holderOf(held));
            } else {
                mailbox_.postInts(to, Channel::Data, std::move(ints));
            }
        } catch (...) {
            values = std::move(held->values);
            throw;
        }
        return pending;
    }

    /// Sends a graph while this rank does other things. The graph arrives before later messages of this rank. Only its first piece is
    /// packed at once. So its objects must not change before the operation is ready.
    template <class T>
    Pending<void> post(int to, const GraphRoot<T>& graph) {
        checkRank(to);
        mailbox_.throwIfDue();
        throwIfLost(mailbox_, to);
        GraphSender sender(mailbox_, {to}, Envelope{MessageKind::Graph, namedValueKey<GraphRoot<T>>(), ++graphCount_});
        const auto posting = std::make_shared<GraphPosting>(std::move(sender), graph);
        Pending<void> pending(std::make_unique<detail::PostedGraph>(mailbox_, posting));    // first, as what has begun borrows the objects
        beginWork(mailbox_, posting);
        return pending;
    }
    template <class T>
    void post(int, const TemporaryGraphRoot<T>&) {
        static_assert(std::is_void_v<T>, "ferry: the owner of a posted graph is a temporary: keep it in a variable until it is sent");
    }

    /// Asks for the oldest message or value of exactly the class T from the rank, to be taken later. When several expectations match a
    /// letter, the earliest one gets it. Receives that are called later do not get letters of an expectation.
    template <class T>
    Pending<T> expect(int from = AnyRank, Tag tag = Tag()) {
        detail::requireTransportable<T>();
        detail::requireMovable<T>();
        checkSource(from);
        return expectLetters<T>(detail::filterFor<T>(from, tag), Expectation::Wanted::OneLetter,
                                [this](Expectation& expectation) { return valueOf<T>(mailbox_.take(expectation)); });
    }

    /// Asks for the oldest graph from the rank whose root was sent as a pointer to T. Its pieces are kept as they come. get() reads them.
    template <class T>
    Pending<Graph<T>> expectGraph(int from = AnyRank, GraphMemory memory = GraphMemory::Heap) {
        checkSource(from);
        return expectLetters<Graph<T>>(detail::graphFilter<T>(from), Expectation::Wanted::WholeGraph,
                                       [this, memory](Expectation& expectation) {
                                           if (hasWaitLimit(mailbox_))
                                               mailbox_.awaitAllOf(expectation);    // so that nothing is lost at a deadline
                                           return ferry::detail::receiveGraph<T>(GraphReceiver(mailbox_, expectation), memory);
                                       });
    }

    /// Waits for the oldest message of any class that was sent without a tag.
    std::unique_ptr<Message> receive(int from = AnyRank, Deadline deadline = Deadline::never());

protected:
    using Endpoint::Endpoint;
    ~MessageCalls() = default;

private:
    template <class T, class Read>
    Pending<T> expectLetters(const Filter& filter, Expectation::Wanted wanted, Read read) {
        const auto expectation = std::make_shared<Expectation>(filter, wanted);
        // First, since an expectation without its Pending would keep letters from later receives.
        Pending<T> pending(std::make_unique<detail::ExpectedLetters<T, Read>>(mailbox_, expectation, std::move(read)));
        ferry::detail::expectLetters(mailbox_, expectation);
        return pending;
    }

    template <class T>
    T valueOf(Letter letter) {
        detail::requireMadeReady<T>();
        T value{};
        readBody(letter, value);    // Flow A, last step: ints -> object
        if constexpr (std::is_base_of_v<Message, T>) value.setSender(letter.from);
        mailbox_.giveBack(std::move(letter));
        return value;
    }

    /// The value in the letter, as an object of the first of these classes that fits.
    template <class... Types>
    AnyOf<Types...> anyOf(Letter letter) {
        if constexpr (sizeof...(Types) == 0) {
            return messageOf(std::move(letter));
        } else if constexpr (sizeof...(Types) == 1) {
            return (valueOf<Types>(std::move(letter)), ...);
        } else {
            return firstOf<Types...>(std::move(letter), std::index_sequence_for<Types...>());
        }
    }

    template <class... Types, std::size_t... indexes>
    std::variant<Types...> firstOf(Letter letter, std::index_sequence<indexes...>) {
        std::optional<std::variant<Types...>> value;
        const auto take = [&]<class T, std::size_t index>() {
            if (detail::isOf<T>(letter)) value.emplace(std::in_place_index<index>, valueOf<T>(std::move(letter)));
            return value.has_value();
        };
        static_cast<void>((take.template operator()<Types, indexes>() || ...));
        return std::move(*value);
    }

    std::optional<Letter> takeIfHere(const Filter& filter);
    std::unique_ptr<Message> messageOf(Letter letter);
    void checkSource(int from) const;

    std::int32_t graphCount_ = 0;    ///< number of graphs that this rank has sent
};

}    // namespace ferry::detail
