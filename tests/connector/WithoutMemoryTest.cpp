#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/tests/support/Ranks.hpp>
#include <ferry/tests/support/ScarceMemory.hpp>

// Each case lets one allocation fail, and then another one.

using namespace ferry;
using namespace ferry::test;

namespace withoutmemorytest {

struct Padded {
    double x = 0;
    int kind = 0;    // padding follows this member, so that the bytes to send are a copy
};

/// Makes the call with an allocation that fails. Returns whether the call has ended with a std::bad_alloc.
template <class Call>
bool failsAt(std::uint64_t allocation, const Call& call) {
    try {
        const ScarceMemory scarce(allocation, 1);
        call();
    } catch (const std::bad_alloc&) {
        return true;
    }
    return false;
}

}    // namespace withoutmemorytest

using namespace withoutmemorytest;

TEST_CASE("Without memory: a packet between threads that is declined stays, and all come in order") {
    constexpr std::int32_t count = 40;
    const auto transports = detail::threadTransports(2);
    for (std::int32_t i = 0; i < count; ++i) transports[1]->startHeld(0, IntBuffer(std::span<const std::int32_t>(&i, 1)), nullptr);
    int failures = 0;
    for (std::int32_t next = 0; next < count;) {
        std::optional<detail::Packet> packet = transports[0]->poll();
        REQUIRE(packet.has_value());
        if (packet->offered) {
            const bool isKept = failsAt(1, [&] { transports[0]->decline(*packet); });
            if (!isKept) continue;    // it comes again
            ++failures;
        }
        REQUIRE(packet->ints.size() == 1);
        CHECK(packet->ints.data()[0] == next++);
    }
    CHECK(failures > 0);
}

TEST_CASE("Without memory: a loss is noted whole, by the next try at the latest") {
    const detail::Loss loss{2, "was killed by a signal whose name is long"};
    int failures = 0;
    for (std::uint64_t at = 1; at <= 12; ++at) {
        const auto transports = detail::threadTransports(3);
        detail::Mailbox mailbox(*transports[0], ObjectFactory::global());
        detail::Departures& departures = mailbox.departures();
        if (failsAt(at, [&] { departures.lose(loss); })) {
            ++failures;
            CHECK_FALSE(departures.hasLosses());
            departures.lose(loss);
        }
        CHECK_MESSAGE(departures.hasLeft(2), "allocation ", at);
        const std::optional<detail::Loss> untaken = departures.takeLoss();
        CHECK_MESSAGE((untaken && untaken->reason == loss.reason), "allocation ", at);
        CHECK_FALSE(departures.hasUntakenLoss());
    }
    CHECK(failures > 0);
}

TEST_CASE("Without memory: all ranks leave a collective of large data, and their next one is the same") {
    onRanks(
        [](Connector& c) {
            const auto size = static_cast<std::size_t>(c.size());
            const auto rank = static_cast<std::size_t>(c.rank());
            const std::vector<char> mine(100'000 + rank);
            const std::vector<int> counts(size, 50'000);
            const std::vector<int> places = displacementsOf(counts);
            const std::vector<char> parts(50'000 * size);
            const std::vector<Padded> padded(5'000 + rank);
            std::vector<Padded> shared(100);
            std::vector<int> totals;
            std::vector<char> all;
            std::vector<Padded> allPadded;
            const std::vector<std::function<void()>> calls{
                [&] { c.allGather(mine, {.into = resized(all)}); },
                [&] { c.allToAll(parts, {.counts = counts, .into = resized(all)}); },
                [&] { c.scatter(parts, {.root = 1, .counts = counts, .into = resized(all)}); },
                [&] { c.gather(padded, {.root = 0, .into = resized(allPadded)}); },
                [&] { c.allGather(padded, {.into = resized(allPadded)}); },
                [&] { c.broadcast(std::span(shared), 1); },
                [&] { c.allReduce(counts, Sum{}, {.into = resized(totals)}); },
                [&] { c.scatter(parts, {.root = 1, .counts = counts, .displacements = places, .into = resized(all)}); },
                [&] { c.allToAll(parts, {.counts = counts, .displacements = places, .into = resized(all)}); },
                [&] { c.allGather(mine, {.into = resized(all), .deadline = Deadline::in(std::chrono::hours(1))}); },
            };
            for (const std::function<void()>& call : calls) {
                for (std::uint64_t at = 1; at <= 30; ++at) {
                    all = {};
                    allPadded = {};
                    totals = {};
                    if (c.rank() == 1) {
                        failsAt(at, call);
                    } else {
                        try {
                            call();
                        } catch (const std::bad_alloc&) {
                            // Rank 1 has given the collective up.
                        }
                    }
                    CHECK(c.allGather(static_cast<int>(at)) == std::vector<int>(size, static_cast<int>(at)));
                }
            }
        },
        2);
}
