#include <ferry/serialization/ints/CodecScalar.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

#include <ferry/tests/serialization/RoundTrip.hpp>

using namespace ferry::test;

namespace {

enum class Colour : std::uint8_t { Red = 1, Violet = 255 };
enum class Wide : std::int64_t { Far = -2 };
enum Plain { First, Second };

}    // namespace

TEST_CASE("CodecScalar: numbers up to 32 bits take one int") {
    CHECK(checkTravel(true, {1}));
    CHECK(checkTravel('a', {97}) == 'a');
    CHECK(checkTravel(static_cast<signed char>(-5), {-5}) == -5);
    CHECK(checkTravel(static_cast<std::uint8_t>(255), {255}) == 255);
    CHECK(checkTravel(static_cast<short>(-300), {-300}) == -300);
    CHECK(checkTravel(static_cast<std::uint16_t>(65535), {65535}) == 65535);
    CHECK(checkTravel(-1, {-1}) == -1);
    CHECK(checkTravel(0xffffffffu, {-1}) == 0xffffffffu);
    CHECK(checkTravel(1.0f, {0x3f800000}) == 1.0f);
    CHECK(checkTravel(u'\u20ac', {0x20ac}) == u'\u20ac');
}

TEST_CASE("CodecScalar: numbers of 64 bits take two ints, the low half first") {
    CHECK(checkTravel(std::int64_t{0x0123456789abcdef}, {static_cast<std::int32_t>(0x89abcdef), 0x01234567}) == 0x0123456789abcdef);
    CHECK(checkTravel(std::uint64_t{1} << 63, {0, std::numeric_limits<std::int32_t>::min()}) == std::uint64_t{1} << 63);
    CHECK(checkTravel(-1L, {-1, -1}) == -1L);
    CHECK(checkTravel(-2.0, {0, static_cast<std::int32_t>(0xc0000000)}) == -2.0);
}

TEST_CASE("CodecScalar: special floating-point values keep their bits") {
    CHECK(std::isnan(valueOf<double>(intsOf(std::nan("")))));
    CHECK(std::signbit(valueOf<double>(intsOf(-0.0))));
    CHECK(valueOf<float>(intsOf(std::numeric_limits<float>::infinity())) == std::numeric_limits<float>::infinity());
    CHECK(valueOf<double>(intsOf(std::numeric_limits<double>::denorm_min())) == std::numeric_limits<double>::denorm_min());
}

TEST_CASE("CodecScalar: enums travel as their underlying type") {
    CHECK(checkTravel(Colour::Violet, {255}) == Colour::Violet);
    CHECK(checkTravel(Wide::Far, {-2, -1}) == Wide::Far);
    CHECK(checkTravel(Second, {1}) == Second);
}

TEST_CASE("CodecScalar: a number that does not fit its type is refused") {
    CHECK(errorOf<bool>({2}) == "int 0: expected a bool (0 or 1), found 2");
    CHECK(errorOf<signed char>({128}) == "int 0: expected a number of 8 bits, found 128");
    CHECK(errorOf<std::uint8_t>({-1}) == "int 0: expected a number of 8 bits, found -1");
    CHECK(errorOf<short>({32768}) == "int 0: expected a number of 16 bits, found 32768");
    CHECK(errorOf<Colour>({256}) == "int 0: expected a number of 8 bits, found 256");
}

static_assert(!ferry::detail::Writable<long double>);
static_assert(ferry::detail::fixedInts<double> == 2);
static_assert(ferry::detail::fixedInts<char> == 1);
static_assert(ferry::detail::isImage<float>);
static_assert(!ferry::detail::isImage<short>);
