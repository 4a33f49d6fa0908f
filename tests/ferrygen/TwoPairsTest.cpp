#include <ferry/tests/ferrygen/TwoPairs.hpp>

#include <doctest/doctest.h>

TEST_CASE("ferrygen: tags of one name in two sources do not mix") {
    CHECK(intsOfFirstPair(1, 2) == std::vector<std::int32_t>{1});
    CHECK(intsOfSecondPair(3, 4) == std::vector<std::int32_t>{3});
}
