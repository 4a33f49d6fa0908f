#include <ferry/serialization/codec/CodecVariant.hpp>

#include <string>
#include <variant>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

using namespace ferry::test;

using Value = std::variant<std::monostate, int, std::string>;

TEST_CASE("CodecVariant: the index comes before the value") {
    CHECK(checkTravel(Value(), {0}) == Value());
    CHECK(checkTravel(Value(7), {1, 7}) == Value(7));
    CHECK(checkTravel(Value("ab"), {2, 2, 0x6261}) == Value("ab"));
}

TEST_CASE("CodecVariant: an index without an alternative is refused") {
    CHECK(errorOf<Value>({3}) == "int 0: expected the index of one of 3 alternatives, found 3");
    CHECK(errorOf<Value>({-1}) == "int 0: expected the index of one of 3 alternatives, found -1");
}
