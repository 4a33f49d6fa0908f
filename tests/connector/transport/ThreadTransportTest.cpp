#include <ferry/connector/transport/ThreadTransport.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

using namespace ferry;

namespace threadtransporttest {

// Longer than the time-out of the test. A rest that nothing ends hangs, and the time-out finds the hang.
constexpr std::chrono::hours veryLong{1};

IntBuffer packetOf(std::int32_t value) {
    IntBuffer buffer;
    buffer.append(std::span(&value, 1));
    return buffer;
}

std::int32_t intIn(const detail::Packet& packet) { return packet.ints.ints().front(); }

/// Rests until a packet has come.
detail::Packet awaitPacket(detail::Transport& transport) {
    for (;;) {
        if (std::optional<detail::Packet> packet = transport.poll()) return std::move(*packet);
        transport.idle(veryLong);
    }
}

/// Runs the function on a thread of its own for each transport.
void onThreads(std::vector<std::unique_ptr<detail::Transport>>& transports, const std::function<void(detail::Transport&)>& function) {
    std::vector<std::thread> threads;
    for (const auto& transport : transports) threads.emplace_back([&function, &transport] { function(*transport); });
    for (std::thread& thread : threads) thread.join();
}

}    // namespace threadtransporttest

using namespace threadtransporttest;

TEST_CASE("ThreadTransport: a packet ends the rest of its receiver, on each channel") {
    constexpr std::int32_t rounds = 2000;    // in most of them the receiver rests before the packet comes
    for (const detail::Channel channel : {detail::Channel::Data, detail::Channel::Control}) {
        auto transports = detail::threadTransports(2);
        std::atomic<std::int32_t> wrongCount{0};
        onThreads(transports, [&](detail::Transport& transport) {
            const int other = 1 - transport.rank();
            for (std::int32_t round = 0; round < rounds; ++round) {
                if (transport.rank() == 0) transport.startSend(other, channel, packetOf(round));
                if (intIn(awaitPacket(transport)) != round) ++wrongCount;
                if (transport.rank() == 1) transport.startSend(other, channel, packetOf(round));
            }
        });
        CHECK(wrongCount == 0);
    }
}

TEST_CASE("ThreadTransport: wake() ends the rest of the rank, also before it begins") {
    constexpr int rounds = 20'000;    // some of these calls come between the look of the rank and its rest
    auto transports = detail::threadTransports(1);
    std::atomic<int> asked{0};
    std::thread waker([&] {
        for (int round = 1; round <= rounds; ++round) {
            while (asked < round) std::this_thread::yield();
            transports[0]->wake();
        }
    });
    for (int round = 1; round <= rounds; ++round) {
        asked = round;
        transports[0]->idle(veryLong);
    }
    waker.join();
    CHECK_FALSE(transports[0]->poll().has_value());
}

TEST_CASE("ThreadTransport: packets of several senders arrive once each, those of one sender in their order") {
    constexpr std::int32_t packetCount = 20'000;
    constexpr int senderCount = 3;
    auto transports = detail::threadTransports(senderCount + 1);
    std::atomic<std::int32_t> wrongCount{0};
    onThreads(transports, [&](detail::Transport& transport) {
        if (transport.rank() != 0) {
            for (std::int32_t i = 0; i < packetCount; ++i)
                transport.startSend(0, i % 2 == 0 ? detail::Channel::Data : detail::Channel::Control, packetOf(i));
            return;
        }
        std::vector<std::int32_t> next(2 * (senderCount + 1));    // for each sender and channel
        for (std::size_t rank = 0; rank < next.size() / 2; ++rank) next[2 * rank + 1] = 1;
        for (std::int32_t count = 0; count < senderCount * packetCount; ++count) {
            const detail::Packet packet = awaitPacket(transport);
            std::int32_t& expected = next[2 * static_cast<std::size_t>(packet.from) + (packet.channel == detail::Channel::Control ? 1 : 0)];
            if (intIn(packet) != expected) ++wrongCount;
            expected += 2;
        }
        if (transport.poll()) ++wrongCount;
    });
    CHECK(wrongCount == 0);
}

TEST_CASE("ThreadTransport: packets that a rank declines come next again, while others arrive") {
    constexpr std::int32_t packetCount = 5000;
    auto transports = detail::threadTransports(3);
    std::atomic<std::int32_t> wrongCount{0};
    onThreads(transports, [&](detail::Transport& transport) {
        if (transport.rank() == 1) {
            for (std::int32_t i = 0; i < packetCount; ++i) transport.startHeld(0, packetOf(i), nullptr);
            while (transport.undelivered(0) > 0) std::this_thread::yield();    // the inbox of the sender is told of the end of an array
        } else if (transport.rank() == 2) {
            for (std::int32_t i = 0; i < packetCount; ++i) transport.startSend(0, detail::Channel::Data, packetOf(i));
        } else {
            std::vector<std::int32_t> next(3);
            for (std::int32_t count = 0; count < 2 * packetCount;) {
                detail::Packet packet = awaitPacket(transport);
                if (packet.offered) {
                    transport.decline(packet);
                    continue;
                }
                if (intIn(packet) != next[static_cast<std::size_t>(packet.from)]++) ++wrongCount;
                ++count;
            }
        }
    });
    CHECK(wrongCount == 0);
}

TEST_CASE("ThreadTransport: a rank that goes gives arrays in its inbox back to their sender") {
    auto transports = detail::threadTransports(2);
    auto holder = std::make_shared<int>(5);
    transports[0]->startHeld(1, packetOf(1), holder);
    CHECK(holder.use_count() == 2);
    transports[1].reset();
    CHECK(holder.use_count() == 1);
    transports[0]->idle(veryLong);    // the end of the array has woken the sender
}

TEST_CASE("ThreadTransport: a rank that goes while packets arrive drops them") {
    for (int round = 0; round < 100; ++round) {
        auto transports = detail::threadTransports(3);
        const std::unique_ptr<detail::Transport> first = std::move(transports[1]);
        const std::unique_ptr<detail::Transport> second = std::move(transports[2]);
        std::atomic<int> sentCount{0};
        std::atomic<bool> hasGone{false};
        const auto send = [&](detail::Transport& transport) {
            for (int after = 0; after < 100; after += hasGone ? 1 : 0) {
                transport.startSend(0, detail::Channel::Data, packetOf(1));
                ++sentCount;
            }
        };
        std::thread other([&] { send(*first); });
        std::thread another([&] { send(*second); });
        while (sentCount < 100) std::this_thread::yield();
        transports[0].reset();
        hasGone = true;
        other.join();
        another.join();
        CHECK(first->undelivered(0) + second->undelivered(0) == 0);
    }
}
