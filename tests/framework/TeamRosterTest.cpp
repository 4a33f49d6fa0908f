#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/framework/parcel/TeamRoster.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry::detail {

namespace {

constexpr int ownRank = 2;
constexpr int jobSize = 5;

/// A letter with this vector in its body.
Letter letterOf(const std::vector<std::int32_t>& numbers) {
    const auto transports = threadTransports(1);
    Mailbox mailbox(*transports[0], ObjectFactory::global());
    const Envelope envelope{JobKind::TaskNotice, static_cast<std::int32_t>(TaskNotice::Roster), 7};
    return {0, envelope, mailbox.pack(envelope, [&](IntWriter& out) { out << numbers; })};
}

}    // namespace

TEST_CASE("TeamRoster: the number of the group, and the ranks in their order") {
    const TeamRoster roster = rosterIn(letterOf({9, 4, 2, 1}), ownRank, jobSize);
    CHECK(roster.id == 9);
    CHECK(roster.ranks == std::vector<int>{4, 2, 1});
}

TEST_CASE("TeamRoster: a damaged one is refused") {
    const std::vector<std::vector<std::int32_t>> damaged = {
        {},                // nothing
        {9},               // no ranks
        {-1, 2},           // no number of a group
        {9, 1, 3},         // without this rank
        {9, 2, 2},         // a rank twice
        {9, 2, 0},         // the master
        {9, 2, -3},        // no rank
        {9, 2, jobSize}    // a rank that does not exist
    };
    for (const std::vector<std::int32_t>& numbers : damaged)
        CHECK_THROWS_AS(rosterIn(letterOf(numbers), ownRank, jobSize), SerializationError);
}

}    // namespace ferry::detail
