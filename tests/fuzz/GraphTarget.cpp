#include <cstdint>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphReader.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/graph/GraphWriter.hpp>
#include <ferry/tests/fuzz/FuzzCheck.hpp>

namespace ferry::test::graphs {

/// Counts the live objects. No object may be left when a graph has been destroyed.
struct Counted {
    Counted() { ++living; }
    Counted(const Counted&) { ++living; }
    Counted& operator=(const Counted&) = default;
    ~Counted() { --living; }
    static inline int living = 0;
};

struct Place : Counted {
    int number = 0;
    std::vector<Place*> roads;
    FERRY_FIELDS(number, roads)
};

struct Person : Counted {
    std::string name;
    std::shared_ptr<Person> friendOf;
    std::weak_ptr<Person> boss;
    std::unique_ptr<Person> child;
    std::vector<std::shared_ptr<Person>> club;
    Person* neighbour = nullptr;
    FERRY_FIELDS(name, friendOf, boss, child, club, neighbour)
};

class Figure : public IntSerializableObject, public Counted {
public:
    Figure* next = nullptr;
    std::unique_ptr<Figure> inner;
};
class Dot : public Figure {
public:
    FERRY_CLASS(ferry::test::graphs::Dot)
    FERRY_FIELDS(next, inner, x)
    int x = 0;
};
struct Titled {
    virtual ~Titled() = default;
    std::string title;
};
class Frame : public Titled, public Figure {
public:
    FERRY_CLASS(ferry::test::graphs::Frame)
    FERRY_FIELDS(next, inner, title, dots, shared)
    std::vector<Dot*> dots;
    std::shared_ptr<IntSerializableObject> shared;
};

struct Corner : Counted {
    double x = 0;
    FERRY_FIELDS(x)
};
struct Face : Counted {
    std::vector<Corner*> corners;
    Face* beside = nullptr;
    FERRY_FIELDS(corners, beside)
};
struct Body : Counted {
    std::vector<Corner> corners;
    std::vector<Face> faces;
    std::unique_ptr<Body> hole;
    FERRY_FIELDS(corners, faces, hole)
};

struct Curve : Counted {
    int rows = 0;
    std::uint16_t columns = 0;
    float* values = nullptr;
    std::int64_t partCount = 0;
    Curve* parts = nullptr;
    Curve* one = nullptr;
    FERRY_FIELDS(arrayOf(values, rows, columns), arrayOf(parts, partCount), one)
};

struct Limb : Counted {    // deletes what its raw pointers lead to
    int value = 0;
    Limb* first = nullptr;
    Limb* second = nullptr;
    Limb* parent = nullptr;    // owns nothing
    short count = 0;
    std::uint16_t* numbers = nullptr;
    std::string* names = nullptr;
    int moreCount = 0;
    Limb* more = nullptr;
    ~Limb() {
        delete first;
        delete second;
        delete[] numbers;
        delete[] names;
        delete[] more;
    }
    FERRY_FIELDS(value, owned(first), owned(second), parent, ownedArray(numbers, count), ownedArray(names, count),
                 ownedArray(more, moreCount))
};

namespace {

class CollectingSink final : public detail::ChunkSink {
public:
    IntBuffer begin() override { return {}; }
    void put(IntBuffer chunk, bool) override { ints.insert(ints.end(), chunk.ints().begin(), chunk.ints().end()); }
    Ints ints;
};

template <class T>
Ints graphInts(const T* root) {
    CollectingSink sink;
    detail::GraphWriter(sink).write(graph(root));
    return std::move(sink.ints);
}

template <class T>
IntBuffer graphSeed(std::int32_t selector, const T* root) {
    Ints ints{selector, 0};
    const Ints own = graphInts(root);
    ints.insert(ints.end(), own.begin(), own.end());
    return IntBuffer(ints);
}

/// Reads a graph in one piece, or in two pieces. The first piece has firstInts ints.
template <class T>
Graph<T> readPieces(std::span<const std::int32_t> ints, std::size_t firstInts, GraphMemory memory) {
    detail::GraphReader<T> reader(memory);
    if (firstInts == 0 || firstInts >= ints.size()) {
        reader.read(ints, true);
    } else {
        reader.read(ints.subspan(0, firstInts), false, ints.size() - firstInts);
        reader.read(ints.subspan(firstInts), true);
    }
    return reader.take();
}

template <class T>
Outcome checkGraph(MemoryUse& allowed, std::span<const std::int32_t> ints, std::size_t firstInts, GraphMemory memory) {
    Outcome outcome = Outcome::Refused;
    {
        Graph<T> read;
        {
            const AllocationWatch watch;
            try {
                read = readPieces<T>(ints, firstInts, memory);
                outcome = Outcome::ReadWhole;
            } catch (const UsageError&) {
                if (memory == GraphMemory::Heap) throw;    // an arena does not allow owners
            } catch (...) {
                requireRefusal(allowed.name);
            }
            requireBounded(allowed, watch, ints.size_bytes());
        }
        if (outcome == Outcome::ReadWhole) {
            const Ints first = graphInts(read.root());
            const Graph<T> again = readPieces<T>(first, 0, memory);
            if (graphInts(again.root()) != first) failCheck(allowed.name, "what was read is written differently the second time");
        }
    }
    if (Counted::living != 0) failCheck(allowed.name, "objects are left of a graph that has gone");
    return outcome;
}

class GraphTarget final : public FuzzTarget {
public:
    std::string_view name() const override { return "graph"; }

    std::vector<IntBuffer> seeds() const override {
        std::vector<IntBuffer> seeds;
        std::vector<Place> places(4);
        for (std::size_t i = 0; i < places.size(); ++i) places[i].roads = {&places[(i + 1) % 4], &places[0], nullptr};
        seeds.push_back(graphSeed(0, places.data()));

        auto ann = std::make_shared<Person>();
        auto bob = std::make_shared<Person>();
        ann->name = "Ann";
        ann->friendOf = bob, bob->friendOf = ann;
        ann->boss = bob, bob->boss = bob;
        ann->child = std::make_unique<Person>();
        ann->child->neighbour = bob.get(), bob->neighbour = ann->child.get();
        bob->club = {ann, nullptr, bob};
        seeds.push_back(graphSeed(1, ann.get()));
        ann->friendOf.reset(), bob->club.clear();

        Dot dot;
        Frame frame;
        dot.next = &frame, frame.next = &dot;
        frame.title = "frame";
        frame.dots = {&dot, &dot};
        frame.inner = std::make_unique<Dot>();
        frame.shared = std::make_shared<Frame>();
        seeds.push_back(graphSeed(2, static_cast<const Figure*>(&frame)));

        Body body;
        body.corners.resize(4);
        body.faces.resize(2);
        body.faces[0].corners = {&body.corners[0], &body.corners[3]};
        body.faces[1].beside = &body.faces[0], body.faces[0].beside = &body.faces[1];
        body.hole = std::make_unique<Body>();
        body.hole->faces.resize(1);
        body.hole->faces[0].corners = {&body.corners[2]};
        seeds.push_back(graphSeed(3, &body));

        std::vector<float> values(6);
        std::vector<Curve> parts(2);
        Curve curve;
        curve.rows = 2, curve.columns = 3, curve.values = values.data();
        curve.partCount = 2, curve.parts = parts.data(), curve.one = &parts[1];
        parts[0].rows = 2, parts[0].columns = 3, parts[0].values = values.data();
        seeds.push_back(graphSeed(4, &curve));
        seeds.push_back(graphSeed(4, static_cast<const Curve*>(nullptr)));

        Limb limb;
        limb.first = new Limb;
        limb.first->second = new Limb;
        limb.first->second->parent = limb.first;
        limb.count = 2;
        limb.numbers = new std::uint16_t[2]{1, 2};
        limb.names = new std::string[2]{"one", ""};
        limb.moreCount = 2;
        limb.more = new Limb[2];
        limb.more[1].first = new Limb;
        limb.more[1].first->parent = &limb.more[1];
        seeds.push_back(graphSeed(10, &limb));
        return seeds;
    }

    Outcome run(std::span<const std::int32_t> ints) override {
        if (ints.size() < 2) return Outcome::Refused;
        const std::span<const std::int32_t> rest = ints.subspan(2);
        const auto selector = static_cast<std::uint32_t>(ints[0]);
        const std::size_t firstInts = static_cast<std::uint32_t>(ints[1]) % (rest.size() + 1);
        const GraphMemory memory = selector / 5 % 2 == 0 ? GraphMemory::Heap : GraphMemory::Arena;
        const auto check = [&]<class T>(std::type_identity<T>) { return checkGraph<T>(use_, rest, firstInts, memory); };
        if (selector / 10 % 2 == 1) return check(std::type_identity<Limb>());
        switch (selector % 5) {
            case 0: return check(std::type_identity<Place>());
            case 1: return check(std::type_identity<Person>());
            case 2: return check(std::type_identity<Figure>());
            case 3: return check(std::type_identity<Body>());
            default: return check(std::type_identity<Curve>());
        }
    }

private:
    /// An object behind a pointer has up to 150 bytes, and takes up to 150 more bytes in the tables of owners.
    /// A pointer to a class of the hierarchy takes two ints. All other objects take as many ints as their contents.
    MemoryUse use_{"graph", 32, 64, 128 * 1024};
};

}    // namespace

}    // namespace ferry::test::graphs

std::unique_ptr<ferry::test::FuzzTarget> ferry::test::makeGraphTarget() { return std::make_unique<graphs::GraphTarget>(); }
