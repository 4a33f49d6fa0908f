#include <ferry/tests/framework/survivors/SurvivorSteps.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>

namespace ferry::test {

namespace {

constexpr std::size_t largeCount = 20'000;    // more bytes than a place on the board of a host holds

void require(bool condition, const char* what, int step) {
    if (!condition) throw std::logic_error(fmt::format("step {}: wrong {}", step, what));
}

int sumOfRanks(const Connector& c) { return c.size() * (c.size() - 1) / 2; }

void collectivesOfSmallValues(Connector& c, int step) {
    require(c.allReduce(c.rank(), Sum{}) == sumOfRanks(c), "sum", step);
    require(c.broadcast(c.rank() == 0 ? step : -1) == step, "broadcast", step);
    const std::vector<std::string> names = c.gather(std::to_string(c.rank()), c.size() - 1);
    require(c.rank() != c.size() - 1 || names.size() == static_cast<std::size_t>(c.size()), "gather", step);
}

void collectivesOfLargeValues(Connector& c, int step) {
    std::vector<int> values(largeCount);
    std::iota(values.begin(), values.end(), c.rank() == 0 ? step : 0);
    values = c.broadcast(std::move(values));
    require(values.size() == largeCount && values.back() == step + static_cast<int>(largeCount) - 1, "large broadcast", step);
    const std::vector<int> sums = c.allReduce(std::vector<int>(largeCount, c.rank()), Sum{});
    require(sums.size() == largeCount && sums.back() == sumOfRanks(c), "large sum", step);
    const std::vector<int> all = c.allGather(std::vector<int>(largeCount, c.rank()));
    require(all.size() == largeCount * static_cast<std::size_t>(c.size()) && all.back() == c.size() - 1, "large allGather", step);
}

void exchange(Connector& c, int step) {
    std::vector<int> parts;
    for (int rank = 0; rank < c.size(); ++rank) parts.push_back(1000 * c.rank() + rank);
    const std::vector<int> taken = c.allToAll(parts);
    for (int rank = 0; rank < c.size(); ++rank) require(taken[static_cast<std::size_t>(rank)] == 1000 * rank + c.rank(), "allToAll", step);
}

void circle(Connector& c, int step) {
    int value = c.rank();
    for (int i = 0; i < c.size(); ++i) {
        c.send((c.rank() + 1) % c.size(), value);
        value = c.receive<int>((c.rank() + c.size() - 1) % c.size());
    }
    require(value == c.rank(), "value in the circle", step);
}

void receiveFromAny(Connector& c, int step) {
    int sum = 0;
    if (c.rank() != 0) c.send(0, c.rank(), Tag(step + 1));
    for (int i = 1; c.rank() == 0 && i < c.size(); ++i) sum += c.receive<int>(AnyRank, Tag(step + 1));
    require(c.rank() != 0 || sum == sumOfRanks(c), "sum of any ranks", step);
}

void region(Connector& c, int step, bool fails) {
    try {
        const int sum = c.guarded([&] {
            if (fails && c.rank() == step % c.size()) throw std::range_error("the region fails");
            return c.allReduce(c.rank(), Sum{});
        });
        require(!fails && sum == sumOfRanks(c), "sum in a region", step);
    } catch (const ExceptionList& failures) {
        require(fails && failures.front().as<std::range_error>() != nullptr, "failure of a region", step);
    }
}

void started(Connector& c, int step) {
    auto sum = c.startAllReduce(c.rank(), Sum{});
    c.barrier();
    require(sum.get() == sumOfRanks(c), "started sum", step);
}

void groups(Connector& c, int step) {
    const auto group = c.split(c.rank() % 2, -c.rank());
    require(group->allReduce(1, Sum{}) == group->size(), "sum of a group", step);
    if (group->size() > 1) circle(*group, step);
}

/// Sends many packets of differing sizes. Between processes of one host they go through a ring, and some do not fit into it.
void burst(Connector& c, int step, const Reach& reach) {
    constexpr int packetCount = 150;
    const int next = (c.rank() + 1) % c.size();
    const int before = (c.rank() + c.size() - 1) % c.size();
    const auto sizeOf = [step](int packet) { return static_cast<std::size_t>(packet % 10 == 3 ? 3000 : (packet * 7 + step) % 60); };
    for (int packet = 0; packet < packetCount; ++packet) {
        if (reach) reach("packet");
        c.send(next, std::vector<int>(sizeOf(packet), packet));
        if (packet % 3 == 0) c.poll();
    }
    for (int packet = 0; packet < packetCount; ++packet)
        require(c.receive<std::vector<int>>(before) == std::vector<int>(sizeOf(packet), packet), "packet of a burst", step);
}

void doStep(Connector& c, std::uint64_t seed, int step, const Reach& reach) {
    SeededRandom random(seed + static_cast<std::uint64_t>(step) * 7919);
    switch (random.below(11)) {
        case 0: return collectivesOfSmallValues(c, step);
        case 1: return collectivesOfLargeValues(c, step);
        case 2: return exchange(c, step);
        case 3: return circle(c, step);
        case 4: return receiveFromAny(c, step);
        case 5: return region(c, step, false);
        case 6: return region(c, step, true);
        case 7: return started(c, step);
        case 8: return groups(c, step);
        case 9: return burst(c, step, reach);
        default: return c.barrier();
    }
}

}    // namespace

SurvivorHistory endureSteps(Connector& world, std::uint64_t seed, int stepCount, const Reach& reach) {
    SurvivorHistory history;
    std::unique_ptr<Connector> rest;
    Connector* now = &world;
    bool isRecovering = false;
    for (int step = 0;;) {
        try {
            if (isRecovering) step = now->allReduce(step, Min{});    // a rank may be ahead of another by some steps
            isRecovering = false;
            for (; step < stepCount; ++step) {
                if (reach) reach("step");
                doStep(*now, seed, step, reach);
            }
            now->barrier();
            return history;
        } catch (const LostRank&) {
            rest = now->shrink();
            now = rest.get();
            isRecovering = true;
            std::vector<int> members;
            for (int rank = 0; rank < now->size(); ++rank) members.push_back(now->rankInJob(rank));
            history.push_back(members);
        }
    }
}

bool agree(const SurvivorHistory& one, const SurvivorHistory& other) {
    const std::size_t both = std::min(one.size(), other.size());
    return std::equal(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(both), other.begin());
}

}    // namespace ferry::test
