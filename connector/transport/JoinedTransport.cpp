#include <ferry/connector/transport/JoinedTransport.hpp>

#include <exception>
#include <utility>

namespace ferry::detail {

std::optional<int> JoinedTransport::placeOf(int rank) const {
    if (rank == 0) return 0;
    return rank == rank_ ? std::optional(transport_->rank()) : std::nullopt;
}

void JoinedTransport::startSend(int to, Channel channel, IntBuffer ints) {
    if (const std::optional<int> place = placeOf(to)) transport_->startSend(*place, channel, std::move(ints));
}

std::optional<Packet> JoinedTransport::poll() {
    std::optional<Packet> packet = transport_->poll();
    if (packet && packet->from != 0) packet->from = rank_;    // no other rank sends here
    return packet;
}

std::size_t JoinedTransport::undelivered(int to) const noexcept {
    const std::optional<int> place = placeOf(to);
    return place ? transport_->undelivered(*place) : 0;
}

void JoinedTransport::forget(int rank) {
    if (const std::optional<int> place = placeOf(rank)) transport_->forget(*place);
}

void JoinedTransport::die(int exitStatus) {
    transport_->die(exitStatus);
    std::terminate();    // not reached
}

void JoinedTransport::abort(int exitStatus) {
    transport_->abort(exitStatus);
    std::terminate();    // not reached
}

}    // namespace ferry::detail
