#include <ferry/connector/message/GroupTransport.hpp>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/message/state/MailboxHooks.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/xassert.hpp>

namespace ferry::detail {

namespace {

// Limit of letters in one poll(). Even when all of them are for other mailboxes, the rank must still check what is due.
constexpr int lettersPerPoll = 64;

}    // namespace

GroupTransport::GroupTransport(Mailbox& around, std::int32_t id, std::vector<int> members)
    : around_(&around),
      id_(id),
      members_(std::move(members)) {
    const auto own = std::find(members_.begin(), members_.end(), around.transport().rank());
    xassert(own != members_.end(), "group {}", id);
    rank_ = static_cast<int>(own - members_.begin());
    setCrowded(around.transport().isCrowded());
}

void GroupTransport::startSend(int to, Channel channel, IntBuffer ints) {
    if (around_ == nullptr) return;
    IntBuffer letter = around_->pack(Envelope{MessageKind::Group, id_, 0}, [](IntWriter&) {});
    const std::size_t bodyAt = letter.ownSize();
    letter.resizeUninitialized(bodyAt + ints.size());
    ints.copyTo(letter.data() + bodyAt);
    buffers().giveBack(std::move(ints));
    if (channel == Channel::Data) {
        around_->postNow(rankAround(to), std::move(letter));
    } else {
        around_->postInts(rankAround(to), channel, std::move(letter));
    }
}

LendingSizes GroupTransport::holdsFrom() const noexcept { return around_ != nullptr ? around_->transport().holdsFrom() : LendingSizes(); }

void GroupTransport::startHeld(int to, IntBuffer ints, std::shared_ptr<const void> holder) {
    if (around_ == nullptr) return;
    IntBuffer letter = around_->pack(Envelope{MessageKind::Group, id_, 0}, [](IntWriter&) {});
    for (const IntBuffer::Segment& segment : ints.segments()) {
        if (segment.isBorrowed) {
            letter.borrow(segment.bytes, segment.intCount);
        } else {
            letter.append({reinterpret_cast<const std::int32_t*>(segment.bytes), segment.intCount});
        }
    }
    around_->postNow(rankAround(to), std::move(letter), std::move(holder));
}

std::optional<Packet> GroupTransport::poll() {
    for (int count = 0; count < lettersPerPoll && data_.empty() && around_ != nullptr && around_->stepAndKeep(); ++count) {}
    return takeOldest(data_);
}

std::optional<Packet> GroupTransport::takeControl() { return takeOldest(control_); }

std::optional<Packet> GroupTransport::takeOldest(std::deque<Packet>& packets) {
    if (packets.empty()) return std::nullopt;
    std::optional<Packet> packet(std::move(packets.front()));
    packets.pop_front();
    return packet;
}

std::size_t GroupTransport::pendingSends() const noexcept { return around_ != nullptr ? around_->transport().pendingSends() : 0; }

std::size_t GroupTransport::undelivered(int to) const noexcept {
    return around_ != nullptr ? around_->transport().undelivered(rankAround(to)) : 0;
}

void GroupTransport::noteWait() noexcept {
    if (around_ != nullptr) passWaitOn(around_->transport());
}

void GroupTransport::idle(std::chrono::microseconds atMost) {
    if (around_ != nullptr) around_->transport().idle(atMost);
}

Transport::Clock::time_point GroupTransport::now() const noexcept {
    return around_ != nullptr ? around_->transport().now() : Transport::now();
}

bool GroupTransport::hasVirtualTime() const noexcept { return around_ != nullptr && around_->transport().hasVirtualTime(); }

void GroupTransport::wake() noexcept {
    if (around_ != nullptr) around_->transport().wake();
}

void GroupTransport::abort(int exitStatus) {
    if (around_ != nullptr) around_->transport().abort(exitStatus);
    std::_Exit(exitStatus);
}

void GroupTransport::give(Channel channel, const Letter& letter) {
    const auto sender = std::find(members_.begin(), members_.end(), letter.from);
    if (sender == members_.end())
        throw SerializationError(fmt::format("expected a letter of a member of group {}, found one of rank {}", id_, letter.from));
    Packet packet{static_cast<int>(sender - members_.begin()), channel, IntBuffer(letter.bodyStart())};
    packet.missingInts = letter.missingInts;
    packet.regionsAround.push_back(letter.envelope.region);
    packet.regionsAround.insert(packet.regionsAround.end(), letter.regionsAround.begin(), letter.regionsAround.end());
    (channel == Channel::Data ? data_ : control_).push_back(std::move(packet));
}

void GroupTransport::takeOverLetters(Mailbox& inner) {
    const auto isOwn = [this](const Letter& letter) {
        return letter.envelope.kind == MessageKind::Group && letter.envelope.key == id_;
    };
    const auto takeOver = [&](auto& letters, Channel channel) {
        letters.handOver(isOwn, [&](Letter&& letter) {
            try {
                give(channel, letter);
            } catch (const std::bad_alloc&) {
                throw;
            } catch (...) {
                inner.due().throwSoon(std::current_exception());
            }
        });
    };
    takeOver(around_->arrived(), Channel::Data);
    takeOver(around_->hooks().unhandled(), Channel::Control);
    inner.takeInControl();
}

bool GroupTransport::holdsFrom(int rank) const noexcept {
    return std::any_of(data_.begin(), data_.end(), [rank](const Packet& packet) { return packet.from == rank; });
}

void GroupTransport::dropFailed() {
    const auto isOver = [this](const Packet& packet) { return around_->nest().areOver(packet.regionsAround); };
    std::erase_if(data_, isOver);
    std::erase_if(control_, isOver);
}

}    // namespace ferry::detail
