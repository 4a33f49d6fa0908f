#include <ferry/serialization/codec/Strided.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>

using namespace ferry;

namespace stridedtest {

/// A plain struct with bytes between its members, which goes member by member.
struct SpacedPair {
    char kind = 'a';
    double value = 0;
    friend bool operator==(const SpacedPair&, const SpacedPair&) = default;
};

template <class T>
std::vector<std::int32_t> stridedInts(const T& value) {
    IntBuffer buffer;
    IntWriter(buffer) << value;
    const auto ints = buffer.ints();
    return {ints.begin(), ints.end()};
}

template <class T>
std::size_t readStrided(std::span<const std::int32_t> ints, Strided<T> target) {
    IntReader in(ints);
    in >> target;
    return in.remaining();
}

/// The elements of a strided view in a vector.
template <class T>
std::vector<T> stridedElements(const Strided<T>& strided) {
    std::vector<T> elements;
    for (std::size_t i = 0; i < strided.size(); ++i) elements.push_back(strided[i]);
    return elements;
}

/// Writes elements of T with strides and blocks of many lengths, and reads them back into other places.
template <class T, class Make>
void stridesThrough(Make make) {
    for (std::size_t count = 0; count < 6; ++count) {
        for (std::size_t block = 1; block < 4; ++block) {
            for (std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(block); stride < 6; ++stride) {
                std::vector<T> source;
                for (int i = 0; i < 40; ++i) source.push_back(make(i));
                const Strided<T> from = strided(source.data(), count, stride, block);
                const std::vector<std::int32_t> ints = stridedInts(from);
                CHECK(ints == stridedInts(stridedElements(from)));
                std::vector<T> target(60, make(99));
                const Strided<T> to = strided(target.data() + 1, count * block, 3);
                CHECK(readStrided(ints, to) == 0);
                CHECK(stridedElements(to) == stridedElements(from));
                for (std::size_t i = 0; i < target.size(); ++i) {
                    const bool isElement = i % 3 == 1 && i / 3 < to.size();
                    if (!isElement) CHECK(target[i] == make(99));
                }
            }
        }
    }
}

}    // namespace stridedtest

using namespace stridedtest;

TEST_CASE("Strided: elements of each kind travel as those of a vector, and come to their places") {
    stridesThrough<double>([](int i) { return 0.5 * i; });
    stridesThrough<std::int32_t>([](int i) { return i; });
    stridesThrough<char>([](int i) { return static_cast<char>(i); });
    stridesThrough<std::int16_t>([](int i) { return static_cast<std::int16_t>(i); });
    stridesThrough<std::string>([](int i) { return std::string(static_cast<std::size_t>(i), 'x'); });
    stridesThrough<SpacedPair>([](int i) { return SpacedPair{static_cast<char>(i), 1.0 * i}; });
    stridesThrough<std::array<int, 2>>([](int i) { return std::array{i, -i}; });
}

TEST_CASE("Strided: the ints of a column") {
    const std::vector<std::int32_t> matrix{1, 2, 3, 4, 5, 6};
    CHECK(stridedInts(strided(matrix.data() + 1, 3, 2)) == std::vector<std::int32_t>{3, 2, 4, 6});
    CHECK(stridedInts(strided(matrix.data(), 2, 3, 2)) == std::vector<std::int32_t>{4, 1, 2, 4, 5});
}

TEST_CASE("Strided: another number of elements, and ints that end too early, are refused, and the memory stays as it is") {
    std::vector<std::int32_t> memory(6, -1);
    const Strided<std::int32_t> column = strided(memory.data(), 3, 2);
    for (const std::vector<std::int32_t>& ints :
         {std::vector<std::int32_t>{2, 7, 7}, {4, 7, 7, 7, 7}, {3, 7, 7}, {0}, {-1, 3, 0, 7, 7, 7}, {2147483647, 7}, {-7}, {}}) {
        CHECK_THROWS_AS(readStrided(ints, column), SerializationError);
        CHECK(memory == std::vector<std::int32_t>(6, -1));
    }
}

TEST_CASE("Strided: strides, blocks and counts that make no sense are refused") {
    int number = 0;
    int* const nothing = nullptr;
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    CHECK_THROWS_WITH_AS(strided(&number, 1, 0), "expected a stride of 1 element or more, found 0", UsageError);
    CHECK_THROWS_AS(strided(&number, 2, -3), UsageError);
    CHECK_THROWS_AS(strided(&number, 2, 2, 0), UsageError);
    CHECK_THROWS_WITH_AS(strided(&number, 2, 2, 3), "blocks of 3 elements at a stride of 2 elements lie over each other", UsageError);
    CHECK_THROWS_AS(strided(nothing, 1, 1), UsageError);
    CHECK_THROWS_WITH_AS(strided(&number, static_cast<std::size_t>(-1), 1), doctest::Contains("is a number negative?"), UsageError);
    CHECK_THROWS_AS(strided(&number, 3, std::numeric_limits<std::ptrdiff_t>::max() / 4), UsageError);
    CHECK_THROWS_AS(strided(&number, 1, 1, most), UsageError);
    CHECK_THROWS_AS(strided(&number, most / 2, 2, 2), UsageError);
    CHECK(strided(nothing, 0, 1).size() == 0);
    CHECK(strided(&number, 1, 1, 7).size() == 7);    // one block has no neighbour
}

TEST_CASE("Strided: large blocks are lent where they lie") {
    const std::vector<double> matrix(512 * 1024, 0.25);
    IntBuffer buffer;
    IntWriter(buffer).lendCounted(strided(matrix.data(), 512, 1024, 512), {1024, 1024});
    CHECK(buffer.hasBorrowed());
    CHECK(buffer.size() == 1 + 2 * 512 * 512);
    IntBuffer copied;
    IntWriter(copied) << strided(matrix.data(), 512, 1024, 512);
    CHECK(!copied.hasBorrowed());
    CHECK(buffer == copied);
}

TEST_CASE("IntWriter: countOnly counts the ints of each value and keeps none") {
    const auto counted = [](const auto& value) {
        IntBuffer room;
        IntWriter out(room);
        out.countOnly();
        out << value;
        CHECK(room.capacity() <= 32'768);    // elements with bytes between their members are counted in one piece
        return out.position();
    };
    const std::vector<double> large(1'000'000);
    CHECK(counted(large) == stridedInts(large).size());
    const std::vector<std::string> texts(5000, "seventeen letters");
    CHECK(counted(texts) == stridedInts(texts).size());
    const std::vector<std::vector<short>> nested(3000, std::vector<short>(7, 1));
    CHECK(counted(nested) == stridedInts(nested).size());
    CHECK(counted(strided(large.data(), 1000, 1000)) == 2001);
    CHECK(counted(std::vector<bool>(77)) == stridedInts(std::vector<bool>(77)).size());
    CHECK(counted(std::vector<double>()) == 1);
    CHECK(counted(std::vector<SpacedPair>(10'000)) == stridedInts(std::vector<SpacedPair>(10'000)).size());
}
