#include <ferry/serialization/codec/CodecStandard.hpp>

#include <bitset>
#include <chrono>
#include <complex>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

using namespace ferry::test;

TEST_CASE("CodecStandard: bitsets travel as bits") {
    std::bitset<40> bits;
    bits.set(0).set(39);
    CHECK(checkTravel(bits, {1, 128}) == bits);
    CHECK(checkTravel(std::bitset<32>(5), {5}) == std::bitset<32>(5));
    CHECK(checkTravel(std::bitset<0>(), {}) == std::bitset<0>());
    CHECK(errorOf<std::bitset<3>>({8}) == "int 0: expected zeros behind the last bit, found ones");
}

TEST_CASE("CodecStandard: complex numbers are two numbers, and vectors of them are copied") {
    const std::complex<double> number(1.0, -2.0);
    CHECK(checkTravel(number, {0, 0x3ff00000, 0, static_cast<std::int32_t>(0xc0000000)}) == number);
    const std::vector<std::complex<float>> numbers{{1, 2}, {3, 4}};
    CHECK(ferry::detail::isImage<std::complex<float>>);
    CHECK(valueOf<std::vector<std::complex<float>>>(intsOf(numbers)) == numbers);
    CHECK(intsOf(numbers).size() == 5);
}

TEST_CASE("CodecStandard: durations and time points travel as their count") {
    using namespace std::chrono;
    CHECK(checkTravel(milliseconds(-1), {-1, -1}) == milliseconds(-1));
    CHECK(checkTravel(duration<float>(1.0f), {0x3f800000}) == duration<float>(1.0f));
    const system_clock::time_point time{system_clock::duration(5)};
    CHECK(checkTravel(time, {5, 0}) == time);
    const std::vector<seconds> many{seconds(1), seconds(2)};
    CHECK(checkTravel(many, {2, 1, 0, 2, 0}) == many);
}

TEST_CASE("CodecStandard: paths travel as strings") {
    const std::filesystem::path path = "a/b";
    CHECK(checkTravel(path, {3, 0x622f61}) == path);
}

TEST_CASE("CodecStandard: an optional is a flag and a value") {
    CHECK(checkTravel(std::optional<int>(), {0}) == std::nullopt);
    CHECK(checkTravel(std::optional<int>(5), {1, 5}) == 5);
    CHECK(checkTravel(std::optional<std::string>("a"), {1, 1, 'a'}) == "a");
    CHECK(errorOf<std::optional<int>>({2, 5}) == "int 0: expected 0 or 1, found 2");
}
