#include <ferry/serialization/checkpoint/GraphFile.hpp>

#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/checkpoint/FileFormat.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/tests/support/FileBytes.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

namespace graphFileTest {

struct Node {
    FERRY_FIELDS(number, next, other)
    int number = 0;
    Node* next = nullptr;
    Node* other = nullptr;
};

struct Samples {
    FERRY_FIELDS(ferry::arrayOf(values, count), large)
    double* values = nullptr;
    int count = 0;
    std::vector<int> large;
};

class Place : public ferry::IntSerializableObject {
public:
    virtual std::string name() const = 0;
    Place* next = nullptr;
};

class Harbour : public Place {
public:
    FERRY_CLASS(graphFileTest::Harbour)
    FERRY_FIELDS(next, berths)
    std::string name() const override { return "harbour of " + std::to_string(berths); }
    int berths = 3;
};

}    // namespace graphFileTest

namespace {

using namespace graphFileTest;
using ferry::FileError;
using ferry::FileProblem;
using ferry::test::TemporaryFolder;

std::vector<Node> ringOf(int count) {
    std::vector<Node> ring(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < ring.size(); ++i) ring[i] = {static_cast<int>(i), &ring[(i + 1) % ring.size()], &ring[0]};
    return ring;
}

/// Whether the graph is a ring of `count` nodes.
bool isRing(const ferry::Graph<Node>& graph, int count) {
    const Node* node = graph.root();
    for (int i = 0; i < count; ++i, node = node->next) {
        if (node->number != i || node->other != graph.root()) return false;
    }
    return node == graph.root();
}

template <class Load>
FileProblem problemOf(Load load) {
    try {
        load();
    } catch (const FileError& error) {
        return error.problem();
    }
    FAIL("no FileError was thrown");
    return {};
}

}    // namespace

TEST_CASE("saveGraph and loadGraph: a structure comes back with its shape, in however many chunks") {
    const TemporaryFolder folder;
    const auto path = folder / "graph";
    const std::vector<Node> ring = ringOf(1000);
    for (const std::size_t chunkBytes : {std::size_t{1}, std::size_t{1000}, ferry::detail::defaultChunkBytes}) {
        ferry::saveGraph(path, ferry::graph(ring.data(), chunkBytes));
        CHECK(isRing(ferry::loadGraph<Node>(path), 1000));
        CHECK(isRing(ferry::loadGraph<Node>(path, ferry::GraphMemory::Arena), 1000));
        ferry::CheckpointReader file(path);
        CHECK(file.description().text() == "a graph of {int32,pointer<^1>,pointer<^1>}");
        while (!file.next().empty()) {}
        CHECK(file.chunkCount() == (chunkBytes == 1 ? 1000 : chunkBytes == 1000 ? 12 : 1));
    }
    const Node* none = nullptr;
    ferry::saveGraph(path, none);
    CHECK_FALSE(ferry::loadGraph<Node>(path));
    CHECK(folder.fileCount() == 1);
}

TEST_CASE("saveGraph and loadGraph: an object that is longer than a chunk may be") {
    const TemporaryFolder folder;
    std::vector<double> values(10, 2.5);
    Samples samples;
    samples.values = values.data();
    samples.count = 10;
    samples.large.assign(ferry::fileFormat::MaxChunkInts + 5, 7);
    ferry::saveGraph(folder / "graph", &samples);
    const auto again = ferry::loadGraph<Samples>(folder / "graph");
    CHECK(again->large == samples.large);
    REQUIRE(again->count == 10);
    CHECK(again->values[9] == 2.5);
}

TEST_CASE("saveGraph and loadGraph: a root of the class hierarchy comes back as its own class") {
    const TemporaryFolder folder;
    const auto path = folder / "graph";
    Harbour first, second;
    first.next = &second;
    second.next = &first;
    second.berths = 8;
    ferry::saveGraph(path, &first);
    const auto graph = ferry::loadGraph<Place>(path);
    CHECK(graph->name() == "harbour of 3");
    CHECK(graph->next->name() == "harbour of 8");
    CHECK(graph->next->next == graph.root());
    const ferry::ObjectFactory empty;
    try {
        ferry::loadGraph<Place>(path, ferry::GraphMemory::Heap, empty);
        FAIL("no error");
    } catch (const ferry::UnknownClass& error) {
        CHECK(std::string(error.what()).find("(graphFileTest::Harbour)") != std::string::npos);
    }
}

TEST_CASE("loadGraph: files of other types, damaged and truncated ones are refused") {
    const TemporaryFolder folder;
    const auto path = folder / "graph";
    const std::vector<Node> ring = ringOf(100);
    ferry::saveGraph(path, ferry::graph(ring.data(), 400));
    CHECK(problemOf([&] { ferry::loadGraph<Samples>(path); }) == FileProblem::OtherType);
    CHECK(problemOf([&] { ferry::load<int>(path); }) == FileProblem::OtherType);
    const std::string bytes = ferry::test::bytesOf(path);
    for (std::size_t size = 0; size < bytes.size(); size += 7) {
        ferry::test::writeBytes(path, bytes.substr(0, size));
        CHECK(problemOf([&] { ferry::loadGraph<Node>(path); }) == FileProblem::Truncated);
    }
    for (std::size_t place = 8; place < bytes.size(); place += 5) {
        std::string damaged = bytes;
        damaged[place] ^= 4;
        ferry::test::writeBytes(path, damaged);
        CHECK(problemOf([&] { ferry::loadGraph<Node>(path); }) == FileProblem::Damaged);
    }
    ferry::save(path, 5);
    CHECK(problemOf([&] { ferry::loadGraph<Node>(path); }) == FileProblem::OtherType);
}

TEST_CASE("loadGraph: a whole file of half a graph is refused, and nothing of it is left") {
    const TemporaryFolder folder;
    const std::vector<Node> ring = ringOf(10);
    ferry::saveGraph(folder / "graph", ferry::graph(ring.data(), 1));
    ferry::CheckpointReader whole(folder / "graph");
    {
        ferry::CheckpointWriter half(folder / "half", whole.description());
        for (int i = 0; i < 5; ++i) half.put(whole.next(), i == 4);
    }
    CHECK_THROWS_AS(ferry::loadGraph<Node>(folder / "half"), ferry::SerializationError);
}

TEST_CASE("saveGraph: what cannot be packed leaves the old file") {
    const TemporaryFolder folder;
    ferry::save(folder / "file", 5);
    Samples samples;
    samples.count = -1;
    CHECK_THROWS_AS(ferry::saveGraph(folder / "file", &samples), ferry::Exception);
    CHECK(ferry::load<int>(folder / "file") == 5);
    CHECK(folder.fileCount() == 1);
}
