#include <ferry/connector/transport/GrowingTransport.hpp>

#include <algorithm>
#include <exception>
#include <utility>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

// The longest rest among several transports. A packet ends only a rest in its own transport.
constexpr std::chrono::microseconds restAmongSeveral{200};

std::unique_ptr<Transport> requireFirstRank(std::unique_ptr<Transport> transport) {
    if (transport->rank() != 0) throw UsageError("ranks join rank 0, and no other");
    return transport;
}

}    // namespace

GrowingTransport::GrowingTransport(std::unique_ptr<Transport> first) : first_(requireFirstRank(std::move(first))), size_(first_->size()) {
    setCrowded(first_->isCrowded());
}

void GrowingTransport::join(std::unique_ptr<Transport> transport) {
    const int count = transport->size() - 1;
    groups_.push_back({size_, requireFirstRank(std::move(transport))});
    size_ += count;
}

GrowingTransport::Place GrowingTransport::placeOf(int rank) const {
    const auto behind =
        std::upper_bound(groups_.begin(), groups_.end(), rank, [](int wanted, const Group& group) { return wanted < group.firstRank; });
    if (behind == groups_.begin()) return {*first_, rank};
    const Group& group = *std::prev(behind);
    return {*group.transport, rank - group.firstRank + 1};
}

void GrowingTransport::startSend(int to, Channel channel, IntBuffer ints) {
    const Place place = placeOf(to);
    place.transport.startSend(place.rank, channel, std::move(ints));
}

void GrowingTransport::startOffer(int to, IntBuffer ints) {
    if (to < first_->size()) return first_->startOffer(to, std::move(ints));
    Transport::startOffer(to, std::move(ints));
}

void GrowingTransport::startHeld(int to, IntBuffer ints, std::shared_ptr<const void> holder) {
    if (to < first_->size()) return first_->startHeld(to, std::move(ints), std::move(holder));
    Transport::startHeld(to, std::move(ints), std::move(holder));    // a rank that has joined takes no arrays from their place
}

void GrowingTransport::decline(Packet& packet) {
    const Place place = placeOf(packet.from);
    const int from = std::exchange(packet.from, place.rank);
    try {
        place.transport.decline(packet);
    } catch (...) {
        packet.from = from;    // the caller still has the packet
        throw;
    }
}

/// Polls all transports in turn, so that none waits for another.
std::optional<Packet> GrowingTransport::poll() {
    if (groups_.empty()) return first_->poll();
    for (std::size_t tries = 0; tries <= groups_.size(); ++tries) {
        turn_ = (turn_ + 1) % (groups_.size() + 1);
        if (turn_ == groups_.size()) {
            if (std::optional<Packet> packet = first_->poll()) return packet;
            continue;
        }
        const Group& group = groups_[turn_];
        if (std::optional<Packet> packet = group.transport->poll()) {
            packet->from += group.firstRank - 1;
            return packet;
        }
    }
    return std::nullopt;
}

std::size_t GrowingTransport::pendingSends() const noexcept {
    std::size_t count = first_->pendingSends();
    for (const Group& group : groups_) count += group.transport->pendingSends();
    return count;
}

std::size_t GrowingTransport::undelivered(int to) const noexcept {
    const Place place = placeOf(to);
    return place.transport.undelivered(place.rank);
}

void GrowingTransport::idle(std::chrono::microseconds atMost) {
    first_->idle(groups_.empty() ? atMost : std::min(atMost, restAmongSeveral));
}

void GrowingTransport::forget(int rank) {
    const Place place = placeOf(rank);
    place.transport.forget(place.rank);
}

void GrowingTransport::finishTogether() noexcept {
    first_->finishTogether();
    for (const Group& group : groups_) group.transport->finishTogether();
}

void GrowingTransport::die(int exitStatus) {
    first_->die(exitStatus);
    std::terminate();    // not reached
}

void GrowingTransport::abort(int exitStatus) {
    first_->abort(exitStatus);
    std::terminate();    // not reached
}

}    // namespace ferry::detail
