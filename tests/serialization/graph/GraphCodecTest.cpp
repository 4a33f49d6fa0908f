#include <ferry/serialization/graph/GraphCodec.hpp>

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
#include <ferry/serialization/graph/copyGraph.hpp>

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
