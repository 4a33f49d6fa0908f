#include <ferry/connector/transport/GrowingTransport.hpp>

#include <sys/wait.h>
#include <unistd.h>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/transport/JoinedTransport.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

using namespace ferry;

namespace growingtransporttest {

IntBuffer bufferOf(std::int32_t value) {
    IntBuffer buffer;
    buffer.append(std::span(&value, 1));
    return buffer;
}

std::int32_t valueOf(const detail::Packet& packet) { return packet.ints.ints().front(); }

/// Rank 0 with two ranks from the start, two ranks that joined, and one rank that joined later.
struct Grown {
    Grown() {
        auto first = detail::threadTransports(3);
        growing = std::make_unique<detail::GrowingTransport>(std::move(first[0]));
        others.push_back(std::move(first[1]));
        others.push_back(std::move(first[2]));
        for (const int count : {2, 1}) {
            auto joined = detail::threadTransports(count + 1);
            const int firstRank = growing->size();
            growing->join(std::move(joined[0]));
            for (int i = 1; i <= count; ++i)
                others.push_back(
                    std::make_unique<detail::JoinedTransport>(std::move(joined[static_cast<std::size_t>(i)]), firstRank + i - 1));
        }
    }
    detail::Transport& other(int rank) { return *others.at(static_cast<std::size_t>(rank - 1)); }

    std::unique_ptr<detail::GrowingTransport> growing;
    std::vector<std::unique_ptr<detail::Transport>> others;    ///< ranks from 1 on
};

}    // namespace growingtransporttest

using namespace growingtransporttest;

TEST_CASE("GrowingTransport: packets go to those who were there and to those who joined, and come from them") {
    Grown grown;
    REQUIRE(grown.growing->size() == 6);
    CHECK(grown.growing->rank() == 0);
    for (int rank = 1; rank < 6; ++rank) {
        CHECK(grown.other(rank).rank() == rank);
        grown.growing->startSend(rank, rank % 2 == 0 ? detail::Channel::Data : detail::Channel::Control, bufferOf(10 * rank));
        CHECK(grown.growing->undelivered(rank) == 1);
    }
    for (int rank = 1; rank < 6; ++rank) {
        const std::optional<detail::Packet> packet = grown.other(rank).poll();
        REQUIRE(packet.has_value());
        CHECK(packet->from == 0);
        CHECK(packet->channel == (rank % 2 == 0 ? detail::Channel::Data : detail::Channel::Control));
        CHECK(valueOf(*packet) == 10 * rank);
        CHECK(grown.growing->undelivered(rank) == 0);
        grown.other(rank).startSend(0, detail::Channel::Data, bufferOf(rank));
        CHECK(grown.other(rank).undelivered(0) == 1);
    }
    std::vector<bool> hasCome(6, false);
    for (int count = 1; count < 6; ++count) {
        const std::optional<detail::Packet> packet = grown.growing->poll();
        REQUIRE(packet.has_value());
        CHECK(valueOf(*packet) == packet->from);
        CHECK_FALSE(hasCome.at(static_cast<std::size_t>(packet->from)));
        hasCome.at(static_cast<std::size_t>(packet->from)) = true;
    }
    CHECK_FALSE(grown.growing->poll().has_value());
    CHECK(grown.growing->pendingSends() == 0);
}

TEST_CASE("GrowingTransport: rank 0 sends to itself, and a group that sends much does not keep the others waiting") {
    Grown grown;
    grown.growing->startSend(0, detail::Channel::Data, bufferOf(7));
    const std::optional<detail::Packet> own = grown.growing->poll();
    REQUIRE(own.has_value());
    CHECK(own->from == 0);
    for (int i = 0; i < 100; ++i) grown.other(3).startSend(0, detail::Channel::Data, bufferOf(i));
    grown.other(5).startSend(0, detail::Channel::Data, bufferOf(1000));
    int before = 0;
    while (grown.growing->poll()->from != 5) ++before;
    CHECK(before <= 2);
}

TEST_CASE("GrowingTransport: one poll looks at all transports, whichever had the last turn") {
    Grown grown;
    for (int round = 0; round < 3; ++round) {
        for (int rank = 0; rank < 6; ++rank) {
            if (rank == 0) grown.growing->startSend(0, detail::Channel::Data, bufferOf(rank));
            if (rank != 0) grown.other(rank).startSend(0, detail::Channel::Data, bufferOf(rank));
            const std::optional<detail::Packet> packet = grown.growing->poll();
            REQUIRE(packet.has_value());
            CHECK(packet->from == rank);
        }
    }
}

TEST_CASE("GrowingTransport: abort() ends the process with the status") {
    const Grown grown;
    std::fflush(nullptr);    // the end of the child writes what is left in the buffers
    const ::pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) grown.growing->abort(7);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 7);
}

TEST_CASE("JoinedTransport: packets to other ranks than rank 0 are dropped, and packets to itself arrive") {
    Grown grown;
    detail::Transport& joined = grown.other(4);
    joined.startSend(1, detail::Channel::Data, bufferOf(1));
    joined.startSend(3, detail::Channel::Data, bufferOf(3));
    CHECK(joined.undelivered(3) == 0);
    joined.startSend(4, detail::Channel::Data, bufferOf(4));
    CHECK_FALSE(grown.other(1).poll().has_value());
    CHECK_FALSE(grown.other(3).poll().has_value());
    const std::optional<detail::Packet> own = joined.poll();
    REQUIRE(own.has_value());
    CHECK(own->from == 4);
    joined.forget(2);
    joined.forget(0);
}

TEST_CASE("GrowingTransport: ranks join rank 0 alone") {
    auto transports = detail::threadTransports(2);
    CHECK_THROWS_WITH_AS(detail::GrowingTransport{std::move(transports[1])}, "ranks join rank 0, and no other", UsageError);
    detail::GrowingTransport growing(std::move(transports[0]));
    auto more = detail::threadTransports(2);
    CHECK_THROWS_AS(growing.join(std::move(more[1])), UsageError);
    CHECK(growing.size() == 2);
}

TEST_CASE("Transports: ranks as threads are crowded when they outnumber the processors, also where one transport is around another") {
    const int processors = static_cast<int>(std::thread::hardware_concurrency());
    REQUIRE(processors > 0);
    for (const bool isCrowded : {false, true}) {
        const int rankCount = isCrowded ? processors + 2 : processors;
        CHECK(detail::threadTransports(rankCount)[0]->isCrowded() == isCrowded);
        CHECK(detail::GrowingTransport(std::move(detail::threadTransports(rankCount)[0])).isCrowded() == isCrowded);
        if (rankCount > 1) CHECK(detail::JoinedTransport(std::move(detail::threadTransports(rankCount)[1]), 5).isCrowded() == isCrowded);
    }
}
