#include <ferry/serialization/ints/CodecFixedArray.hpp>

#include <array>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include <ferry/serialization/Fields.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

using namespace ferry::test;

namespace {

struct WithArrays {
    FERRY_FIELDS(name, numbers, words)
    char name[6] = "abcde";
    int numbers[2][2] = {{1, 2}, {3, 4}};
    std::string words[2];
};

}    // namespace

TEST_CASE("CodecFixedArray: elements follow without a count") {
    const std::array<int, 3> numbers{1, 2, 3};
    CHECK(checkTravel(numbers, {1, 2, 3}) == numbers);
    const std::array<double, 1> doubles{1.0};
    CHECK(checkTravel(doubles, {0, 0x3ff00000}) == doubles);
    const std::array<std::string, 2> words{"a", "bc"};
    CHECK(checkTravel(words, {1, 'a', 2, 0x6362}) == words);
    const std::array<std::array<std::int16_t, 2>, 2> nested{{{1, 2}, {3, 4}}};
    CHECK(checkTravel(nested, {0x20001, 0x40003}) == nested);
    CHECK(checkTravel(std::array<int, 0>{}, {}).empty());
}

TEST_CASE("CodecFixedArray: small elements are packed") {
    const std::array<char, 5> letters{'a', 'b', 'c', 'd', 'e'};
    CHECK(checkTravel(letters, {0x64636261, 0x65}) == letters);
    const std::array<std::array<char, 3>, 2> padded{{{'a', 'b', 'c'}, {'d', 'e', 'f'}}};
    CHECK(checkTravel(padded, {0x636261, 0x666564}) == padded);
}

TEST_CASE("CodecFixedArray: bools take an int each and are checked") {
    const std::array<bool, 3> flags{true, false, true};
    CHECK(checkTravel(flags, {1, 0, 1}) == flags);
    CHECK(errorOf<std::array<bool, 3>>({1, 0, 2}) == "int 2: expected a bool (0 or 1), found 2");
}

TEST_CASE("CodecFixedArray: C arrays are fields like any other") {
    WithArrays arrays;
    arrays.words[1] = "x";
    const WithArrays read = checkTravel(arrays, {0x64636261, 0x65, 1, 2, 3, 4, 0, 1, 'x'});
    CHECK(std::string(read.name) == "abcde");
    CHECK(read.numbers[1][0] == 3);
    CHECK(read.words[1] == "x");
}
