#include <ferry/serialization/graph/GraphCodec.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/graph/GraphReader.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>
#include <ferry/tests/support/AllocationWatch.hpp>

using namespace ferry;

namespace graphcodectest {

struct Node {
    int number = 0;
    Node* next = nullptr;
    FERRY_FIELDS(number, next)
};

/// A node whose graph holds a graph.
struct Box {
    Graph<Box> inside;
    FERRY_FIELDS(inside)
};

struct Album {
    std::string name;
    std::map<int, Graph<Node>> pages;
    FERRY_FIELDS(name, pages)
};

std::vector<std::int32_t> packedInts(const auto& value) {
    IntBuffer buffer;
    IntWriter out(buffer);
    out << value;
    out.finish();
    return {buffer.ints().begin(), buffer.ints().end()};
}

/// An element that takes no int or more, and much memory.
struct Sleeper {
    int number = 0;
    std::array<std::byte, 4096> notSent{};
    void writeToInts(IntWriter& out) const { out << number; }
    void readFromInts(IntReader& in) { in >> number; }
};
struct Dormitory {
    std::vector<Sleeper> people;
    FERRY_FIELDS(people)
};

/// A node that takes much memory, with a graph of such nodes.
struct Palace {
    std::vector<Palace*> rooms;
    Graph<Palace> inside;
    std::array<std::byte, 4096> notSent{};
    FERRY_FIELDS_SOME(rooms, inside)
};
/// The ints of a graph of two palaces, the first of which has such a graph inside.
std::vector<std::int32_t> palaceInts(int levels) {
    if (levels == 0) return {0};
    const std::vector<std::int32_t> inside = palaceInts(levels - 1);
    std::vector<std::int32_t> ints{1, 1, 2, static_cast<std::int32_t>(inside.size())};
    ints.insert(ints.end(), inside.begin(), inside.end());
    ints.insert(ints.end(), {0, 1, 0});
    return ints;
}

Graph<Box> boxes(int depth) {
    auto box = std::make_unique<Box>();
    if (depth > 1) box->inside = boxes(depth - 1);
    return copyGraph(box);
}

}    // namespace graphcodectest

using namespace graphcodectest;

TEST_CASE("Codec of Graph: a circle is a field's value, and an empty graph is one") {
    Node node;
    node.number = 5;
    node.next = &node;
    Album album;
    album.name = "a";
    album.pages[1] = copyGraph(graph(&node));
    album.pages[2] = Graph<Node>();
    const std::vector<std::int32_t> ints = packedInts(album);
    Album arrived;
    IntReader in(ints);
    in >> arrived;
    CHECK(in.remaining() == 0);
    REQUIRE(arrived.pages.size() == 2);
    CHECK(arrived.pages[1]->number == 5);
    CHECK(arrived.pages[1]->next == arrived.pages[1].root());
    CHECK_FALSE(arrived.pages[2]);
}

TEST_CASE("Codec of Graph: the number of ints, then the one piece of the graph") {
    Node node;
    node.number = 5;
    node.next = &node;
    const std::vector<std::int32_t> ints = packedInts(copyGraph(graph(&node)));
    REQUIRE(ints.size() > 1);
    CHECK(ints.front() == static_cast<std::int32_t>(ints.size()) - 1);
    const std::vector<std::int32_t> nothing = packedInts(Graph<Node>());
    CHECK(nothing == std::vector<std::int32_t>{1, 0});
}

TEST_CASE("Codec of Graph: input that is cut off or changed anywhere is refused or read, never more") {
    Node node;
    node.number = 5;
    node.next = &node;
    Album album;
    album.pages[1] = copyGraph(graph(&node));
    const std::vector<std::int32_t> whole = packedInts(album);
    for (std::size_t count = 0; count < whole.size(); ++count) {
        IntReader in{std::span<const std::int32_t>(whole).first(count)};
        Album arrived;
        CHECK_THROWS_AS(in >> arrived, SerializationError);
    }
    for (std::size_t place = 0; place < whole.size(); ++place) {
        for (const std::int32_t change : {-1, 1, 1 << 20, 1 << 30}) {
            std::vector<std::int32_t> damaged = whole;
            damaged[place] ^= change;
            IntReader in(damaged);
            Album arrived;
            try {
                in >> arrived;
            } catch (const SerializationError&) {}
        }
    }
}

TEST_CASE("Codec of Graph: graphs in graphs count as levels of nesting, for the writer and the reader") {
    const std::vector<std::int32_t> ints = packedInts(boxes(10));
    Graph<Box> arrived;
    IntReader in(ints);
    in >> arrived;
    int depth = 0;
    for (const Graph<Box>* box = &arrived; *box; box = &(*box)->inside) ++depth;
    CHECK(depth == 10);
    ReadLimits limits;
    limits.depth = 5;
    IntReader shallow(ints, ObjectFactory::global(), limits);
    CHECK_THROWS_AS(shallow >> arrived, SerializationError);
}

TEST_CASE("Codec of Graph: the graphs of one message share its limits of memory") {
    ReadLimits limits;
    limits.elements = 100;
    std::vector<Graph<std::vector<int>>> many;
    const std::vector<int> numbers(20, 1);
    for (int i = 0; i < 4; ++i) many.push_back(copyGraph(graph(&numbers)));
    const std::vector<std::int32_t> few = packedInts(many);
    std::vector<Graph<std::vector<int>>> arrived;
    IntReader in(few, ObjectFactory::global(), limits);
    in >> arrived;
    CHECK(arrived.size() == 4);
    for (int i = 0; i < 10; ++i) many.push_back(copyGraph(graph(&numbers)));
    const std::vector<std::int32_t> more = packedInts(many);
    IntReader tooMany(more, ObjectFactory::global(), limits);
    CHECK_THROWS_AS(tooMany >> arrived, SerializationError);
}

TEST_CASE("Codec of Graph: graphs inside each other share the memory of the message") {
    std::vector<std::int32_t> ints = palaceInts(20);
    ints.insert(ints.begin(), static_cast<std::int32_t>(ints.size()));
    const auto limitsFor = [](std::uint64_t palaces) { return ReadLimits{.memoryPerByte = 0, .memoryBase = palaces * sizeof(Palace)}; };
    Graph<Palace> arrived;
    {
        const test::AllocationWatch watch;
        IntReader in(ints, ObjectFactory::global(), limitsFor(9));
        CHECK_THROWS_WITH_AS(in >> arrived, doctest::Contains("memoryPerByte"), SerializationError);
        CHECK(watch.peakBytes() < 16 * sizeof(Palace));
    }
    IntReader in(ints, ObjectFactory::global(), limitsFor(40));
    CHECK_NOTHROW(in >> arrived);
}

TEST_CASE("GraphReader: elements that may take no int are counted before the vector has them") {
    const std::vector<std::int32_t> ints{1, 20'000};    // the root, then 20,000 elements of 4 KiB
    const test::AllocationWatch watch;
    detail::GraphReader<Dormitory> reader;
    CHECK_THROWS_WITH_AS(reader.read(ints, true), doctest::Contains("memoryPerByte"), SerializationError);
    CHECK(watch.peakBytes() < 65536);
}

TEST_CASE("GraphReader: all pieces of a graph share one memory") {
    const ReadLimits before = ReadLimits::getDefault();
    for (const std::uint64_t palaces : {3, 4}) {
        ReadLimits limits = before;
        limits.memoryPerByte = 0;
        limits.memoryBase = palaces * sizeof(Palace);
        ReadLimits::setDefault(limits);
        detail::GraphReader<Palace> reader;
        const auto readAll = [&] {
            reader.read(std::vector<std::int32_t>{1, 1, 2, 1, 0}, false);    // the root, which points to the next palace
            reader.read(std::vector<std::int32_t>{1, 3, 1, 0}, false);
            reader.read(std::vector<std::int32_t>{1, 4, 1, 0}, false);
            reader.read(std::vector<std::int32_t>{0, 1, 0}, true);
        };
        if (palaces == 3)
            CHECK_THROWS_WITH_AS(readAll(), doctest::Contains("memoryPerByte"), SerializationError);
        else
            CHECK_NOTHROW(readAll());
    }
    ReadLimits::setDefault(before);
}
