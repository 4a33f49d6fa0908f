#include <ferry/connector/transport/simulation/SimulatedNetwork.hpp>

#include <algorithm>
#include <array>

namespace ferry::detail {

namespace {

// The possible scales of delays. The network may be faster than the ranks, or so slow that every exchange takes long.
constexpr std::array<std::uint64_t, 5> delaysUs{1, 10, 100, 1000, 20'000};
constexpr std::uint64_t stragglerOneIn = 32;
constexpr std::int64_t stragglerFactor = 20;

std::uint64_t drawScale(SeededRandom& random) { return delaysUs[random.below(delaysUs.size())]; }

}    // namespace

SimulatedNetwork::SimulatedNetwork(int rankCount, SeededRandom random, std::optional<std::chrono::microseconds> packetDelay)
    : random_(random),
      inboxes_(static_cast<std::size_t>(rankCount)),
      pairs_(inboxes_.size()),
      underWayFrom_(inboxes_.size(), 0),
      dataDelayUs_(drawScale(random_)),
      controlDelayUs_(drawScale(random_)),
      keepsWhatIsSent_(random_.oneIn(2)) {
    if (packetDelay) dataDelayUs_ = controlDelayUs_ = static_cast<std::uint64_t>(packetDelay->count());
}

SimulatedNetwork::Pair& SimulatedNetwork::pair(int from, int to) {
    std::vector<Pair>& receivers = pairs_[static_cast<std::size_t>(from)];
    if (static_cast<std::size_t>(to) >= receivers.size()) receivers.resize(static_cast<std::size_t>(to) + 1);
    return receivers[static_cast<std::size_t>(to)];
}

std::size_t SimulatedNetwork::countUntaken(int from, int to) const noexcept {
    const std::vector<Pair>& receivers = pairs_[static_cast<std::size_t>(from)];
    return static_cast<std::size_t>(to) < receivers.size() ? receivers[static_cast<std::size_t>(to)].untaken : 0;
}

std::int64_t SimulatedNetwork::drawDelayUs(Channel channel) {
    const auto delayUs = static_cast<std::int64_t>(random_.below(channel == Channel::Control ? controlDelayUs_ : dataDelayUs_));
    return random_.oneIn(stragglerOneIn) ? delayUs * stragglerFactor : delayUs;
}

void SimulatedNetwork::send(int to, Packet packet, std::int64_t nowUs) {
    const int from = packet.from;
    Pair& known = pair(from, to);
    std::int64_t& lastUs = packet.channel == Channel::Control ? known.lastControlUs : known.lastDataUs;
    lastUs = std::max(lastUs, nowUs + drawDelayUs(packet.channel));
    ++known.untaken;
    ++underWayFrom_[static_cast<std::size_t>(from)];
    underWay_.emplace(FlightKey(lastUs, sentCount_++), Flight{to, std::move(packet)});
}

std::optional<SimulatedNetwork::Arrival> SimulatedNetwork::arriveNext(std::int64_t nowUs) {
    if (nextArrivalUs() > nowUs) return std::nullopt;
    Flight flight = std::move(underWay_.begin()->second);
    underWay_.erase(underWay_.begin());
    --underWayFrom_[static_cast<std::size_t>(flight.packet.from)];
    Inbox& inbox = inboxOf(flight.to);
    if (inbox.isClosed) {
        --pair(flight.packet.from, flight.to).untaken;
        dropped_ = std::move(flight.packet);
        return Arrival{flight.to, true, *dropped_};
    }
    std::deque<Packet>& queue = flight.packet.channel == Channel::Control ? inbox.control : inbox.data;
    queue.push_back(std::move(flight.packet));
    return Arrival{flight.to, false, queue.back()};
}

bool SimulatedNetwork::hasPacketFor(int rank) const noexcept {
    const Inbox& inbox = inboxes_[static_cast<std::size_t>(rank)];
    return !inbox.control.empty() || !inbox.data.empty();
}

std::optional<Packet> SimulatedNetwork::take(int rank) {
    if (!hasPacketFor(rank)) return std::nullopt;
    Inbox& inbox = inboxOf(rank);
    // A real transport may look at control traffic only now and then.
    const bool takesControl = inbox.data.empty() || (!inbox.control.empty() && !random_.oneIn(4));
    std::deque<Packet>& queue = takesControl ? inbox.control : inbox.data;
    std::optional<Packet> packet(std::move(queue.front()));
    queue.pop_front();
    --pair(packet->from, rank).untaken;
    return packet;
}

std::size_t SimulatedNetwork::countUnderWay(int from) const noexcept {
    return keepsWhatIsSent_ ? 0 : underWayFrom_[static_cast<std::size_t>(from)];
}

void SimulatedNetwork::close(int rank) {
    Inbox& inbox = inboxOf(rank);
    inbox.isClosed = true;
    for (std::deque<Packet>* queue : {&inbox.control, &inbox.data}) {
        for (const Packet& packet : *queue) --pair(packet.from, rank).untaken;
        queue->clear();
    }
}

std::vector<SimulatedNetwork::Lost> SimulatedNetwork::loseSomeFrom(int rank, std::int64_t nowUs) {
    const std::int64_t lastHeardUs = nowUs + static_cast<std::int64_t>(random_.below(2 * dataDelayUs_));
    std::vector<Lost> lost;
    for (auto flight = underWay_.upper_bound(FlightKey(lastHeardUs, UINT64_MAX)); flight != underWay_.end();) {
        if (flight->second.packet.from != rank) {
            ++flight;
            continue;
        }
        --underWayFrom_[static_cast<std::size_t>(rank)];
        --pair(rank, flight->second.to).untaken;
        lost.emplace_back(flight->second.to, std::move(flight->second.packet));
        flight = underWay_.erase(flight);
    }
    return lost;
}

}    // namespace ferry::detail
