#include <ferry/connector/transport/simulation/SeededRandom.hpp>

#include <array>
#include <cstddef>

#include <doctest/doctest.h>

using ferry::SeededRandom;

TEST_CASE("SeededRandom: a seed fixes the numbers, on every machine") {
    SeededRandom random(1);
    CHECK(random.next() == 0x910a2dec89025cc1u);
    CHECK(random.next() == 0xbeeb8da1658eec67u);
}

TEST_CASE("SeededRandom: numbers stay below the count, and each comes about as often as it should") {
    SeededRandom random(7);
    std::array<int, 6> counts{};
    for (int i = 0; i < 6000; ++i) ++counts.at(static_cast<std::size_t>(random.below(6)));
    for (const int count : counts) {
        CHECK(count > 800);
        CHECK(count < 1200);
    }
    for (int i = 0; i < 10; ++i) CHECK(random.oneIn(1));
}
