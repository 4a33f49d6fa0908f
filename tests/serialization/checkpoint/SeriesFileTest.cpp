#include <ferry/serialization/checkpoint/SeriesFile.hpp>

#include <sys/types.h>
#include <sys/uio.h>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/file/Disk.hpp>
#include <ferry/serialization/file/FileError.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>
#include <ferry/tests/support/FileBytes.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

using namespace ferry;
using namespace ferry::test;

namespace seriesfiletest {

struct Node {
    int number = 0;
    Node* next = nullptr;
    FERRY_FIELDS(number, next)
};

struct Mass {
    double x = 0;
    double y = 0;
    int id = 0;
};
using Place = View<&Mass::x, &Mass::y>;

class Shape : public IntSerializableObject {
public:
    FERRY_CLASS(seriesfiletest::Shape)
    FERRY_FIELDS(name)
    std::string name;
};
class Circle : public Shape {
public:
    FERRY_CLASS(seriesfiletest::Circle)
    FERRY_FIELDS_AFTER(Shape, radius)
    double radius = 0;
};

struct Item {
    int number = 0;
    FERRY_FIELDS(number)
};
struct Elements {
    std::vector<Item> items = std::vector<Item>(3);
    std::shared_ptr<Item> share{&items[1], [](Item*) {}};    // an owner of an element of a vector: no graph travels with it
    FERRY_FIELDS(items, share)
};
struct Refuses {
    void writeToInts(IntWriter&) const { throw UsageError("this value cannot travel"); }
    void readFromInts(IntReader&) {}
};
/// A value that puts another entry while it is written.
struct PutsMore {
    SeriesWriter* file = nullptr;
    void writeToInts(IntWriter&) const { file->put(1); }
    void readFromInts(IntReader&) {}
};
/// Takes the first bytes of one call, and has no room for the rest.
class FullDisk final : public detail::Disk {
public:
    ssize_t write(int file, const iovec* pieces, int count) override {
        if (!isFull_) {
            isFull_ = true;
            const iovec first{pieces->iov_base, pieces->iov_len / 2};
            return Disk::write(file, &first, 1);
        }
        if (hasFailed_) return Disk::write(file, pieces, count);    // from then on there is room
        hasFailed_ = true;
        errno = ENOSPC;
        return -1;
    }

private:
    bool isFull_ = false, hasFailed_ = false;
};

/// A value, a graph of many pieces, a part, an object, the object behind a pointer, and a text.
void writeAll(const std::filesystem::path& path) {
    std::vector<Node> ring(1000);
    for (std::size_t i = 0; i < ring.size(); ++i) {
        ring[i].number = static_cast<int>(i);
        ring[i].next = &ring[(i + 1) % ring.size()];
    }
    const Mass mass{1.5, 2.5, 7};
    Shape shape;
    shape.name = "shape";
    SeriesWriter file(path);
    file.put(std::vector<int>(600'000, 3));    // three chunks
    file.put(graph(&ring[0], 256));
    file.put(part<Place>(mass));
    file.put(shape);
    file.put(std::unique_ptr<Shape>(std::make_unique<Shape>(shape)));
    file.put(std::unique_ptr<Shape>());
    file.put("text");
    file.finish();
}

}    // namespace seriesfiletest

using namespace seriesfiletest;

TEST_CASE("SeriesWriter: entries of different types are read in the order in which they were put") {
    const TemporaryFolder folder;
    writeAll(folder / "series");
    SeriesReader file(folder / "series");
    CHECK(file.nextInWords() == "a value of type sequence<int32>");
    CHECK(file.get<std::vector<int>>() == std::vector<int>(600'000, 3));
    const Graph<Node> ring = file.getGraph<Node>();
    CHECK(ring.objectCount() == 1000);
    CHECK(ring->next->next->number == 2);
    Mass mass{0, 0, 9};
    file.getInto(part<Place>(mass));
    CHECK(mass.x == 1.5);
    CHECK(mass.y == 2.5);
    CHECK(mass.id == 9);
    CHECK(file.get<Shape>().name == "shape");
    CHECK(file.get<std::unique_ptr<Shape>>()->name == "shape");
    CHECK(file.get<std::unique_ptr<Shape>>() == nullptr);
    CHECK(file.position() == 6);
    CHECK(file.hasNext());
    CHECK(file.get<std::string>() == "text");
    CHECK_FALSE(file.hasNext());
    CHECK_THROWS_AS(static_cast<void>(file.get<int>()), UsageError);
}

TEST_CASE("SeriesReader: an entry of another type is named, and can then be read as what it is") {
    const TemporaryFolder folder;
    writeAll(folder / "series");
    SeriesReader file(folder / "series");
    try {
        static_cast<void>(file.get<std::string>());
        FAIL_CHECK("the entry was read as a text");
    } catch (const FileError& error) {
        CHECK(error.problem() == FileProblem::OtherType);
        CHECK(std::string(error.what()).find("as entry 1, found a value of type sequence<int32>") != std::string::npos);
    }
    CHECK_THROWS_AS(static_cast<void>(file.getGraph<Node>()), FileError);
    file.skip();
    CHECK(file.getGraph<Node>().objectCount() == 1000);
    for (int entry = 3; entry <= 6; ++entry) file.skip();
    CHECK(file.get<std::string>() == "text");
}

TEST_CASE("SeriesWriter: without finish() the old file stays, an empty series is one, and a series is no other file") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "series";
    { SeriesWriter(path).finish(); }
    CHECK_FALSE(SeriesReader(path).hasNext());
    {
        SeriesWriter file(path);
        file.put(5);
    }
    CHECK_FALSE(SeriesReader(path).hasNext());
    CHECK(folder.fileCount() == 1);
    CHECK_THROWS_AS(static_cast<void>(load<int>(path)), FileError);
    save(path, 5);
    CHECK_THROWS_AS(SeriesReader{path}, FileError);
    SeriesWriter file(path);
    file.finish();
    CHECK_THROWS_AS(file.put(1), UsageError);
}

TEST_CASE("SeriesWriter: after an error in the middle of an entry the file cannot be finished, and the old file stays") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "series";
    {
        SeriesWriter file(path);
        file.put(1);
        CHECK_THROWS_AS(file.put(Refuses()), UsageError);    // leaves no trace
        file.finish();
    }
    const std::string old = bytesOf(path);
    const auto requireRefused = [&](const auto& damage) {
        {
            SeriesWriter file(path);
            file.put(7);
            damage(file);
            CHECK_THROWS_WITH_AS(file.put(2), doctest::Contains("destroy the writer"), UsageError);
            CHECK_THROWS_WITH_AS(file.finish(), doctest::Contains("destroy the writer"), UsageError);
        }
        CHECK(bytesOf(path) == old);
        CHECK(folder.fileCount() == 1);
    };
    requireRefused([](SeriesWriter& file) {
        const Elements refused{};
        CHECK_THROWS_AS(file.put(graph(&refused)), UsageError);
    });
    requireRefused([](SeriesWriter& file) {
        const PutsMore refused{&file};
        CHECK_THROWS_AS(file.put(graph(&refused)), UsageError);
    });
    requireRefused([](SeriesWriter& file) {
        FullDisk disk;
        const detail::DiskScope scope(disk);
        CHECK_THROWS_AS(file.put(std::vector<int>(1000)), FileError);
    });
}

TEST_CASE("SeriesReader: a file that is cut off or changed anywhere is refused with a typed error") {
    const TemporaryFolder folder;
    {
        Node node;
        node.next = &node;
        SeriesWriter file(folder / "series");
        file.put(std::string("some text"));
        file.put(graph(&node));
        file.finish();
    }
    const std::string whole = bytesOf(folder / "series");
    const auto read = [&](const std::string& bytes) {
        writeBytes(folder / "damaged", bytes);
        SeriesReader file(folder / "damaged");
        static_cast<void>(file.get<std::string>());
        static_cast<void>(file.getGraph<Node>());
        return !file.hasNext();
    };
    CHECK(read(whole));
    for (std::size_t length = 0; length < whole.size(); length += 3)
        CHECK_THROWS_AS(static_cast<void>(read(whole.substr(0, length))), FileError);
    for (std::size_t place = 0; place < whole.size(); place += 5) {
        std::string damaged = whole;
        damaged[place] = static_cast<char>(damaged[place] ^ 0x11);
        CHECK_THROWS_AS(static_cast<void>(read(damaged)), FileError);
    }
}

TEST_CASE("save: a part of an object is saved, and loaded into an object whose other members stay") {
    const TemporaryFolder folder;
    const Mass mass{1.5, 2.5, 7};
    save(folder / "part", part<Place>(mass));
    Mass other{0, 0, 9};
    loadInto(folder / "part", part<Place>(other));
    CHECK(other.x == 1.5);
    CHECK(other.y == 2.5);
    CHECK(other.id == 9);
    struct Point {
        double x = 0;
        double y = 0;
    };
    CHECK(load<Point>(folder / "part").y == 2.5);    // the stream is the same
    CHECK_THROWS_AS(loadInto(folder / "part", part<View<&Mass::id>>(other)), FileError);
}

TEST_CASE("save: a Graph is a value in a file") {
    const TemporaryFolder folder;
    Node node;
    node.number = 4;
    node.next = &node;
    std::vector<Graph<Node>> graphs;
    graphs.push_back(copyGraph(graph(&node)));
    graphs.emplace_back();
    save(folder / "graphs", graphs);
    const auto loaded = load<std::vector<Graph<Node>>>(folder / "graphs");
    REQUIRE(loaded.size() == 2);
    CHECK(loaded[0]->next->number == 4);
    CHECK_FALSE(loaded[1]);
    CHECK(detail::typeTextOf<Graph<Node>>() == "graph<{int32,pointer<^1>}>");
}
