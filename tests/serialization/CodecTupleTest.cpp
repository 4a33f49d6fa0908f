#include <ferry/serialization/codec/CodecTuple.hpp>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

using namespace ferry::test;

TEST_CASE("CodecTuple: elements follow each other") {
    const std::pair<int, std::string> pair{1, "a"};
    CHECK(checkTravel(pair, {1, 1, 'a'}) == pair);
    const std::tuple<bool, long, std::vector<int>, char> tuple{true, -1, {5}, 'x'};
    CHECK(checkTravel(tuple, {1, -1, -1, 1, 5, 'x'}) == tuple);
    CHECK(checkTravel(std::tuple<>(), {}) == std::tuple<>());
}

TEST_CASE("CodecTuple: elements of fixed size make a tuple of fixed size") {
    static_assert(ferry::detail::fixedInts<std::pair<char, double>> == 3);
    static_assert(ferry::detail::fixedInts<std::tuple<int, std::string>> == 0);
    const std::vector<std::pair<char, double>> pairs{{'a', 1.0}, {'b', 1.0}};
    CHECK(checkTravel(pairs, {2, 'a', 0, 0x3ff00000, 'b', 0, 0x3ff00000}) == pairs);
}

TEST_CASE("CodecTuple: an error names the index of the element") {
    CHECK(errorOf<std::tuple<int, bool>>({1, 3}) == "int 1 at [1]: expected a bool (0 or 1), found 3");
}
