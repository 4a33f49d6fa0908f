#include <ferry/connector/verbs/MessageCalls.hpp>

#include <utility>

#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/letter/GraphPiece.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>

namespace ferry::detail {

namespace {

/// A filter for everything that users send. The number of a graph is no tag.
Filter filterForProbe(const ReceiveOptions& options) {
    Filter filter = options.tag ? Filter({MessageKind::Object, MessageKind::Value}, options.from)
                                : Filter({MessageKind::Object, MessageKind::Value, MessageKind::Graph}, options.from);
    if (options.tag) filter.withNumber(options.tag->number());
    return filter.describedBy([](const Filter& described) { return "any message" + originInWords(described); });
}

/// The oldest letter that a receive would take, if any. The later pieces of a graph are none: left over from a graph that could not be
/// read, they wait for nobody.
const Letter* findProbed(Mailbox& mailbox, const Filter& filter) {
    return mailbox.arrived().peek([&filter](const Letter& letter) {
        return filter.matches(letter) && (letter.envelope.kind != MessageKind::Graph || graphPlaceOf(letter).isFirst());
    });
}

}    // namespace

std::unique_ptr<Message> MessageCalls::receive(int from, Deadline deadline) {
    return receiveAny({.from = from, .tag = Tag(), .deadline = deadline}).value;
}

Probed MessageCalls::probe(const ReceiveOptions& options) {
    checkSource(options.from);
    const DeadlineScope scope(mailbox_, options.deadline);
    const Filter filter = filterForProbe(options);
    const Letter* letter = nullptr;
    const auto isHere = [&] {
        letter = findProbed(mailbox_, filter);
        if (letter == nullptr) mailbox_.departures().throwIfNobodyCanSend(filter);
        return letter != nullptr;
    };
    mailbox_.nest().requireNoUnwinding();
    mailbox_.throwIfDue();
    mailbox_.waitUntil(
        isHere, [&filter] { return filter.awaited(); }, Waiter::Call);
    return detail::describeLetter(*letter, factory_);
}

std::optional<Probed> MessageCalls::tryProbe(const ReceiveOptions& options) {
    checkSource(options.from);
    const Filter filter = filterForProbe(options);
    mailbox_.nest().requireNoUnwinding();
    mailbox_.poll();
    const Letter* const letter = findProbed(mailbox_, filter);
    if (letter != nullptr) return detail::describeLetter(*letter, factory_);
    mailbox_.departures().throwIfNobodyCanSend(filter);
    return std::nullopt;
}

std::optional<Letter> MessageCalls::takeIfHere(const Filter& filter) {
    mailbox_.nest().requireNoUnwinding();
    mailbox_.poll();
    std::optional<Letter> found = mailbox_.arrived().take(filter);
    if (!found) mailbox_.departures().throwIfNobodyCanSend(filter);
    return found;
}

std::unique_ptr<Message> MessageCalls::messageOf(Letter letter) {
    std::unique_ptr<Message> message = factory_.createAs<Message>(letter.envelope.key);    // Flow A: class ID -> object
    readBody(letter, *message);
    message->setSender(letter.from);
    mailbox_.giveBack(std::move(letter));
    return message;
}

void MessageCalls::checkSource(int from) const {
    if (from != AnyRank) checkRank(from);
}

}    // namespace ferry::detail
