#include <ferry/serialization/codec/CodecSequence.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

using namespace ferry::test;

namespace {

struct Pixel {
    float x = 0, y = 0, z = 0;
    bool operator==(const Pixel&) const = default;
};

struct Gap {
    char letter = 0;
    double number = 0;
    bool operator==(const Gap&) const = default;
};

struct Fat {
    std::array<std::string, 100> words;
    std::vector<int> numbers;
};

template <class T>
void checkBig(std::size_t count) {
    std::vector<T> values(count);
    std::iota(values.begin(), values.end(), T{});
    const Ints ints = intsOf(values);
    CHECK(ints.size() == 1 + (count * sizeof(T) + 3) / 4);
    CHECK(valueOf<std::vector<T>>(ints) == values);
    std::vector<T> reused(count + 5, T{1});
    ferry::IntReader in(ints);
    in >> reused;
    CHECK(reused == values);
}

}    // namespace

TEST_CASE("CodecSequence: strings are packed") {
    CHECK(checkTravel(std::string("abcde"), {5, 0x64636261, 0x65}) == "abcde");
    CHECK(checkTravel(std::string(), {0}).empty());
    CHECK(checkTravel(std::string("a\0b", 3), {3, 0x620061}) == std::string("a\0b", 3));
    CHECK(checkTravel(std::u16string(u"ab"), {2, 0x620061}) == u"ab");
    CHECK(intsOf(std::string_view("abcde")) == Ints{5, 0x64636261, 0x65});
}

TEST_CASE("CodecSequence: vectors of numbers are packed") {
    CHECK(checkTravel(std::vector<int>{1, -2, 3}, {3, 1, -2, 3}) == std::vector<int>{1, -2, 3});
    CHECK(checkTravel(std::vector<std::int8_t>{1, 2, 3, 4, -1}, {5, 0x04030201, 0xff}) == std::vector<std::int8_t>{1, 2, 3, 4, -1});
    CHECK(checkTravel(std::vector<std::int64_t>{-1}, {1, -1, -1}) == std::vector<std::int64_t>{-1});
    CHECK(checkTravel(std::vector<double>{1.0}, {1, 0, 0x3ff00000}) == std::vector<double>{1.0});
    CHECK(checkTravel(std::vector<std::byte>{std::byte{7}}, {1, 7}) == std::vector<std::byte>{std::byte{7}});
    CHECK(checkTravel(std::vector<int>(), {0}).empty());
}

TEST_CASE("CodecSequence: big vectors of every element size come back") {
    for (const std::size_t count : {1u, 1000u, 100003u}) {
        checkBig<char>(count);
        checkBig<std::int8_t>(count);
        checkBig<std::int16_t>(count);
        checkBig<std::int32_t>(count);
        checkBig<std::uint32_t>(count);
        checkBig<float>(count);
        checkBig<double>(count);
        checkBig<std::uint64_t>(count);
    }
}

TEST_CASE("CodecSequence: plain structs without gaps are copied, others go field by field, on the same wire") {
    const std::vector<Pixel> points{{1, 2, 3}, {4, 5, 6}};
    CHECK(ferry::detail::isImage<Pixel>);
    const Ints ints = intsOf(points);
    REQUIRE(ints.size() == 7);
    CHECK(ints[0] == 2);
    CHECK(valueOf<std::vector<Pixel>>(ints) == points);
    CHECK_FALSE(ferry::detail::isImage<Gap>);
    const std::vector<Gap> gaps{{'a', 1.0}, {'b', 1.0}};
    CHECK(checkTravel(gaps, {2, 'a', 0, 0x3ff00000, 'b', 0, 0x3ff00000}) == gaps);
}

TEST_CASE("CodecSequence: a vector of bool travels as bits") {
    std::vector<bool> flags(35);
    flags[0] = flags[31] = flags[34] = true;
    CHECK(checkTravel(flags, {35, static_cast<std::int32_t>(0x80000001), 4}) == flags);
    CHECK(checkTravel(std::vector<bool>(), {0}).empty());
    CHECK(errorOf<std::vector<bool>>({3, 8}) == "int 1: expected zeros behind the last bit, found ones");
}

TEST_CASE("CodecSequence: deques and lists travel element by element") {
    CHECK(checkTravel(std::deque<int>{1, 2}, {2, 1, 2}) == std::deque<int>{1, 2});
    CHECK(checkTravel(std::list<std::string>{"a", ""}, {2, 1, 'a', 0}) == std::list<std::string>{"a", ""});
    CHECK(checkTravel(std::deque<bool>{true, false}, {2, 1, 0}) == std::deque<bool>{true, false});
    CHECK(checkTravel(std::vector<std::vector<int>>{{1}, {}}, {2, 1, 1, 0}) == std::vector<std::vector<int>>{{1}, {}});
}

TEST_CASE("CodecSequence: reading replaces what the container held") {
    std::vector<std::string> words{"old", "older", "oldest"};
    const Ints shorter = intsOf(std::vector<std::string>{"new"}), longer = intsOf(std::vector<std::string>{"1", "2", "3", "4"});
    ferry::IntReader(shorter) >> words;
    CHECK(words == std::vector<std::string>{"new"});
    ferry::IntReader(longer) >> words;
    CHECK(words == std::vector<std::string>{"1", "2", "3", "4"});
    std::list<std::string> list{"x", "y"};
    ferry::IntReader(shorter) >> list;
    CHECK(list == std::list<std::string>{"new"});
}

TEST_CASE("CodecSequence: spans are written like vectors and read in place") {
    const std::vector<int> numbers{1, 2, 3};
    const Ints ints = intsOf(std::span(numbers));
    CHECK(ints == intsOf(numbers));
    std::array<int, 3> target{};
    std::span<int> view(target);
    ferry::IntReader(ints) >> view;
    CHECK(target == std::array{1, 2, 3});
    std::span<int> shorter(target.data(), 2);
    ferry::IntReader in(ints);
    CHECK_THROWS_AS(in >> shorter, ferry::SerializationError);
    CHECK(in.position() == 0);
}

TEST_CASE("CodecSequence: counts that lie are refused before memory is asked for") {
    const std::int32_t huge = 0x7fffffff;
    for (const Ints& ints : {Ints{huge}, Ints{huge, 0, 0}, Ints{-1, -1, 0x7fffffff, 0}, Ints{-1, 0, 16, 0}}) {
        AllocationWatch watch;
        CHECK_FALSE(errorOf<std::vector<char>>(ints) == "no error");
        CHECK_FALSE(errorOf<std::vector<double>>(ints) == "no error");
        CHECK_FALSE(errorOf<std::vector<bool>>(ints) == "no error");
        CHECK_FALSE(errorOf<std::string>(ints) == "no error");
        CHECK_FALSE(errorOf<std::deque<int>>(ints) == "no error");
        CHECK_FALSE(errorOf<std::list<std::string>>(ints) == "no error");
        CHECK_FALSE(errorOf<std::vector<std::vector<int>>>(ints) == "no error");
        CHECK_FALSE(errorOf<std::vector<Fat>>(ints) == "no error");
        CHECK(watch.largestBytes() < 4096);
    }
}

TEST_CASE("CodecSequence: no memory is reserved for big elements because of a count alone") {
    Ints ints(101 * 100, 0);    // enough ints for 99 elements of 101 ints, but the first element is damaged
    ints[0] = 99;
    ints[1] = -5;
    AllocationWatch watch;
    CHECK(errorOf<std::vector<Fat>>(ints).find("[0]") != std::string::npos);
    CHECK(watch.largestBytes() <= 8 * 4 * ints.size() + 65536);
}

namespace sequencetest {

struct Cache {    // a large class that sends nothing
    char bytes[8192] = {};
    void writeToInts(ferry::IntWriter&) const {}
    void readFromInts(ferry::IntReader&) {}
};

}    // namespace sequencetest

TEST_CASE("CodecSequence: large elements that take no int are refused before they fill the memory") {
    CHECK(ferry::test::valueOf<std::vector<sequencetest::Cache>>({8}).size() == 8);
    AllocationWatch watch;
    CHECK(ferry::test::errorOf<std::vector<sequencetest::Cache>>({60000}).find("elements that take no int of at most") !=
          std::string::npos);
    CHECK(watch.largestBytes() <= 4 * 65536);
}

TEST_CASE("CodecSequence: constant elements are written whole") {
    const std::optional<const std::string> text("abc");
    CHECK(ferry::test::intsOf(text) == ferry::test::Ints{1, 3, 0x636261});
    const std::vector<std::pair<const std::string, int>> entries{{"abc", 5}};
    CHECK(ferry::test::intsOf(entries) == ferry::test::Ints{1, 3, 0x636261, 5});
    const std::array<const std::string, 2> both{"a", "b"};
    CHECK(ferry::test::intsOf(both) == ferry::test::Ints{1, 0x61, 1, 0x62});
    CHECK(ferry::test::intsOf(std::tuple<const int, const double>(1, 0.0)) == ferry::test::Ints{1, 0, 0});
}

TEST_CASE("CodecSequence: the bits that fill up the last int of packed elements are no part of the value") {
    CHECK(ferry::test::intsOf(std::string("abc")) == ferry::test::Ints{3, 0x636261});
    CHECK(ferry::test::valueOf<std::string>({3, 0x7f636261}) == "abc");
    CHECK(ferry::test::valueOf<std::vector<std::int16_t>>({1, 0x70005}) == std::vector<std::int16_t>{5});
    CHECK(ferry::test::valueOf<std::array<char, 3>>({0x7f636261}) == std::array{'a', 'b', 'c'});
}

namespace sequenceOfImmovable {

/// An element that a vector cannot move when it grows.
struct ImmovableCell {
    ImmovableCell() = default;
    std::atomic<int> count{0};
    std::string name;
    FERRY_FIELDS(count, name)
};
/// Such an element whose least number of ints the compiler does not know.
struct ImmovableSilent {
    ImmovableSilent() = default;
    ImmovableSilent(ImmovableSilent&&) = delete;
    void writeToInts(ferry::IntWriter& out) const { out << count; }
    void readFromInts(ferry::IntReader& in) { in >> count; }
    int count = 0;
};

}    // namespace sequenceOfImmovable

using namespace sequenceOfImmovable;

TEST_CASE("CodecSequence: elements that cannot be moved travel") {
    std::vector<std::atomic<int>> counters(3);
    counters[1] = 5;
    std::vector<std::atomic<int>> arrived(1);
    const Ints ints = intsOf(counters);
    CHECK(ints == Ints{3, 0, 5, 0});
    ferry::IntReader(ints) >> arrived;
    REQUIRE(arrived.size() == 3);
    CHECK(arrived[1] == 5);

    std::vector<ImmovableCell> cells(2);
    cells[1].count = 7;
    cells[1].name = "b";
    const auto copies = valueOf<std::vector<ImmovableCell>>(intsOf(cells));
    REQUIRE(copies.size() == 2);
    CHECK(copies[1].count == 7);
    CHECK(copies[1].name == "b");
    checkDamaged<std::vector<ImmovableCell>>(intsOf(cells));
    checkTruncated<std::vector<ImmovableCell>>(intsOf(cells));

    std::vector<ImmovableSilent> silent(2);
    silent[1].count = 3;
    CHECK(valueOf<std::vector<ImmovableSilent>>(intsOf(silent))[1].count == 3);
    CHECK(errorOf<std::vector<ImmovableSilent>>({1 << 30}) != "no error");
    std::deque<ImmovableCell> row(2);
    row[0].count = 1;
    CHECK(valueOf<std::deque<ImmovableCell>>(intsOf(row))[0].count == 1);
}
