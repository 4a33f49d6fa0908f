#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>

// Graphs of classes whose destructors delete what their raw pointers lead to.

namespace graphOwnedTest {

using Ints = std::vector<std::int32_t>;

struct Counted {
    static inline int living = 0;
    Counted() { ++living; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --living; }
};

struct Node : Counted {
    int value = 0;
    Node* left = nullptr;
    Node* right = nullptr;
    Node* parent = nullptr;    // owns nothing
    int count = 0;
    double* samples = nullptr;
    ~Node() {
        delete left;
        delete right;
        delete[] samples;
    }
    FERRY_FIELDS(value, ferry::owned(left), ferry::owned(right), parent, ferry::ownedArray(samples, count))
};

struct Reading {    // looks at samples of somebody else
    int count = 0;
    double* samples = nullptr;
    FERRY_FIELDS(ferry::arrayOf(samples, count))
};
struct Signal : Counted {
    int count = 0;
    double* samples = nullptr;
    Reading* reading = nullptr;
    Signal* second = nullptr;
    ~Signal() {
        delete[] samples;
        delete reading;
        delete second;
    }
    FERRY_FIELDS(ferry::ownedArray(samples, count), ferry::owned(reading), ferry::owned(second))
};

struct Folder : Counted {    // an array of objects that own arrays
    int number = 0;
    short count = 0;
    Folder* folders = nullptr;
    Folder* favourite = nullptr;    // leads to an element
    ~Folder() {
        for (int i = 0; i < count; ++i) folders[i].number = -1;    // needs the array
        delete[] folders;
    }
    FERRY_FIELDS(number, ferry::ownedArray(folders, count), favourite)
};

struct Animal : ferry::IntSerializableObject, Counted {
    FERRY_CLASS(graphOwnedTest::Animal)
    FERRY_FIELDS(ferry::owned(child), ferry::owned(other))
    Animal* child = nullptr;
    const Animal* other = nullptr;
    ~Animal() override {
        delete child;
        delete other;
    }
};
struct Bird : Animal {
    FERRY_CLASS(graphOwnedTest::Bird)
    FERRY_FIELDS_AFTER(Animal, wings)
    int wings = 2;
};

struct Mixed : Counted {
    std::unique_ptr<Mixed> child;
    std::shared_ptr<Mixed> share;
    Mixed* owned = nullptr;
    ~Mixed() { delete owned; }
    FERRY_FIELDS(child, share, ferry::owned(owned))
};

struct Plain {    // deletes nothing: the graph does
    int count = 0;
    int* numbers = nullptr;
    FERRY_FIELDS(ferry::ownedArray(numbers, count))
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
ferry::Graph<T> graphOf(const Ints& ints, ferry::GraphMemory memory = ferry::GraphMemory::Heap) {
    ferry::detail::GraphReader<T> reader(memory);
    reader.read(ints, true);
    return reader.take();
}

/// Reads the ints cut off at every int, and with each int replaced by bad ones.
template <class T>
void checkDamagedGraph(Ints ints) {
    for (std::size_t length = 0; length < ints.size(); ++length) {
        CAPTURE(length);
        CHECK_THROWS_AS(graphOf<T>({ints.begin(), ints.begin() + static_cast<std::ptrdiff_t>(length)}), ferry::SerializationError);
    }
    const std::int32_t least = std::numeric_limits<std::int32_t>::min(), most = std::numeric_limits<std::int32_t>::max();
    for (std::int32_t& place : ints) {
        const std::int32_t good = place;
        for (const std::int32_t bad : {0, 1, 2, 3, 4, 5, 6, -1, -2, least, most, good - 1, good + 1, good ^ 0x10000}) {
            place = bad;
            try {
                graphOf<T>(ints);
            } catch (const ferry::SerializationError&) {}
            CHECK(Counted::living == 0);
        }
        place = good;
    }
}

std::unique_ptr<Node> makeNode(int value, std::unique_ptr<Node> left = nullptr, std::unique_ptr<Node> right = nullptr) {
    auto node = std::make_unique<Node>();
    node->value = value;
    node->left = left.release();
    node->right = right.release();
    if (node->left != nullptr) node->left->parent = node.get();
    if (node->right != nullptr) node->right->parent = node.get();
    return node;
}

}    // namespace graphOwnedTest

using namespace graphOwnedTest;

TEST_CASE("GraphOwned: a tree travels as one of unique_ptr, and each object is deleted once") {
    Ints ints;
    {
        auto root = makeNode(1, makeNode(2), makeNode(3, makeNode(4)));
        root->right->count = 1;
        root->right->samples = new double[1]{0};
        ints = graphInts(root.get());
        CHECK(ints == Ints{1, 1, 2, 3, 0, 0, 0, 2, 0, 0, 1, 0, 0, 3, 4, 0, 1, 1, 5, 0, 0, 4, 0, 0, 3, 0, 0});
        auto copy = ferry::copyGraph(root);
        CHECK(Counted::living == 8);
        CHECK(copy->right->left->parent == copy->right);
        CHECK(copy->right->samples[0] == 0);
        const auto second = ferry::copyGraph(copy);
        copy = {};
        CHECK(Counted::living == 8);
        CHECK(second->right->left->value == 4);
    }
    CHECK(Counted::living == 0);
    checkDamagedGraph<Node>(ints);
}

TEST_CASE("GraphOwned: takeUnique and release hand a tree over") {
    {
        const auto root = makeNode(1, makeNode(2), makeNode(3));
        auto copy = ferry::copyGraph(root);
        const std::unique_ptr<Node> taken = copy.takeUnique();
        copy = {};
        CHECK(taken->left->value == 2);
        const std::unique_ptr<Node> released(ferry::copyGraph(root).release());
        CHECK(released->right->value == 3);
    }
    CHECK(Counted::living == 0);
}

TEST_CASE("GraphOwned: a list of any length, which the graph ends without recursion") {
    constexpr int Length = 300'000;
    std::unique_ptr<Node> first;
    for (int i = 0; i < Length; ++i) first = makeNode(i, std::move(first));
    CHECK(ferry::copyGraph(first).objectCount() == Length);
    CHECK(Counted::living == Length);
    Ints ints = graphInts(first.get());
    ints.back() = 1;    // the last of all objects is damaged
    CHECK_THROWS_AS(graphOf<Node>(ints), ferry::SerializationError);
    CHECK(Counted::living == Length);
    while (first != nullptr) first.reset(std::exchange(first->left, nullptr));
}

TEST_CASE("GraphOwned: arrays in arrays of any depth end without recursion") {
    constexpr int Depth = 100'000;
    auto* folders = new Folder[1];
    for (int i = 0; i < Depth; ++i) {
        auto* around = new Folder[1];
        around->folders = folders;
        around->count = 1;
        around->favourite = folders;
        folders = around;
    }
    CHECK(Counted::living == Depth + 1);
    {
        auto copy = ferry::copyGraph(folders);
        CHECK(copy->favourite == copy->folders);
        CHECK(Counted::living == 2 * (Depth + 1));
    }
    CHECK(Counted::living == Depth + 1);
    while (folders != nullptr) {
        Folder* inner = std::exchange(folders->folders, nullptr);
        folders->count = 0;
        delete[] folders;
        folders = inner;
    }
    CHECK(Counted::living == 0);

    Ints ints;
    {
        Folder root;
        root.count = 2;
        root.folders = new Folder[2];
        root.folders[1].count = 1;
        root.folders[1].folders = new Folder[1];
        root.favourite = &root.folders[1];
        ints = graphInts(&root);
        CHECK(ints == Ints{1, 0, 2, 2, -1, 1, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0});
    }
    checkDamagedGraph<Folder>(ints);
}

TEST_CASE("GraphOwned: an owned array is the one that others look at") {
    Ints ints;
    {
        Signal signal;
        signal.count = 2;
        signal.samples = new double[2]{0, 0};
        signal.reading = new Reading{2, signal.samples};
        ints = graphInts(&signal);
        CHECK(ints == Ints{1, 2, 2, 0, 0, 0, 0, 3, 0, 2, 2});
        const auto copy = ferry::copyGraph(&signal);
        CHECK(copy->reading->samples == copy->samples);
    }
    CHECK(Counted::living == 0);
    checkDamagedGraph<Signal>(ints);
}

TEST_CASE("GraphOwned: owned base pointers lead to the same classes") {
    Ints ints;
    {
        Animal root;
        root.child = new Bird;
        auto* bird = new Bird;
        bird->wings = 3;
        root.other = bird;
        ints = graphInts(&root);
        const auto copy = ferry::copyGraph(&root);
        CHECK(dynamic_cast<const Bird&>(*copy->other).wings == 3);
    }
    CHECK(Counted::living == 0);
    for (std::size_t i = 0; i < ints.size(); ++i) {
        Ints bad = ints;
        bad[i] ^= 2;
        try {
            graphOf<Animal>(bad);
        } catch (const ferry::Exception&) {}    // SerializationError, or UnknownClass
        CHECK(Counted::living == 0);
    }
}

TEST_CASE("GraphOwned: two owners of one object, and owners in a circle") {
    {
        Node root;
        Node shared;
        root.left = root.right = &shared;
        CHECK_THROWS_WITH_AS(ferry::copyGraph(&root),
                             doctest::Contains("is owned by ferry::owned(left) of graphOwnedTest::Node and by ferry::owned(right) of "
                                               "graphOwnedTest::Node besides"),
                             ferry::UsageError);
        root.right = nullptr;
        shared.left = &root;
        CHECK_THROWS_WITH_AS(ferry::copyGraph(&root), doctest::Contains("owns itself, at last through ferry::owned(left)"),
                             ferry::UsageError);
        root.left = shared.left = nullptr;

        Mixed mixed;
        mixed.child = std::make_unique<Mixed>();
        mixed.owned = mixed.child.get();
        CHECK_THROWS_WITH_AS(ferry::copyGraph(&mixed), doctest::Contains("by a unique_ptr and by ferry::owned(owned)"), ferry::UsageError);
        mixed.child.release();
        mixed.share.reset(mixed.owned, [](Mixed*) {});
        CHECK_THROWS_WITH_AS(ferry::copyGraph(&mixed), doctest::Contains("by a shared_ptr or weak_ptr and by ferry::owned(owned)"),
                             ferry::UsageError);
        mixed.share.reset();

        Signal first, second;
        first.count = second.count = 1;
        first.samples = second.samples = new double[1]{1};
        first.second = &second;
        CHECK_THROWS_WITH_AS(ferry::copyGraph(&first), doctest::Contains("ferry::ownedArray(samples, count)"), ferry::UsageError);
        first.samples = nullptr;
        CHECK_THROWS_WITH_AS(ferry::copyGraph(&first), doctest::Contains("the length of the array is not 0"), ferry::UsageError);
        first.count = -1;
        CHECK_THROWS_WITH_AS(ferry::copyGraph(&first), doctest::Contains("is negative, or too large"), ferry::UsageError);
        first.second = nullptr;

        Folder folder;
        folder.count = 1;
        folder.folders = new Folder[1];
        folder.folders[0].count = 1;
        folder.folders[0].folders = folder.folders;
        CHECK_THROWS_AS(ferry::copyGraph(&folder), ferry::UsageError);
        folder.folders[0].count = 0;
        folder.folders[0].folders = nullptr;
    }
    CHECK(Counted::living == 0);
    CHECK_THROWS_WITH_AS(graphOf<Node>({1, 1, 2, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0}), doctest::Contains("owns yet"), ferry::SerializationError);
    CHECK_THROWS_WITH_AS(graphOf<Node>({1, 1, 1, 0, 0, 0, 0}), doctest::Contains("circle of owners"), ferry::SerializationError);
    CHECK_THROWS_WITH_AS(graphOf<Plain>({1, 2, 0}), doctest::Contains("expected an array of 2 elements, found null"),
                         ferry::SerializationError);
    CHECK(Counted::living == 0);
}

TEST_CASE("GraphOwned: in an arena an object may own arrays, and no objects") {
    {
        auto root = makeNode(1);
        root->count = 2;
        root->samples = new double[2]{3, 4};
        CHECK(ferry::copyGraph(root, ferry::GraphMemory::Arena)->samples[1] == 4);
        root->left = makeNode(2).release();
        CHECK_THROWS_WITH_AS(ferry::copyGraph(root, ferry::GraphMemory::Arena), doctest::Contains("ask for it on the heap"),
                             ferry::UsageError);
        int numbers[2] = {5, 6};
        const Plain plain{2, numbers};
        for (const ferry::GraphMemory memory : {ferry::GraphMemory::Heap, ferry::GraphMemory::Arena}) {
            CHECK(ferry::copyGraph(&plain, memory)->numbers[1] == 6);
        }
    }
    CHECK(Counted::living == 0);
}

namespace graphOwnedTest {

/// Writes the variable of a loop, which is a copy of each owner.
struct Parent : Counted {
    int value = 0;
    std::vector<Parent*> children;
    ~Parent() {
        for (Parent* child : children) delete child;
    }
    void writeToInts(ferry::IntWriter& out) const {
        out << value << static_cast<int>(children.size());
        for (Parent* child : children) out << ferry::owned(child);
    }
    void readFromInts(ferry::IntReader& in) {
        int count = 0;
        in >> value >> count;
        for (int i = 0; i < count; ++i) {
            Parent* child = nullptr;
            in >> ferry::owned(child);
            children.push_back(child);
        }
    }
};
/// Writes copies of its pointer and its count.
struct Row : Counted {
    int count = 0;
    double* values = nullptr;
    ~Row() { delete[] values; }
    void writeToInts(ferry::IntWriter& out) const {
        double* copy = values;
        int copiedCount = count;
        out << ferry::ownedArray(copy, copiedCount);
    }
    void readFromInts(ferry::IntReader& in) { in >> ferry::ownedArray(values, count); }
};

}    // namespace graphOwnedTest

TEST_CASE("GraphOwned: an object is deleted once, though its class writes a copy of the owner") {
    using namespace graphOwnedTest;
    {
        Parent root;
        root.children = {new Parent, new Parent};
        root.children[1]->children = {new Parent};
        root.children[1]->children[0]->value = 4;
        {
            const auto copy = ferry::copyGraph(&root);
            CHECK(copy->children[1]->children[0]->value == 4);
        }
        CHECK(Counted::living == 4);
        Row row;
        row.count = 2;
        row.values = new double[2]{1, 2};
        const auto copy = ferry::copyGraph(&row);
        CHECK(copy->values[1] == 2);
    }
    CHECK(Counted::living == 0);
}
