#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <list>
#include <span>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/codec/View.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

// Classes whose destructors delete what several raw pointers lead to.

namespace ownedPointersTest {

using ferry::test::Ints;

struct Counted {
    static inline int living = 0;
    Counted() { ++living; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --living; }
};

/// A node with its children in a container. Reading makes new children.
template <class Container>
struct Node : Counted {
    int value = 0;
    Container children{};
    Node() = default;
    explicit Node(int number) : value(number) {}
    ~Node() {
        ferry::detail::forEachPointer(children, [](auto* child) { delete child; });
    }
    FERRY_FIELDS(value, ferry::owned(children))
};
struct InVector : Node<std::vector<InVector*>> {
    using Node::Node;
    FERRY_FIELDS_AFTER(Node)
};
struct InList : Node<std::list<InList*>> {
    using Node::Node;
    FERRY_FIELDS_AFTER(Node)
};
struct InDeque : Node<std::deque<const InDeque*>> {
    using Node::Node;
    FERRY_FIELDS_AFTER(Node)
};
struct InArray : Node<std::array<InArray*, 3>> {
    using Node::Node;
    FERRY_FIELDS_AFTER(Node)
};
struct InPlace : Node<InPlace* [3]> {
    using Node::Node;
    FERRY_FIELDS_AFTER(Node)
};
struct Octree : Counted {    // the usual form of a tree in space
    int value = 0;
    Octree* children[2][2][2] = {};
    Octree() = default;
    ~Octree() {
        ferry::detail::forEachPointer(children, [](Octree* child) { delete child; });
    }
    FERRY_FIELDS(value, ferry::owned(children))
};

/// A node with an array of children behind a pointer, and a second array of the same length.
struct Branch : Counted {
    int value = 0;
    short count = 0;
    double* weights = nullptr;
    Branch** children = nullptr;
    Branch() = default;
    explicit Branch(int number, std::vector<Branch*> given = {}) : value(number), count(static_cast<short>(given.size())) {
        if (given.empty()) return;
        weights = new double[given.size()]();
        children = new Branch*[given.size()];
        for (std::size_t i = 0; i < given.size(); ++i) children[i] = given[i];
    }
    ~Branch() {
        for (int i = 0; i < count; ++i) delete children[i];
        delete[] children;
        delete[] weights;
    }
    FERRY_FIELDS(value, ferry::ownedArray(weights, count), ferry::owned(children, count))
};

struct Board : Counted {    // an array of two dimensions, alone
    int rows = 0;
    std::size_t columns = 0;
    const int** places = nullptr;
    ~Board() {
        for (std::size_t i = 0; i < static_cast<std::size_t>(rows) * columns; ++i) delete places[i];
        delete[] places;
    }
    FERRY_FIELDS(ferry::owned(places, rows, columns))
};

struct Shape : ferry::IntSerializableObject, Counted {};
struct Circle : Shape {
    FERRY_CLASS(ownedPointersTest::Circle)
    FERRY_FIELDS(radius)
    int radius = 1;
};
struct Group : Shape {
    FERRY_CLASS(ownedPointersTest::Group)
    FERRY_FIELDS(ferry::owned(shapes))
    std::vector<Shape*> shapes;
    ~Group() override {
        for (const Shape* each : shapes) delete each;
    }
};

struct Link : Counted {
    const Link* look = nullptr;    // owns nothing
    Link* next = nullptr;
    short count = 0;
    Link** children = nullptr;
    double* weights = nullptr;
    ~Link() {
        delete next;
        for (int i = 0; i < count; ++i) delete children[i];
        delete[] children;
        delete[] weights;
    }
    FERRY_FIELDS(look, ferry::owned(next), ferry::owned(children, count), ferry::ownedArray(weights, count))
};

template <int version>
struct Album;
template <>
struct Album<1> {
    int year = 0;
    FERRY_FIELDS_VERSIONED(1, year)
};
template <>
struct Album<2> : Counted {
    int year = 0;
    std::vector<InVector*> songs{new InVector(1), new InVector(2)};
    int count = 1;
    Branch** prizes = new Branch* [1] { new Branch(3) };
    ~Album() {
        for (const InVector* each : songs) delete each;
        for (int i = 0; i < count; ++i) delete prizes[i];
        delete[] prizes;
    }
    FERRY_FIELDS_VERSIONED(2, year, ferry::owned(songs), ferry::owned(prizes, count))
};

struct ByHand : Counted {    // lists its fields in functions of its own
    std::vector<Octree*> trees;
    int count = 0;
    Octree** more = nullptr;
    ~ByHand() {
        for (const Octree* each : trees) delete each;
        for (int i = 0; i < count; ++i) delete more[i];
        delete[] more;
    }
    void writeToInts(ferry::IntWriter& out) const { out << ferry::owned(trees) << ferry::owned(more, count); }
    void readFromInts(ferry::IntReader& in) { in >> ferry::owned(trees) >> ferry::owned(more, count); }
};

struct Forest : Counted {    // shown by views
    unsigned count = 0;
    Octree** more = nullptr;
    std::vector<Octree*> trees;
    Octree* pair[2] = {};
    Branch branch;
    ~Forest() {
        for (unsigned i = 0; i < count; ++i) delete more[i];
        delete[] more;
        for (const Octree* each : trees) delete each;
        delete pair[0];
        delete pair[1];
    }
};

class KeepingSink final : public ferry::detail::ChunkSink {
public:
    ferry::IntBuffer begin() override { return {}; }
    void put(ferry::IntBuffer chunk, bool) override { ints.insert(ints.end(), chunk.ints().begin(), chunk.ints().end()); }
    Ints ints;
};
template <class T>
Ints graphInts(const T* root) {
    KeepingSink sink;
    ferry::detail::GraphWriter(sink).write(ferry::graph(root));
    return sink.ints;
}
template <class T>
void readGraph(const Ints& ints) {
    ferry::detail::GraphReader<T> reader(ferry::GraphMemory::Heap);
    reader.read(ints, true);
    reader.take();
}

/// Reads the ints cut off at every int, and with each int replaced by bad ones.
template <class T>
void checkDamagedGraph(Ints ints) {
    for (std::size_t length = 0; length < ints.size(); ++length) {
        CAPTURE(length);
        CHECK_THROWS_AS(readGraph<T>({ints.begin(), ints.begin() + static_cast<std::ptrdiff_t>(length)}), ferry::SerializationError);
        CHECK(Counted::living == 0);
    }
    const std::int32_t least = std::numeric_limits<std::int32_t>::min(), most = std::numeric_limits<std::int32_t>::max();
    for (std::int32_t& place : ints) {
        const std::int32_t good = place;
        for (const std::int32_t bad : {0, 1, 2, 3, 4, 5, 6, -1, -2, least, most, good - 1, good + 1, good ^ 0x10000}) {
            place = bad;
            try {
                readGraph<T>(ints);
            } catch (const ferry::Exception&) {}    // SerializationError, or UnknownClass
            CHECK(Counted::living == 0);
        }
        place = good;
    }
}

template <class T>
void readInto(const Ints& ints, T& target) {
    ferry::IntReader in(ints);
    in >> target;
    in.expectEnd();
}

/// Round trips of a tree as a value and as a graph. golden: the ints of the value.
template <class T>
void checkTree(const T& tree, const Ints& golden, int lives) {
    using namespace ferry::test;
    CHECK(intsOf(tree) == golden);
    {
        T copy;
        readInto(golden, copy);
        readInto(golden, copy);    // the first objects are deleted
        CHECK(intsOf(copy) == golden);
        CHECK(Counted::living == 2 * lives);
        const auto graph = ferry::copyGraph(&tree);
        CHECK(intsOf(*graph) == golden);
    }
    CHECK(Counted::living == lives);
    checkTruncated<T>(golden);
    checkDamaged<T>(golden);
    CHECK(Counted::living == lives);
}

}    // namespace ownedPointersTest

using namespace ownedPointersTest;

TEST_CASE_TEMPLATE("CodecOwnedPointers: the pointers of a sequence travel as a sequence of unique_ptr", T, InVector, InList, InDeque) {
    Ints ints;
    {
        auto* inner = new T(2);
        inner->children.push_back(new T(3));
        T tree(1);
        tree.children = {inner, nullptr, new T(4)};
        checkTree(tree, {1, 3, 1, 2, 1, 1, 3, 0, 0, 1, 4, 0}, 4);
        ints = graphInts(&tree);
        CHECK(ints == Ints{1, 1, 3, 2, 0, 3, 2, 1, 4, 4, 0, 3, 0});
    }
    checkDamagedGraph<T>(ints);
}

TEST_CASE_TEMPLATE("CodecOwnedPointers: the pointers of an array travel without a count", T, InArray, InPlace) {
    Ints ints;
    {
        auto* inner = new T(2);
        inner->children[2] = new T(3);
        T tree(1);
        tree.children[0] = inner;
        checkTree(tree, {1, 1, 2, 0, 0, 1, 3, 0, 0, 0, 0, 0}, 3);
        ints = graphInts(&tree);
    }
    checkDamagedGraph<T>(ints);
}

TEST_CASE("CodecOwnedPointers: arrays of several dimensions") {
    Ints ints;
    {
        Octree tree;
        tree.children[1][0][1] = new Octree;
        checkTree(tree, {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 2);
        ints = graphInts(&tree);

        Board board;
        board.rows = 1, board.columns = 2;
        board.places = new const int* [2] { new int(5), nullptr };
        CHECK(ferry::test::intsOf(board) == Ints{1, 2, 1, 5, 0});
        Board copy;
        readInto({1, 2, 1, 5, 0}, copy);
        readInto({2, 1, 0, 1, 7}, copy);
        CHECK(*copy.places[1] == 7);
        CHECK_THROWS_AS(readInto({2, 1, 0, 3, 7}, copy), ferry::SerializationError);
        CHECK(copy.places == nullptr);
        CHECK_THROWS_WITH_AS(readInto({1 << 20, 1 << 20}, copy), doctest::Contains("owned(places, rows, columns)"),
                             ferry::SerializationError);
        ferry::test::checkDamaged<Board>({1, 2, 1, 5, 0});
    }
    CHECK(Counted::living == 0);
    checkDamagedGraph<Octree>(ints);
}

TEST_CASE("CodecOwnedPointers: an array of pointers behind a pointer, with a count that another array shares") {
    Ints ints;
    {
        const Branch tree(1, {new Branch(2, {new Branch(3)}), nullptr});
        const Ints golden{1, 2, 0, 0, 0, 0, 2, 1, 2, 1, 0, 0, 1, 1, 3, 0, 0, 0};
        checkTree(tree, golden, 3);
        Branch wider(1, {new Branch, new Branch, new Branch});    // the old array is longer than the count that comes first
        readInto(golden, wider);
        Branch narrower(1, {new Branch});
        readInto(golden, narrower);
        CHECK(narrower.children[0]->children[0]->value == 3);

        Ints lengths = golden;
        lengths[6] = 1;    // the arrays have different lengths
        lengths.resize(lengths.size() - 1);
        CHECK_THROWS_WITH_AS(readInto(lengths, narrower), doctest::Contains("share a count"), ferry::SerializationError);
        CHECK(narrower.count == 0);
        CHECK(narrower.children == nullptr);
        for (std::size_t cut = 0; cut < golden.size(); ++cut) {
            Branch target(1, {new Branch, new Branch, new Branch});
            CHECK_THROWS_AS(readInto(Ints(golden.begin(), golden.begin() + static_cast<std::ptrdiff_t>(cut)), target),
                            ferry::SerializationError);
            CHECK((target.count == 3 || target.count == 0));
        }
        ints = graphInts(&tree);
    }
    CHECK(Counted::living == 0);
    checkDamagedGraph<Branch>(ints);

    Branch wrong;
    wrong.count = 1;
    CHECK_THROWS_WITH_AS(ferry::test::intsOf(wrong), doctest::Contains("the length of the array is not 0"), ferry::UsageError);
    wrong.count = -1;
    CHECK_THROWS_WITH_AS(ferry::test::intsOf(wrong), doctest::Contains("is negative, or too large"), ferry::UsageError);
    wrong.count = 0;
}

TEST_CASE("CodecOwnedPointers: base pointers lead to the same classes") {
    Ints ints;
    {
        Group group;
        auto* inner = new Group;
        inner->shapes = {new Circle};
        group.shapes = {inner, nullptr};
        const Ints golden{2, inner->classId(), 1, Circle().classId(), 1, 0};
        CHECK(ferry::test::intsOf(group) == golden);
        Group copy;
        readInto(golden, copy);
        CHECK(dynamic_cast<const Group&>(*copy.shapes[0]).shapes.size() == 1);
        ferry::test::checkTruncated<Group>(golden);
        ints = graphInts(&group);
        const auto graph = ferry::copyGraph(&group);
        CHECK(dynamic_cast<const Circle&>(*dynamic_cast<const Group&>(*graph->shapes[0]).shapes[0]).radius == 1);
    }
    CHECK(Counted::living == 0);
    checkDamagedGraph<Group>(ints);
}

TEST_CASE("CodecOwnedPointers: two owners of one object, and owners in a circle") {
    {
        InVector root(1);
        auto* child = new InVector(2);
        root.children = {child, child};
        CHECK_THROWS_WITH_AS(ferry::copyGraph(&root), doctest::Contains("is owned by ferry::owned(children)"), ferry::UsageError);
        root.children.pop_back();
        child->children = {&root};
        CHECK_THROWS_WITH_AS(ferry::copyGraph(&root), doctest::Contains("owns itself, at last through ferry::owned(children)"),
                             ferry::UsageError);
        child->children.clear();
    }
    CHECK(Counted::living == 0);
    CHECK_THROWS_WITH_AS(readGraph<InVector>({1, 1, 2, 2, 2, 2, 0}), doctest::Contains("owns yet"), ferry::SerializationError);
    CHECK_THROWS_WITH_AS(readGraph<InVector>({1, 1, 1, 1}), doctest::Contains("circle of owners"), ferry::SerializationError);
    CHECK(Counted::living == 0);
}

TEST_CASE("CodecOwnedPointers: a tree of any depth, which the graph ends without recursion") {
    constexpr int Depth = 200'000;
    auto* root = new Branch(0);
    auto* other = new InVector(0);
    for (int i = 0; i < Depth; ++i) {
        root = new Branch(i, {root});
        auto* around = new InVector(i);
        around->children = {other};
        other = around;
    }
    CHECK_THROWS_WITH_AS(ferry::test::intsOf(*root), doctest::Contains("send them with ferry::graph"), ferry::UsageError);
    CHECK(ferry::copyGraph(root)->children[0]->value == Depth - 2);
    CHECK(ferry::copyGraph(other)->children[0]->value == Depth - 2);
    Ints ints = graphInts(root);
    ints.back() = 1;    // the last object is damaged
    CHECK_THROWS_AS(readGraph<Branch>(ints), ferry::SerializationError);
    CHECK(Counted::living == 2 * (Depth + 1));
    while (root != nullptr) {
        Branch* inner = root->count == 0 ? nullptr : std::exchange(root->children[0], nullptr);
        delete std::exchange(root, inner);
    }
    while (other != nullptr) {
        InVector* inner = other->children.empty() ? nullptr : std::exchange(other->children[0], nullptr);
        delete std::exchange(other, inner);
    }
    CHECK(Counted::living == 0);
}

TEST_CASE("CodecOwnedPointers: a damaged graph whose owner gives a deep list up ends without recursion") {
    constexpr int Last = 200'000;
    Ints ints{1, 2, 0, 0, 0, 0};    // object 1 looks at the first of the list
    for (int number = 2; number < Last; ++number) ints.insert(ints.end(), {0, number + 1, 0, 0, 0});
    ints.insert(ints.end(), {Last + 1, 0, 0, 0, 0});
    ints.insert(ints.end(), {0, 0, 1, 2, 2, Last + 2, 0, 0, 0, 0});    // object Last + 1 takes the list, and has more weights
    CHECK_THROWS_WITH_AS(readGraph<Link>(ints), doctest::Contains("share a count"), ferry::SerializationError);
    CHECK(Counted::living == 0);
}

TEST_CASE("CodecOwnedPointers: versions, and a class that writes itself") {
    {
        Album<2> album;
        readInto(ferry::test::intsOf(Album<1>{1990}), album);    // fields that are missing get their values in a new object
        CHECK(album.year == 1990);
        CHECK(album.songs[1]->value == 2);
        CHECK(album.prizes[0]->value == 3);
        CHECK(Counted::living == 4);
        Album<2> copy;
        readInto(ferry::test::intsOf(album), copy);
        CHECK(copy.songs.size() == 2);
        CHECK(ferry::test::valueOf<Album<1>>(ferry::test::intsOf(album)).year == 1990);

        ByHand hand;
        hand.trees = {new Octree, nullptr};
        hand.more = new Octree* [1] { new Octree };
        hand.count = 1;
        ByHand other;
        readInto(ferry::test::intsOf(hand), other);
        CHECK(other.trees.size() == 2);
        CHECK(other.more[0] != nullptr);
        ferry::test::checkDamaged<ByHand>(ferry::test::intsOf(hand));
    }
    CHECK(Counted::living == 0);
}

TEST_CASE("CodecOwnedPointers: views show members that own, and pointers of containers that own") {
    using Whole = ferry::View<&Forest::branch>;
    using Trees = ferry::View<ferry::inside<&Forest::trees, ferry::Owned<>>, ferry::inside<&Forest::pair, ferry::Owned<>>,
                              ferry::counted<ferry::CountedBy<&Forest::count>, ferry::ArrayAt<&Forest::more, ferry::Owned<>>>>;
    {
        Forest forest, copy;
        forest.branch.children = new Branch* [1] { new Branch(2) };
        forest.branch.weights = new double[1]{0};
        forest.branch.count = 1;
        forest.trees = {new Octree, new Octree};
        forest.pair[1] = new Octree;
        copy.trees = {new Octree, new Octree, new Octree};
        copy.pair[0] = new Octree;
        forest.more = new Octree* [2] { new Octree, nullptr };
        forest.count = 2;
        copy.more = new Octree* [3] { new Octree, new Octree, new Octree };
        copy.count = 3;
        ferry::IntBuffer buffer;
        ferry::IntWriter(buffer) << ferry::part<Whole>(forest) << ferry::part<Trees>(forest);
        const Ints ints(buffer.ints().begin(), buffer.ints().end());
        ferry::IntReader in(ints);
        in >> ferry::part<Whole>(copy) >> ferry::part<Trees>(copy);
        in.expectEnd();
        CHECK(copy.branch.children[0]->value == 2);
        CHECK(copy.trees.size() == 2);
        CHECK(copy.pair[0] == nullptr);
        CHECK(copy.pair[1] != nullptr);
        CHECK(copy.count == 2);
        CHECK(copy.more[0] != nullptr);
        for (std::size_t cut = 0; cut < ints.size(); ++cut) {
            Forest target;
            target.trees = {new Octree, nullptr, new Octree};
            ferry::IntReader part(std::span<const std::int32_t>(ints).first(cut));
            CHECK_THROWS_AS(part >> ferry::part<Whole>(target) >> ferry::part<Trees>(target), ferry::SerializationError);
        }
    }
    CHECK(Counted::living == 0);
}
