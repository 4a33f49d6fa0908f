#include <ferry/serialization/codec/Subarray.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

using namespace ferry;
using ferry::test::intsOf;

namespace subarraytest {

using Triple = std::array<std::size_t, 3>;

/// The places of the elements of a part, in order.
std::vector<std::size_t> placesOf(const Triple& sizes, const Triple& counts, const Triple& starts) {
    std::vector<std::size_t> places;
    for (std::size_t z = starts[0]; z < starts[0] + counts[0]; ++z) {
        for (std::size_t y = starts[1]; y < starts[1] + counts[1]; ++y) {
            for (std::size_t x = starts[2]; x < starts[2] + counts[2]; ++x) places.push_back((z * sizes[1] + y) * sizes[2] + x);
        }
    }
    return places;
}

/// Writes the part, and reads it into the same part of another array.
template <class T, class Make>
void partThrough(const Triple& sizes, const Triple& counts, const Triple& starts, Make make) {
    std::vector<T> source;
    for (std::size_t i = 0; i < sizes[0] * sizes[1] * sizes[2]; ++i) source.push_back(make(static_cast<int>(i)));
    const std::vector<std::size_t> places = placesOf(sizes, counts, starts);
    std::vector<T> expected;
    for (const std::size_t place : places) expected.push_back(source[place]);
    const auto part = subarray(source.data(), sizes, counts, starts);
    REQUIRE(part.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(part[i] == expected[i]);
    const std::vector<std::int32_t> ints = intsOf(part);
    CHECK(ints == intsOf(expected));

    std::vector<T> target(source.size(), make(999));
    std::vector<T> wanted = target;
    for (const std::size_t place : places) wanted[place] = source[place];
    IntReader in(ints);
    auto into = subarray(target.data(), sizes, counts, starts);
    in >> into;
    CHECK(in.remaining() == 0);
    CHECK(target == wanted);
}

}    // namespace subarraytest

using namespace subarraytest;

TEST_CASE("subarray: each part of a field with three dimensions travels as a vector, and comes to its places") {
    const Triple sizes{2, 3, 4};
    for (std::size_t z = 0; z <= sizes[0]; ++z) {
        for (std::size_t y = 0; y <= sizes[1]; ++y) {
            for (std::size_t x = 0; x <= sizes[2]; ++x) {
                const Triple starts{z, y, x};
                for (std::size_t planes = 0; planes <= sizes[0] - z; ++planes) {
                    for (std::size_t rows = 0; rows <= sizes[1] - y; ++rows) {
                        for (std::size_t columns = 0; columns <= sizes[2] - x; ++columns)
                            partThrough<double>(sizes, {planes, rows, columns}, starts, [](int i) { return 0.5 * i; });
                    }
                }
            }
        }
    }
}

TEST_CASE("subarray: elements of each kind") {
    const auto partsOf = []<class T>(auto make, T) {
        partThrough<T>({3, 4, 5}, {2, 3, 4}, {1, 1, 1}, make);
        partThrough<T>({3, 4, 5}, {3, 4, 1}, {0, 0, 4}, make);
        partThrough<T>({3, 4, 5}, {1, 4, 5}, {2, 0, 0}, make);
    };
    partsOf([](int i) { return i; }, std::int32_t{});
    partsOf([](int i) { return static_cast<char>(i); }, char{});
    partsOf([](int i) { return static_cast<std::int16_t>(i); }, std::int16_t{});
    partsOf([](int i) { return std::string(static_cast<std::size_t>(i % 50), 'x'); }, std::string());
    partsOf([](int i) { return std::array{i, -i}; }, std::array<int, 2>());
}

TEST_CASE("subarray: one, two and four dimensions, and numbers of several types") {
    std::vector<int> field(120);
    std::iota(field.begin(), field.end(), 0);
    CHECK(intsOf(subarray(field.data(), {120}, {3}, {7})) == std::vector<std::int32_t>{3, 7, 8, 9});
    const std::size_t rows = 12;
    const int columns = 10;
    CHECK(intsOf(subarray(field.data(), {rows, columns}, {2, 1}, {rows - 2, columns - 1})) == std::vector<std::int32_t>{2, 109, 119});
    const int sizes[4] = {2, 3, 4, 5}, counts[4] = {2, 1, 2, 2}, starts[4] = {0, 2, 1, 3};
    CHECK(intsOf(subarray(field.data(), sizes, counts, starts)) == std::vector<std::int32_t>{8, 48, 49, 53, 54, 108, 109, 113, 114});
    CHECK(subarray(field.data(), sizes, sizes, {0, 0, 0, 0}).isOnePiece());
    CHECK(subarray(field.data(), sizes, {1, 3, 4, 5}, {1, 0, 0, 0}).isOnePiece());
    CHECK_FALSE(subarray(field.data(), sizes, {2, 3, 4, 4}, {0, 0, 0, 0}).isOnePiece());
    const std::vector<int>& constant = field;
    CHECK(intsOf(subarray(constant.data(), {120}, {1}, {119})) == std::vector<std::int32_t>{1, 119});
}

TEST_CASE("subarray: whole inner dimensions lie in one block") {
    std::vector<double> field(2 * 3 * 4);
    CHECK(subarray(field.data(), {2, 3, 4}, {2, 2, 4}, {0, 1, 0}).blockBytes() == 8 * sizeof(double));
    CHECK(subarray(field.data(), {2, 3, 4}, {2, 2, 3}, {0, 1, 0}).blockBytes() == 3 * sizeof(double));
}

TEST_CASE("subarray: parts that do not lie within the array are refused") {
    double number = 0;
    double* const nothing = nullptr;
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    CHECK_THROWS_WITH_AS(subarray(&number, {1, 4}, {1, 3}, {0, 2}),
                         "3 elements from element 2 on do not lie within the 4 elements of dimension 1", UsageError);
    CHECK_THROWS_AS(subarray(&number, {1, 4}, {2, 1}, {0, 0}), UsageError);
    CHECK_THROWS_WITH_AS(subarray(&number, {1, 4}, {1, 1}, {0, -1}), "expected a start of 0 or more in dimension 1, found -1", UsageError);
    CHECK_THROWS_AS(subarray(&number, {1, -4}, {1, 1}, {0, 0}), UsageError);
    CHECK_THROWS_AS(subarray(&number, {1, 4}, {1, -1}, {0, 0}), UsageError);
    CHECK_THROWS_AS(subarray(&number, {1, 4}, {most, 1}, {0, 0}), UsageError);
    CHECK_THROWS_AS(subarray(&number, {4, 4}, {1, 1}, {0, most}), UsageError);
    CHECK_THROWS_AS(subarray(&number, {std::numeric_limits<std::uint64_t>::max()}, {1}, {0}), UsageError);
    CHECK_THROWS_WITH_AS(subarray(&number, {most / 8, 2}, {1, 1}, {0, 0}),
                         "no memory holds an array of this size: dimension 1 has 2 elements", UsageError);
    CHECK_THROWS_AS(subarray(nothing, {1, 4}, {1, 1}, {0, 0}), UsageError);
    CHECK(subarray(nothing, {0, 4}, {0, 4}, {0, 0}).size() == 0);
    CHECK(subarray(&number, {3, 4}, {3, 0}, {0, 4}).size() == 0);
}

TEST_CASE("subarray: another number of elements, and ints that end too early, are refused, and the memory stays as it is") {
    std::vector<std::int32_t> field(27, -1);
    auto corner = subarray(field.data(), {3, 3, 3}, {2, 2, 2}, {1, 1, 1});
    for (const std::vector<std::int32_t>& ints : {std::vector<std::int32_t>{7, 1, 1, 1, 1, 1, 1, 1}, {9}, {8, 1, 1}, {-1, 8, 0, 7}, {}}) {
        IntReader in(ints);
        CHECK_THROWS_AS(in >> corner, SerializationError);
        CHECK(field == std::vector<std::int32_t>(27, -1));
    }
}

TEST_CASE("subarray: large rows of a part are lent where they lie") {
    const std::vector<double> field(8 * 16 * 1024, 0.25);
    const auto inner = subarray(field.data(), {8, 16, 1024}, {6, 14, 1022}, {1, 1, 1});
    IntBuffer buffer;
    IntWriter(buffer).lendCounted(inner, {1024, 1024});
    CHECK(buffer.hasBorrowed());
    CHECK(buffer.size() == 1 + 2 * 6 * 14 * 1022);
    IntBuffer copied;
    IntWriter(copied) << inner;
    CHECK(!copied.hasBorrowed());
    CHECK(buffer == copied);
}
