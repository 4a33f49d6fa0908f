#include <ferry/serialization/ints/IntReader.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphCodec.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

using ferry::IntReader;
using ferry::SerializationError;

TEST_CASE("IntReader: reads ints, long ints and bytes in order") {
    const std::array<std::int32_t, 6> ints{1, 2, 3, 0x64636261, 0x65, 7};
    IntReader in(ints);
    CHECK(in.readInt() == 1);
    CHECK(in.readInt64() == 0x0000000300000002);
    std::array<char, 5> bytes{};
    in.readBytes(bytes.data(), bytes.size());
    CHECK(std::string(bytes.data(), 5) == "abcde");
    CHECK(in.position() == 5);
    CHECK(in.remaining() == 1);
    std::array<std::int32_t, 1> last{};
    in.readInts(last);
    CHECK(last[0] == 7);
    in.expectEnd();
}

TEST_CASE("IntReader: reading past the end is refused and the position stays") {
    const std::array<std::int32_t, 1> ints{5};
    IntReader in(ints);
    std::array<char, 5> bytes{};
    CHECK_THROWS_AS(in.readInt64(), SerializationError);
    CHECK_THROWS_AS(in.readBytes(bytes.data(), bytes.size()), SerializationError);
    CHECK_THROWS_AS(in.take(2), SerializationError);
    CHECK_THROWS_AS(in.take(static_cast<std::size_t>(-1)), SerializationError);
    CHECK(in.position() == 0);
    CHECK(in.readInt() == 5);
    CHECK_THROWS_AS(in.readInt(), SerializationError);
    CHECK_THROWS_AS(in.peekInt(), SerializationError);
}

TEST_CASE("IntReader: a count larger than the message is refused") {
    const std::array<std::int32_t, 2> ints{1'000'000, 5};
    IntReader in(ints);
    CHECK_THROWS_AS(in.readCount(1), SerializationError);
    CHECK_THROWS_AS(in.readPackedCount(8), SerializationError);
    CHECK(in.remaining() == 2);
}

TEST_CASE("IntReader: a count is checked against the ints that its elements need") {
    const std::array<std::int32_t, 5> ints{2, 0, 0, 0, 0};
    CHECK(IntReader(ints).readCount(2) == 2);
    CHECK_THROWS_AS(IntReader(ints).readCount(3), SerializationError);
    const std::array<std::int32_t, 2> packed{4, 0};
    CHECK(IntReader(packed).readPackedCount(8) == 4);
    CHECK_THROWS_AS(IntReader(packed).readPackedCount(16), SerializationError);
}

TEST_CASE("IntReader: elements that may take no int are limited too, in all") {
    const std::array<std::int32_t, 2> few{65536, 2}, many{65539, 0};
    IntReader in(few);
    CHECK(in.readCount(0) == 65536);
    CHECK(in.readCount(0) == 2);
    CHECK_THROWS_AS(IntReader(many).readCount(0), SerializationError);
    const std::array<std::int32_t, 2> twice{65536, 3};
    IntReader again(twice);
    CHECK(again.readCount(0) == 65536);
    CHECK_THROWS_AS(again.readCount(0), SerializationError);
}

TEST_CASE("IntReader: long counts are refused when they are cut off, too large or not long") {
    CHECK_THROWS_AS(IntReader(std::array{-1}).readCount(1), SerializationError);
    CHECK_THROWS_AS(IntReader(std::array{-1, 5}).readCount(1), SerializationError);
    CHECK_THROWS_AS(IntReader(std::array{-1, 1, 0, 9}).readCount(1), SerializationError);
    CHECK_THROWS_AS(IntReader(std::array{-1, 0, 1, 9}).readCount(1), SerializationError);
    CHECK_THROWS_AS(IntReader(std::array{-1, -1, -1, 9}).readPackedCount(1), SerializationError);
    CHECK_THROWS_AS(IntReader(std::array{-2, 0, 1}).readCount(1), SerializationError);
}

TEST_CASE("IntReader: ints that are left over are an error that tells their number") {
    const std::array<std::int32_t, 3> ints{1, 2, 3};
    IntReader in(ints);
    in.readInt();
    try {
        in.expectEnd();
        FAIL("expectEnd returned");
    } catch (const SerializationError& error) {
        CHECK(error.offsetInts() == 1);
        CHECK(std::string(error.what()) == "int 1: expected the end, found 2 more ints");
        CHECK(error.kind() == ferry::ErrorKind::BadData);
    }
}

TEST_CASE("IntReader: the limits on elements and bytes hold for the message as a whole") {
    const std::vector<std::vector<std::int64_t>> rows(4, std::vector<std::int64_t>(10));
    const auto ints = ferry::test::intsOf(rows);
    const auto readWithin = [&](ferry::ReadLimits limits) {
        std::vector<std::vector<std::int64_t>> read;
        IntReader in(ints, ferry::ObjectFactory::global(), limits);
        in >> read;
    };
    CHECK_NOTHROW(readWithin({.elements = 44}));
    CHECK_THROWS_AS(readWithin({.elements = 43}), SerializationError);
    const std::uint64_t bytes = 4 * sizeof(std::vector<std::int64_t>) + 320;
    CHECK_NOTHROW(readWithin({.bytes = bytes}));
    CHECK_THROWS_AS(readWithin({.bytes = bytes - 1}), SerializationError);
}

namespace {

struct Roomy {
    FERRY_FIELDS_SOME(number)
    int number = 0;
    std::array<std::byte, 4092> notSent{};
};

struct RoomyRoot {
    std::vector<std::optional<Roomy>> rows{};
    FERRY_FIELDS(rows)
};

/// Counts its objects. Each of them asks for memory of its own in its constructor.
class Caching : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(Caching)
    FERRY_FIELDS_SOME(number)
    Caching() : cache(std::make_unique<std::array<double, 64>>()) { ++made; }
    static inline std::size_t made = 0;
    int number = 0;
    std::unique_ptr<std::array<double, 64>> cache;
    std::array<std::byte, 1000> notSent{};
};

}    // namespace

TEST_CASE("IntReader: elements and objects that the message says little of have a limit of their own") {
    const ferry::ReadLimits limits{.memoryPerByte = 64, .memoryBase = 65536};
    const auto errorWithin = [](auto value, const std::vector<std::int32_t>& ints, const ferry::ReadLimits& given) -> std::string {
        IntReader in(ints, ferry::ObjectFactory::global(), given);
        try {
            in >> value;
            return {};
        } catch (const SerializationError& error) {
            return error.what();
        }
    };
    const auto check = [&](auto value, std::initializer_list<std::int32_t> element) {
        const auto messageOf = [&](std::int32_t count) {
            std::vector<std::int32_t> ints{count};
            for (std::int32_t i = 0; i < count; ++i) ints.insert(ints.end(), element);
            return ints;
        };
        CHECK(errorWithin(value, messageOf(10), limits).empty());
        const std::string error = errorWithin(value, messageOf(1000), limits);
        CHECK(error.find("raise ferry::ReadLimits::memoryPerByte or memoryBase") != std::string::npos);
        CHECK(errorWithin(value, messageOf(1000), {.memoryPerByte = 5000}).empty());
        CHECK(errorWithin(value, messageOf(1000), {.memoryBase = 1 << 23}).empty());
    };
    check(std::vector<Roomy>(), {5});
    check(std::vector<std::optional<Roomy>>(), {0});
    check(std::list<std::variant<std::monostate, Roomy>>(), {0});
    // The limit counts all graphs of a message together. Each of them alone stays below it.
    std::vector<ferry::Graph<RoomyRoot>> graphs;
    const RoomyRoot root{std::vector<std::optional<Roomy>>(8)};
    for (int i = 0; i < 100; ++i) graphs.push_back(ferry::copyGraph(&root));
    const std::vector<std::int32_t> severalGraphs = ferry::test::intsOf(graphs);
    CHECK(errorWithin(std::vector<ferry::Graph<RoomyRoot>>(), severalGraphs, {.memoryPerByte = 64, .memoryBase = 1 << 22}).empty());
    CHECK(errorWithin(std::vector<ferry::Graph<RoomyRoot>>(), severalGraphs, limits).find("memoryPerByte") != std::string::npos);
    const std::vector<std::int32_t> owned{3, 1, 5, 0, 1, 6};
    std::vector<std::unique_ptr<Roomy>> pointers;
    IntReader in(owned, ferry::ObjectFactory::global(), {.memoryPerByte = 0, .memoryBase = sizeof(Roomy)});
    CHECK_THROWS_AS(in >> pointers, SerializationError);
    IntReader enough(owned, ferry::ObjectFactory::global(), {.memoryPerByte = 0, .memoryBase = 2 * sizeof(Roomy)});
    CHECK_NOTHROW(enough >> pointers);
    const std::vector<std::int32_t> keys{1, 5, 0};
    std::map<int, std::optional<Roomy>> map;
    IntReader mapIn(keys, ferry::ObjectFactory::global(), {.memoryPerByte = 0, .memoryBase = 4096});
    CHECK_THROWS_AS(mapIn >> map, SerializationError);
}

TEST_CASE("IntReader: the objects that a message makes are bounded by its ints and by their size") {
    const std::int32_t id = ferry::detail::classIdFor<Caching>;
    const auto madeBy = [](const std::vector<std::int32_t>& ints, const ferry::ReadLimits& limits) {
        Caching::made = 0;
        std::vector<std::unique_ptr<ferry::IntSerializableObject>> objects;
        IntReader in(ints, ferry::ObjectFactory::global(), limits);
        CHECK_THROWS_AS(in >> objects, SerializationError);
        return Caching::made;
    };
    constexpr std::int32_t count = 1000;
    std::vector<std::int32_t> ints{count};
    for (std::int32_t i = 0; i < count - 1; ++i) ints.insert(ints.end(), {id, i});
    ints.push_back(id);                      // the last object has no number
    CHECK(madeBy(ints, {}) <= count + 1);    // the first read of a class makes one object more, to find out where its base lies
    CHECK(madeBy(ints, {}) == count);
    const std::size_t messageBytes = ints.size() * sizeof(std::int32_t);
    const std::size_t made = madeBy(ints, {.memoryPerByte = 8, .memoryBase = 65536});
    CHECK(made > 0);
    CHECK(made * sizeof(Caching) <= 8 * messageBytes + 65536);
    ints.front() = 0x7fffffff;    // more objects than ints
    CHECK(madeBy(ints, {}) == 0);
}

TEST_CASE("IntReader: readers without limits of their own have those of the process") {
    const ferry::ReadLimits before = ferry::ReadLimits::getDefault();
    ferry::ReadLimits limits = before;
    limits.memoryBase = 1;
    ferry::ReadLimits::setDefault(limits);
    const std::array<std::int32_t, 1> ints{0};
    CHECK(IntReader(ints).limits().memoryBase == 1);
    ferry::ReadLimits::setDefault(before);
    CHECK(IntReader(ints).limits().memoryBase == before.memoryBase);
}

TEST_CASE("IntReader: after a failed read the position is before the value") {
    std::string text = "old";
    const std::array<std::int32_t, 3> ints{1, 9, 0};
    IntReader in(ints);
    in.readInt();
    CHECK_THROWS_AS(in >> text, SerializationError);
    CHECK(in.position() == 1);
}
