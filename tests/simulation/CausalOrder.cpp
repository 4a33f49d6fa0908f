#include <ferry/tests/simulation/CausalOrder.hpp>

#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include <ferry/tests/simulation/TransportDecorator.hpp>

namespace ferry::test {

class CausalOrder::Watching final : public TransportDecorator {
public:
    Watching(std::unique_ptr<detail::Transport> inner, CausalOrder& order) : TransportDecorator(std::move(inner)), order_(order) {}

    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        order_.noteSent(rank(), to, channel);
        TransportDecorator::startSend(to, channel, std::move(ints));
    }
    std::optional<detail::Packet> poll() override {
        std::optional<detail::Packet> packet = TransportDecorator::poll();
        if (packet) order_.noteTaken(packet->from, rank(), packet->channel);
        return packet;
    }

private:
    CausalOrder& order_;
};

CausalOrder::CausalOrder(int rankCount) : now_(static_cast<std::size_t>(rankCount), Time(static_cast<std::size_t>(rankCount), 0)) {}

std::unique_ptr<detail::Transport> CausalOrder::watch(std::unique_ptr<detail::Transport> transport) {
    return std::make_unique<Watching>(std::move(transport), *this);
}

void CausalOrder::noteSent(int from, int to, detail::Channel channel) {
    Time& now = now_[static_cast<std::size_t>(from)];
    ++now[static_cast<std::size_t>(from)];
    underWay_[Road({from, to}, channel)].push_back(now);
}

void CausalOrder::noteTaken(int from, int to, detail::Channel channel) {
    std::deque<Time>& road = underWay_[Road({from, to}, channel)];
    if (road.empty()) return;    // a packet of a rank that was killed
    Time& now = now_[static_cast<std::size_t>(to)];
    for (std::size_t rank = 0; rank < now.size(); ++rank) now[rank] = std::max(now[rank], road.front()[rank]);
    road.pop_front();
}

void CausalOrder::threw(int rank, int number) {
    Time& now = now_[static_cast<std::size_t>(rank)];
    ++now[static_cast<std::size_t>(rank)];
    thrown_[number].push_back(now);
}

void CausalOrder::failed(int rank, const std::vector<int>& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        for (std::size_t j = i + 1; j < numbers.size(); ++j) {
            if (isAlwaysBefore(numbers[j], numbers[i]))
                problems_.push_back(
                    fmt::format("rank {}: {} is told before {}, from which it can have followed", rank, numbers[i], numbers[j]));
        }
    }
}

/// Whether every throw of failure `number` can have led to every throw of failure `other`.
bool CausalOrder::isAlwaysBefore(int number, int other) const {
    const auto earlier = thrown_.find(number);
    const auto later = thrown_.find(other);
    if (earlier == thrown_.end() || later == thrown_.end()) return false;
    const auto isBefore = [](const Time& left, const Time& right) {
        return std::equal(left.begin(), left.end(), right.begin(), std::less_equal<>()) && left != right;
    };
    return std::all_of(earlier->second.begin(), earlier->second.end(), [&](const Time& left) {
        return std::all_of(later->second.begin(), later->second.end(), [&](const Time& right) { return isBefore(left, right); });
    });
}

}    // namespace ferry::test
