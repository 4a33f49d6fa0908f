#include <ferry/connector/message/Mailbox.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/message/ExceptionMessage.hpp>
#include <ferry/connector/transport/Backoff.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/IntReader.hpp>

namespace ferry {

namespace {

// A rank that only sends must still let its sends complete and hear of failures.
constexpr unsigned postsPerStep = 16;
constexpr std::size_t maxPendingSends = 1024;

Letter open(Packet packet) {
    IntReader in(packet.ints.ints());
    Envelope envelope;
    envelope.kind = static_cast<MessageKind>(in.readInt());
    envelope.key = in.readInt();
    envelope.number = in.readInt();
    return Letter{packet.from, envelope, std::move(packet.ints)};
}

} // namespace

Mailbox::Mailbox(Transport& transport, const ObjectFactory& factory) : transport_(transport), factory_(factory) {}

void Mailbox::postInts(int to, Channel channel, IntBuffer ints) {
    transport_.startSend(to, channel, std::move(ints));
    const auto stepOnce = [this] {
        std::optional<Letter> letter = step();
        if (letter) arrived_.add(std::move(*letter));
        return letter.has_value();
    };
    if (channel == Channel::Control) return;    // may be sent while a control letter is being handled: never waits
    if (++postCount_ % postsPerStep == 0) stepOnce();
    Backoff backoff;
    while (transport_.pendingSends() > maxPendingSends) {
        throwIfDue();
        if (!stepOnce()) backoff.pause(transport_);
    }
}

/// Flow A and B, last step before a waiting call: the next letter of the data channel. Letters of the control channel are handled here.
std::optional<Letter> Mailbox::step() {
    std::optional<Packet> packet = transport_.poll();
    if (!packet) {
        if (idleCheck_) idleCheck_();
        return std::nullopt;
    }
    const Channel channel = packet->channel;
    Letter letter = open(std::move(*packet));
    if (channel == Channel::Data) return letter;
    handleControl(letter);
    giveBack(std::move(letter));
    return std::nullopt;
}

Letter Mailbox::take(const Filter& filter) {
    throwIfDue();
    if (std::optional<Letter> letter = arrived_.take(filter)) return std::move(*letter);
    Backoff backoff;
    for (;;) {
        if (std::optional<Letter> letter = step()) {
            if (filter.matches(*letter)) return std::move(*letter);
            arrived_.add(std::move(*letter));
            backoff.reset();
        } else {
            throwIfDue();
            backoff.pause(transport_);
        }
    }
}

std::optional<Letter> Mailbox::tryTake(const Filter& filter) {
    poll();
    return arrived_.take(filter);
}

void Mailbox::poll() {
    // What has arrived by now, and no more: a busy sender must not hold this rank here.
    constexpr int maxLetters = 64;
    for (int count = 0; count < maxLetters; ++count) {
        std::optional<Letter> letter = step();
        throwIfDue();
        if (!letter) return;
        arrived_.add(std::move(*letter));
    }
}

void Mailbox::flush() {
    Backoff backoff;
    for (;;) {
        throwIfDue();
        std::optional<Letter> letter = step();
        if (letter) arrived_.add(std::move(*letter));
        if (transport_.pendingSends() == 0) return;
        if (!letter) backoff.pause(transport_);
    }
}

bool Mailbox::pumpUntil(const std::function<bool()>& condition, Clock::time_point deadline) {
    Backoff backoff;
    while (!condition()) {
        if (std::optional<Letter> letter = step()) {
            arrived_.add(std::move(*letter));
            continue;
        }
        if (condition()) break;
        if (Clock::now() >= deadline) return false;
        backoff.pause(transport_);
    }
    return true;
}

void Mailbox::throwSoon(std::exception_ptr exception) {
    failures_.push_back(std::move(exception));
}

void Mailbox::throwIfDue() {
    if (!failures_.empty()) {
        const std::exception_ptr failure = std::move(failures_.front());
        failures_.pop_front();
        std::rethrow_exception(failure);
    }
    if (stopReason_) std::rethrow_exception(stopReason_);
}

void Mailbox::onControl(MessageKind kind, std::function<void(const Letter&)> handler) {
    controlHandlers_[kind] = std::move(handler);
}

void Mailbox::handleControl(const Letter& letter) {
    IntReader in(letter.body(), factory_);
    if (letter.envelope.kind == MessageKind::Exception) {
        // Flow B, last step: an exception that belongs to no call wakes whatever call this rank is in.
        ExceptionMessage message;
        message.readFromInts(in);
        throwSoon(message.rebuild(factory_));
    } else if (letter.envelope.kind == MessageKind::Stop) {
        std::string reason;
        in >> reason;
        stop(std::make_exception_ptr(Terminated(reason, letter.envelope.number)));
    }
    const auto handler = controlHandlers_.find(letter.envelope.kind);
    if (handler != controlHandlers_.end()) handler->second(letter);
}

} // namespace ferry
