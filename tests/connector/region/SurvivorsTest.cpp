#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>
#include <ferry/connector/region/Survivors.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>

using namespace ferry;
using namespace ferry::detail;

namespace survivorsunittest {

SurvivorPart sample() {
    SurvivorPart part;
    part.groups = {5, 2};
    part.ballot = 1;
    part.nextGroup = 7;
    part.isDecided = true;
    part.decision = {8, {0, 3}};
    part.lost = {{2, "died"}};
    return part;
}

IntBuffer packed(const SurvivorPart& part) {
    IntBuffer ints;
    IntWriter out(ints);
    out << part;
    out.finish();
    return ints;
}

/// The mailboxes of three ranks, with their survivors.
struct SurvivorPlaces {
    std::vector<std::unique_ptr<detail::Transport>> transports = detail::threadTransports(3);
    detail::Mailbox first{*transports[0], ObjectFactory::global()};
    detail::Mailbox second{*transports[1], ObjectFactory::global()};
    Survivors ofFirst{first};

    void send(std::int32_t key, const SurvivorPart& part) {
        second.post(0, detail::Channel::Control, detail::Envelope{detail::MessageKind::Shrink, key, 0},
                    [&part](IntWriter& out) { out << part; });
    }
};

}    // namespace survivorsunittest

using namespace survivorsunittest;

TEST_CASE("SurvivorPart: comes back as it was, and refuses to end early") {
    const IntBuffer ints = packed(sample());
    IntReader in(ints.ints());
    SurvivorPart read;
    in >> read;
    in.expectEnd();
    CHECK(read.groups == sample().groups);
    CHECK(read.ballot == 1);
    CHECK(read.nextGroup == 7);
    CHECK(read.isDecided);
    CHECK(read.decision.id == 8);
    CHECK(read.decision.members == sample().decision.members);
    CHECK(read.lost == sample().lost);
    for (std::size_t length = 0; length < ints.size(); ++length) {
        IntReader cut(ints.ints().first(length));
        SurvivorPart other;
        CHECK_THROWS_AS((cut >> other, cut.expectEnd()), SerializationError);
    }
}

TEST_CASE("SurvivorPart: its ints are those of the wire format") {
    constexpr std::int32_t died = 'd' | 'i' << 8 | 'e' << 16 | 'd' << 24;
    const std::vector<std::int32_t> expected{2, 5, 2, 1, 7, 1, 8, 2, 0, 3, 1, 2, 4, died};
    const IntBuffer ints = packed(sample());
    CHECK(std::vector<std::int32_t>(ints.ints().begin(), ints.ints().end()) == expected);
}

TEST_CASE("Survivors: impossible letters are refused") {
    SurvivorPlaces places;
    const auto isRefused = [&places](std::int32_t key, const SurvivorPart& part) {
        places.send(key, part);
        CHECK_THROWS_AS(places.first.poll(), SerializationError);
    };
    isRefused(5, SurvivorPart{});
    for (const std::vector<int>& members : {std::vector<int>{}, {1, 2}, {0, 3}, {-1, 0}, {0, 0}}) {
        SurvivorPart part;
        part.isDecided = true;
        part.decision = {1, members};
        isRefused(3, part);
    }
    SurvivorPart loss;
    loss.lost = {{3, "died"}};
    isRefused(1, loss);
}

TEST_CASE("Survivors: a rank that others wait for because of a loss is summoned, and one that nobody has lost is not") {
    SurvivorPlaces places;
    places.send(1, SurvivorPart{});
    places.first.poll();
    SurvivorPart part;
    part.lost = {{2, "died"}};
    places.send(1, part);
    CHECK_THROWS_AS(places.first.poll(), LostRank);
    CHECK_THROWS_AS(places.first.poll(), LostRank);
    CHECK(places.first.departures().isLost(2));
    places.first.due().endSummons();
    places.first.poll();
}
