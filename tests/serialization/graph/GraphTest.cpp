#include <ferry/serialization/graph/Graph.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>

namespace graphtest {

struct Node {
    int value = 0;
    std::vector<Node*> edges;
    FERRY_FIELDS(value, edges)
};

std::vector<Node> ringOf(int count) {
    std::vector<Node> ring(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        ring[static_cast<std::size_t>(i)].value = i;
        ring[static_cast<std::size_t>(i)].edges = {&ring[static_cast<std::size_t>((i + 1) % count)]};
    }
    return ring;
}

/// Returns the ints of a graph in one piece.
template <class T>
std::vector<std::int32_t> intsOf(const T* root) {
    struct Sink final : ferry::detail::ChunkSink {
        ferry::IntBuffer begin() override { return {}; }
        void put(ferry::IntBuffer chunk, bool) override { ints.insert(ints.end(), chunk.ints().begin(), chunk.ints().end()); }
        std::vector<std::int32_t> ints;
    } sink;
    ferry::detail::GraphWriter(sink).write(ferry::graph(root));
    return sink.ints;
}

template <class T>
ferry::Graph<T> readInts(const std::vector<std::int32_t>& ints, ferry::GraphMemory memory = ferry::GraphMemory::Heap) {
    ferry::detail::GraphReader<T> reader(memory);
    reader.read(ints, true);
    return reader.take();
}

/// Counts the live objects of its type.
struct Counted {
    Counted() { ++living; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --living; }
    static inline int living = 0;
};

struct Person : Counted {
    std::string name;
    std::shared_ptr<Person> friendOf;
    std::weak_ptr<Person> boss;
    std::unique_ptr<Person> child;
    Person* neighbour = nullptr;
    FERRY_FIELDS(name, friendOf, boss, child, neighbour)
};

class Shape : public ferry::IntSerializableObject {
public:
    virtual int area() const = 0;
    Shape* next = nullptr;
};
class Circle : public Shape {
public:
    FERRY_CLASS(graphtest::Circle)
    FERRY_FIELDS(next, radius)
    int area() const override { return 3 * radius * radius; }
    int radius = 0;
};
struct Named {
    virtual ~Named() = default;
    std::string name;
};
class Box : public Named, public Shape {
public:
    FERRY_CLASS(graphtest::Box)
    FERRY_FIELDS(next, name, width, height)
    int area() const override { return width * height; }
    int width = 0, height = 0;
};

struct Vertex {
    double x = 0, y = 0;
    FERRY_FIELDS(x, y)
};
struct Triangle {
    Vertex* corners[3] = {};
    std::vector<const Triangle*> neighbours;
    FERRY_FIELDS(corners, neighbours)
};
struct Mesh {
    std::vector<Vertex> vertices;
    std::vector<Triangle> triangles;
    Vertex* origin = nullptr;
    FERRY_FIELDS(vertices, triangles, origin)
};

struct Signal {
    int rows = 0;
    std::size_t columns = 0;
    double* samples = nullptr;
    double* same = nullptr;
    long partCount = 0;
    Signal* parts = nullptr;
    FERRY_FIELDS(ferry::arrayOf(samples, rows, columns), ferry::arrayOf(same, rows, columns), ferry::arrayOf(parts, partCount))
};

struct Marked {
    int value = 0;
    Marked* left = nullptr;
    Marked* right = nullptr;
    ferry::GraphMark mark;
    FERRY_FIELDS(value, left, right)
};

}    // namespace graphtest

template <>
struct ferry::IdentityMapFor<graphtest::Marked> {
    using type = ferry::MarkMap<&graphtest::Marked::mark>;
};

using namespace graphtest;

TEST_CASE("Graph: a ring comes back as a ring") {
    const std::vector<Node> ring = ringOf(5);
    for (const auto memory : {ferry::GraphMemory::Heap, ferry::GraphMemory::Arena}) {
        const ferry::Graph<Node> copy = ferry::copyGraph(&ring[0], memory);
        CHECK(copy.objectCount() == 5);
        const Node* node = copy.root();
        for (int i = 0; i < 5; ++i, node = node->edges[0]) CHECK(node->value == i);
        CHECK(node == copy.root());
        CHECK(node != &ring[0]);
    }
}

TEST_CASE("Graph: the ints are as documented") {
    const std::vector<Node> ring = ringOf(2);
    CHECK(intsOf(&ring[0]) == std::vector<std::int32_t>{1, 0, 1, 2, 1, 1, 1});
    CHECK(intsOf<Node>(nullptr) == std::vector<std::int32_t>{0});
}

TEST_CASE("Graph: null is a graph of no objects") {
    const auto copy = ferry::copyGraph(static_cast<Node*>(nullptr));
    CHECK(copy.root() == nullptr);
    CHECK(copy.objectCount() == 0);
    CHECK_FALSE(copy);
}

TEST_CASE("Graph: a node that points to itself and twice to another") {
    Node first{1, {}}, second{2, {}};
    first.edges = {&first, &second, &second, nullptr};
    const auto copy = ferry::copyGraph(&first);
    CHECK(copy.objectCount() == 2);
    CHECK(copy->edges[0] == copy.root());
    CHECK(copy->edges[1] == copy->edges[2]);
    CHECK(copy->edges[1]->value == 2);
    CHECK(copy->edges[3] == nullptr);
}

TEST_CASE("Graph: pieces of any size give the same graph") {
    const std::vector<Node> ring = ringOf(100);
    for (const std::size_t chunkBytes : {0, 4, 12, 100, 1000000}) {
        const auto copy = ferry::copyGraph(ferry::graph(&ring[0], chunkBytes));
        CHECK(copy.objectCount() == 100);
        CHECK(intsOf(copy.root()) == intsOf(&ring[0]));
    }
}

TEST_CASE("Graph: owners of every kind, with circles, and nothing is left when they go") {
    CHECK(Counted::living == 0);
    {
        auto ann = std::make_shared<Person>();
        auto bob = std::make_shared<Person>();
        ann->name = "Ann", bob->name = "Bob";
        ann->friendOf = bob, bob->friendOf = ann;    // a circle of owners
        ann->boss = bob;
        ann->child = std::make_unique<Person>();
        ann->child->name = "Cid";
        ann->child->neighbour = ann->child.get();
        bob->neighbour = ann->child.get();
        bob->boss = bob;
        {
            const auto copy = ferry::copyGraph(ann);
            CHECK(Counted::living == 6);
            CHECK(copy->friendOf->friendOf.get() == copy.root());
            CHECK(copy->boss.lock() == copy->friendOf);
            CHECK(copy->child->name == "Cid");
            CHECK(copy->child->neighbour == copy->child.get());
            CHECK(copy->friendOf->neighbour == copy->child.get());
        }
        CHECK(Counted::living == 3);
        std::shared_ptr<Person> kept;
        {
            auto copy = ferry::copyGraph(ann);
            kept = copy->friendOf;
        }
        CHECK(Counted::living == 6);    // an object with an owner outside stays, together with all objects that it leads to
        CHECK(kept->friendOf->friendOf == kept);
        CHECK(kept->friendOf->child->name == "Cid");
        kept->friendOf.reset();
        kept.reset();
        CHECK(Counted::living == 3);
        {
            auto copy = ferry::copyGraph(bob);
            const std::shared_ptr<Person> root = copy.takeShared();
            CHECK(root->friendOf->friendOf == root);
            CHECK_THROWS_AS(copy.takeUnique(), ferry::UsageError);
            copy = {};
            CHECK(root->friendOf->name == "Ann");
            root->friendOf.reset();
        }
        CHECK(Counted::living == 3);
        bob->friendOf.reset();
    }
    CHECK(Counted::living == 0);
}

TEST_CASE("Graph: a list of unique_ptr of any length, which the graph ends without recursion") {
    auto first = std::make_unique<Person>();
    Person* last = first.get();
    for (int i = 0; i < 300000; ++i) {
        last->child = std::make_unique<Person>();
        last = last->child.get();
    }
    {
        auto copy = ferry::copyGraph(first);
        CHECK(copy.objectCount() == 300001);
        CHECK(Counted::living == 600002);
    }
    CHECK(Counted::living == 300001);
    while (first != nullptr) first = std::move(first->child);
}

TEST_CASE("Graph: takeUnique hands a tree over") {
    auto root = std::make_unique<Person>();
    root->child = std::make_unique<Person>();
    auto copy = ferry::copyGraph(root);
    std::unique_ptr<Person> taken = copy.takeUnique();
    copy = {};
    CHECK(Counted::living == 4);
    CHECK(taken->child != nullptr);
    taken.reset();
    root.reset();
    CHECK(Counted::living == 0);
}

TEST_CASE("Graph: release leaves the objects to the caller") {
    std::vector<Node> ring = ringOf(2);
    auto copy = ferry::copyGraph(&ring[0]);
    const std::unique_ptr<Node> first(copy.release());
    const std::unique_ptr<Node> second(first->edges[0]);
    CHECK(second->value == 1);
    CHECK_FALSE(copy);
}

TEST_CASE("Graph: pointers to base classes lead to the same classes, with several bases too") {
    Circle circle;
    circle.radius = 2;
    Box box;
    box.name = "box", box.width = 3, box.height = 4;
    circle.next = &box, box.next = &circle;
    for (const auto memory : {ferry::GraphMemory::Heap, ferry::GraphMemory::Arena}) {
        const auto copy = ferry::copyGraph(static_cast<Shape*>(&box), memory);
        CHECK(copy.objectCount() == 2);
        CHECK(copy->area() == 12);
        CHECK(dynamic_cast<Box&>(*copy).name == "box");
        CHECK(copy->next->area() == 12);
        CHECK(dynamic_cast<Circle&>(*copy->next).radius == 2);
        CHECK(copy->next->next == copy.root());
    }
}

TEST_CASE("Graph: pointers lead into the vectors that come back") {
    Mesh mesh;
    mesh.vertices = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    mesh.triangles.resize(2);
    mesh.triangles[0].corners[0] = &mesh.vertices[0];
    mesh.triangles[0].corners[1] = &mesh.vertices[1];
    mesh.triangles[0].corners[2] = &mesh.vertices[3];
    mesh.triangles[0].neighbours = {&mesh.triangles[1]};
    mesh.triangles[1].neighbours = {&mesh.triangles[0], nullptr};
    mesh.origin = &mesh.vertices[2];
    const auto copy = ferry::copyGraph(&mesh);
    CHECK(copy.objectCount() == 1);
    CHECK(copy->triangles[0].corners[2] == &copy->vertices[3]);
    CHECK(copy->triangles[0].corners[2]->x == 1);
    CHECK(copy->triangles[0].neighbours[0] == &copy->triangles[1]);
    CHECK(copy->triangles[1].neighbours[0] == &copy->triangles[0]);
    CHECK(copy->origin == &copy->vertices[2]);

    struct Early {
        Vertex* origin = nullptr;
        std::vector<Vertex> vertices;
    } early;
    early.vertices.resize(2);
    early.origin = &early.vertices[1];
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&early), doctest::Contains("list the vector before the pointers to its elements"),
                         ferry::UsageError);
    Mesh inside;
    inside.vertices.resize(2);
    inside.origin = reinterpret_cast<Vertex*>(&inside.vertices[1].y);
    CHECK_THROWS_WITH_AS(ferry::copyGraph(&inside), doctest::Contains("inside of a vector's element"), ferry::UsageError);
}

TEST_CASE("Graph: arrays behind pointers, of numbers and of objects") {
    std::vector<double> samples{1, 2, 3, 4, 5, 6};
    std::vector<Signal> parts(2);
    Signal signal;
    signal.rows = 2, signal.columns = 3;
    signal.samples = signal.same = samples.data();
    signal.parts = parts.data(), signal.partCount = 2;
    parts[1].parts = parts.data(), parts[1].partCount = 2;
    const auto copy = ferry::copyGraph(&signal);
    CHECK(copy->rows == 2);
    CHECK(copy->columns == 3);
    CHECK(copy->samples[5] == 6);
    CHECK(copy->samples == copy->same);
    CHECK(copy->samples != samples.data());
    CHECK(copy->parts[1].parts == copy->parts);
    CHECK(copy->parts[0].parts == nullptr);
    CHECK(copy.objectCount() == 3);

    signal.rows = -1;
    CHECK_THROWS_AS(ferry::copyGraph(&signal), ferry::UsageError);
}

TEST_CASE("Graph: a mark inside the nodes replaces the map") {
    Marked root{1, nullptr, nullptr, {}}, left{2, nullptr, nullptr, {}};
    root.left = root.right = &left;
    left.left = &root;
    for (int i = 0; i < 2; ++i) {
        const auto copy = ferry::copyGraph(&root);
        CHECK(copy.objectCount() == 2);
        CHECK(copy->left == copy->right);
        CHECK(copy->left->left == copy.root());
    }
}

TEST_CASE("Graph: raw pointers do not travel outside of a graph") {
    ferry::IntBuffer buffer;
    ferry::IntWriter out(buffer);
    const std::vector<Node> ring = ringOf(2);
    CHECK_THROWS_WITH_AS(out << ring[0], doctest::Contains("raw pointer to graphtest::Node travels only inside a graph"),
                         ferry::UsageError);
    const std::vector<std::int32_t> ints{1, 0, 1, 1};
    ferry::IntReader in(ints);
    std::vector<Node*> nodes;
    CHECK_THROWS_WITH_AS(in >> nodes, doctest::Contains("found a raw pointer to graphtest::Node"), ferry::SerializationError);
}

TEST_CASE("Graph: damaged ints are refused, and nothing of them is left") {
    const std::vector<Node> ring = ringOf(2);
    const std::vector<std::int32_t> ints = intsOf(&ring[0]);
    for (std::size_t length = 0; length < ints.size(); ++length) {
        CHECK_THROWS_AS(readInts<Node>({ints.begin(), ints.begin() + static_cast<std::ptrdiff_t>(length)}), ferry::SerializationError);
    }
    CHECK_THROWS_AS(readInts<Node>({1, 0, 1, 2, 1, 1, 1, 0}), ferry::SerializationError);    // a message that is longer than the graph
    CHECK_THROWS_AS(readInts<Node>({1, 0, 1, 3, 1, 1, 1}), ferry::SerializationError);       // object 3 does not exist yet
    CHECK_THROWS_AS(readInts<Node>({1, 0, 1, -1, 0}), ferry::SerializationError);            // an invalid vector
    CHECK_THROWS_AS(readInts<Node>({1, 0, 0x7fffffff, 2}), ferry::SerializationError);       // more edges than ints
    CHECK_THROWS_AS(readInts<Node>({1, 0, 3, 2, 3, 4}), ferry::SerializationError);          // too few ints for the contents of the objects
    CHECK_THROWS_AS(readInts<Shape>({1, 0, 1, 2, 1, 1, 1}), ferry::Exception);               // an unknown class
}

TEST_CASE("Graph: owners that no program has are refused") {
    // The ints of each person: the length of the name, friendOf, boss, child, neighbour.
    CHECK_THROWS_WITH_AS(readInts<Person>({1, 0, 2, 0, 2, 0, 0, 0, 0, 0, 0}), doctest::Contains("owns yet"), ferry::SerializationError);
    CHECK_THROWS_WITH_AS(readInts<Person>({1, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0}), doctest::Contains("circle of owners"),
                         ferry::SerializationError);
    CHECK_THROWS_WITH_AS(readInts<Person>({1, 0, 0, 0, 1, 0}), doctest::Contains("circle of owners"), ferry::SerializationError);
    CHECK_THROWS_WITH_AS(readInts<Person>({1, 0, 0, 0, 2, 0, 0, 2, 0, 0, 0}), doctest::Contains("owns yet"), ferry::SerializationError);
    CHECK_THROWS_AS(readInts<Person>({1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0}, ferry::GraphMemory::Arena), ferry::UsageError);
    CHECK(Counted::living == 0);
}

TEST_CASE("Graph: a pointer to an object of another type is refused") {
    struct Pair {
        Node* node = nullptr;
        Vertex* vertex = nullptr;
    };
    CHECK_THROWS_WITH_AS((readInts<Pair>({1, 2, 2, 0, 0})), doctest::Contains("expected a pointer to graphtest::Vertex"),
                         ferry::SerializationError);
}
