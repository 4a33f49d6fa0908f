#include <ferry/connector/transport/Announcement.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/SerializationError.hpp>

using namespace ferry;

namespace {

std::span<const std::int32_t> viewOf(const IntBuffer& ints) { return ints.ints(); }

/// 10 ints. Two arrays of 2 and 3 of these ints are not sent with the others.
detail::Announcement sample(std::span<const std::int32_t> inside) { return {10, 7, {{1, 2}, {5, 3}}, inside}; }

std::vector<std::int32_t> intsOf(std::int64_t packetInts, std::int32_t transfer, std::vector<std::array<std::int64_t, 2>> arrays) {
    IntBuffer ints;
    IntWriter out(ints);
    out.writeInt64(packetInts);
    out.writeInt(transfer);
    out.writeInt(static_cast<std::int32_t>(arrays.size()));
    for (const auto& [place, intCount] : arrays) {
        out.writeInt64(place);
        out.writeInt64(intCount);
    }
    out.finish();
    return {viewOf(ints).begin(), viewOf(ints).end()};
}

}    // namespace

TEST_CASE("Announcement: round trip, with the small rests inside when there is room for them") {
    const std::array<std::int32_t, 5> rests{1, 2, 3, 4, 5};
    IntBuffer ints;
    CHECK(sample(rests).write(ints, 512));
    const detail::Announcement inside = detail::Announcement::read(viewOf(ints));
    CHECK(inside.packetInts == 10);
    CHECK(inside.transfer == 7);
    REQUIRE(inside.arrays.size() == 2);
    CHECK(inside.arrays[1].place == 5);
    CHECK(inside.arrays[1].intCount == 3);
    CHECK(inside.otherInts() == 5);
    CHECK(std::vector<std::int32_t>(inside.inside.begin(), inside.inside.end()) == std::vector<std::int32_t>{1, 2, 3, 4, 5});

    IntBuffer tight;
    CHECK_FALSE(sample(rests).write(tight, viewOf(ints).size() - 1));
    CHECK(detail::Announcement::read(viewOf(tight)).inside.empty());
}

TEST_CASE("Announcement: the wire, golden") {
    const std::array<std::int32_t, 5> rests{1, 2, 3, 4, 5};
    IntBuffer ints;
    static_cast<void>(sample(rests).write(ints, 512));
    const std::vector<std::int32_t> golden{10, 0, 7, 2, 1, 0, 2, 0, 5, 0, 3, 0, 1, 2, 3, 4, 5};
    CHECK(std::vector<std::int32_t>(viewOf(ints).begin(), viewOf(ints).end()) == golden);
}

TEST_CASE("Announcement: rests move to their places between the arrays") {
    std::array<std::int32_t, 10> packet{1, 2, 3, 4, 5, 0, 0, 0, 0, 0};
    sample({}).spread(packet.data());
    CHECK(packet[0] == 1);
    CHECK(packet[3] == 2);
    CHECK(packet[4] == 3);
    CHECK(packet[8] == 4);
    CHECK(packet[9] == 5);
}

TEST_CASE("Announcement: an array may begin where the one before it ends") {
    const detail::Announcement read = detail::Announcement::read(intsOf(10, 7, {{2, 3}, {5, 1}}));
    REQUIRE(read.arrays.size() == 2);
    CHECK(read.arrays[1].place == 5);
    CHECK(read.otherInts() == 6);
}

TEST_CASE("Announcement: what does not fit together is refused") {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const std::vector<std::vector<std::int32_t>> bad{
        {},
        {10, 0, 7},
        intsOf(-1, 7, {}),
        intsOf(most, 7, {}),
        intsOf(10, -7, {}),
        intsOf(10, 7, {{11, 1}}),
        intsOf(10, 7, {{5, 6}}),
        intsOf(10, 7, {{5, most}}),
        intsOf(10, 7, {{-1, 2}}),
        intsOf(10, 7, {{5, 0}}),
        intsOf(10, 7, {{5, -1}}),
        intsOf(10, 7, {{5, 3}, {1, 2}}),
        intsOf(10, 7, {{1, 3}, {2, 2}}),
        intsOf(1000, 7, std::vector<std::array<std::int64_t, 2>>(detail::Announcement::maxArrays + 1, {0, 1})),
    };
    for (const auto& ints : bad) CHECK_THROWS_AS(detail::Announcement::read(ints), SerializationError);

    auto withRests = intsOf(10, 7, {{1, 2}, {5, 3}});
    withRests.insert(withRests.end(), {1, 2, 3, 4});    // one int is missing
    CHECK_THROWS_AS(detail::Announcement::read(withRests), SerializationError);
    auto withoutArrays = intsOf(1, 7, {});
    withoutArrays.push_back(1);
    CHECK_THROWS_AS(detail::Announcement::read(withoutArrays), SerializationError);
    auto cut = intsOf(10, 7, {{1, 2}});
    cut.pop_back();
    CHECK_THROWS_AS(detail::Announcement::read(cut), SerializationError);
    auto manyAnnounced = intsOf(10, 7, {});
    manyAnnounced[3] = std::numeric_limits<std::int32_t>::max();
    CHECK_THROWS_AS(detail::Announcement::read(manyAnnounced), SerializationError);
}
