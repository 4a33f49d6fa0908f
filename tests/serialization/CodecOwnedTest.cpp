#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/codec/View.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/ByteOrder.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

// Classes of the old kind: their destructors delete what their raw pointers lead to.

namespace ownedTest {

struct Counted {
    static inline int living = 0;
    Counted() { ++living; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --living; }
};

struct Tree : Counted {
    int value = 0;
    Tree* left = nullptr;
    const Tree* right = nullptr;

    Tree() = default;
    explicit Tree(int number, Tree* leftTree = nullptr, Tree* rightTree = nullptr) : value(number), left(leftTree), right(rightTree) {}
    ~Tree() {
        delete left;
        delete right;
    }
    FERRY_FIELDS(value, ferry::owned(left), ferry::owned(right))
};
/// A tree as Tree, whose pointers are unique_ptr. Both have the same ints.
struct SafeTree {
    int value = 0;
    std::unique_ptr<SafeTree> left;
    std::unique_ptr<const SafeTree> right;
    FERRY_FIELDS(value, left, right)
};

struct Shape : ferry::IntSerializableObject {};
struct Circle : Shape {
    FERRY_CLASS(ownedTest::Circle)
    FERRY_FIELDS(radius)
    int radius = 0;
};
struct Drawing {
    Shape* shape = nullptr;
    Drawing() = default;
    explicit Drawing(Shape* first) : shape(first) {}
    Drawing(const Drawing&) = delete;
    Drawing& operator=(const Drawing&) = delete;
    ~Drawing() { delete shape; }
    FERRY_FIELDS(ferry::owned(shape))
};

template <class Element, class Count>
struct Array {
    Element* elements = nullptr;
    Count count{};
    Array() = default;
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    ~Array() { delete[] elements; }
    FERRY_FIELDS(ferry::ownedArray(elements, count))
};
template <class Element, class Count, class Values>
void fill(Array<Element, Count>& array, const Values& values) {
    delete[] array.elements;
    auto made = std::make_unique<std::remove_const_t<Element>[]>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) made[i] = values[i];
    array.elements = made.release();
    array.count = static_cast<Count>(values.size());
}

struct Matrix : Counted {
    long rows = 0;
    std::uint8_t columns = 0;
    double* values = nullptr;
    ~Matrix() { delete[] values; }
    FERRY_FIELDS(ferry::ownedArray(values, rows, columns))
};

struct Track {    // two arrays of one length
    int count = 0;
    float* times = nullptr;
    std::string* names = nullptr;
    Track() = default;
    explicit Track(int length) : count(length), times(new float[length]()), names(new std::string[length]()) {}
    Track(const Track&) = delete;
    Track& operator=(const Track&) = delete;
    ~Track() {
        delete[] times;
        delete[] names;
    }
    FERRY_FIELDS(ferry::ownedArray(times, count), ferry::ownedArray(names, count))
};

struct Branch : Counted {    // an array of structs that own arrays
    int value = 1;
    short count = 0;
    Branch* branches = nullptr;
    ~Branch() { delete[] branches; }
    FERRY_FIELDS(value, ferry::ownedArray(branches, count))
};

template <int version>
struct Room;
template <>
struct Room<1> {
    int seats = 0;
    FERRY_FIELDS_VERSIONED(1, seats)
};
template <>
struct Room<2> : Counted {
    int seats = 0;
    int count = 2;
    int* prices = new int[2]{7, 8};
    Tree* tree = new Tree(9);
    ~Room() {
        delete[] prices;
        delete tree;
    }
    FERRY_FIELDS_VERSIONED(2, seats, ferry::ownedArray(prices, count), ferry::owned(tree))
};
struct Hall : Tree {
    int doors = 0;
    int* number = nullptr;
    ~Hall() { delete number; }
    FERRY_FIELDS_AFTER(Tree, doors, ferry::owned(number))
};

struct ByHand {    // lists its fields in functions of its own
    Tree* tree = nullptr;
    int count = 0;
    char* text = nullptr;
    ByHand() = default;
    ByHand(const ByHand&) = delete;
    ByHand& operator=(const ByHand&) = delete;
    ~ByHand() {
        delete tree;
        delete[] text;
    }
    void writeToInts(ferry::IntWriter& out) const { out << ferry::owned(tree) << ferry::ownedArray(text, count); }
    void readFromInts(ferry::IntReader& in) { in >> ferry::owned(tree) >> ferry::ownedArray(text, count); }
};

}    // namespace ownedTest

using namespace ownedTest;
using namespace ferry::test;

namespace {

using ferry::detail::isBigEndian;    // where arrays of double do not lie in memory as their ints, and are copied

template <class T>
void readInto(const Ints& ints, T& target) {
    ferry::IntReader in(ints);
    in >> target;
    in.expectEnd();
}

}    // namespace

TEST_CASE("CodecOwned: an owned pointer travels as a unique_ptr") {
    {
        const Tree tree(1, new Tree(2, nullptr, new Tree(3)), new Tree(4));
        const Ints golden{1, 1, 2, 0, 1, 3, 0, 0, 1, 4, 0, 0};
        CHECK(intsOf(tree) == golden);
        CHECK(intsOf(valueOf<SafeTree>(golden)) == golden);
        checkTruncated<Tree>(golden);
        checkDamaged<Tree>(golden);
        Tree copy;
        readInto(golden, copy);
        CHECK(copy.left->right->value == 3);
        CHECK(copy.right->value == 4);
    }
    CHECK(Counted::living == 0);
}

TEST_CASE("CodecOwned: the object that was there is deleted, and after an error the pointer is null or valid") {
    {
        Tree tree(1, new Tree(2), new Tree(3, new Tree(4)));
        readInto({5, 0, 1, 6, 0, 0}, tree);
        CHECK(Counted::living == 2);
        CHECK(tree.right->value == 6);
        CHECK_THROWS_AS(readInto({7, 1, 8, 1, 9, 0, 0}, tree), ferry::SerializationError);
        CHECK(tree.left == nullptr);
        CHECK_THROWS_AS(readInto({7, 1, 8, 0, 0, 2}, tree), ferry::SerializationError);
        CHECK(tree.left->value == 8);
        CHECK(tree.right == nullptr);
    }
    CHECK(Counted::living == 0);
}

TEST_CASE("CodecOwned: an owned pointer to a base class comes back as its dynamic type") {
    auto* circle = new Circle;
    circle->radius = 5;
    const Drawing drawing(circle);
    const Ints ints = intsOf(drawing);
    CHECK(ints == Ints{Circle().classId(), 5});
    CHECK(intsOf(Drawing()) == Ints{0});
    Drawing copy(new Circle);
    readInto(ints, copy);
    CHECK(dynamic_cast<const Circle&>(*copy.shape).radius == 5);
    CHECK_THROWS_AS(readInto({77}, copy), ferry::Exception);
    CHECK(copy.shape == nullptr);
    readInto({0}, copy);
    checkTruncated<Drawing>(ints);
}

TEST_CASE("CodecOwned: an owned array travels as a vector") {
    Array<double, int> numbers;
    fill(numbers, std::vector<double>{1.5, -2});
    const Ints golden = intsOf(std::vector<double>{1.5, -2});
    CHECK(intsOf(numbers) == golden);
    checkTruncated<Array<double, int>>(golden);
    checkDamaged<Array<double, int>>(golden);
    Array<const double, std::uint64_t> copy;
    fill(copy, std::vector<double>{7});
    readInto(golden, copy);
    CHECK(copy.count == 2);
    CHECK(copy.elements[1] == -2);
    CHECK_THROWS_AS(readInto({3, 0, 0}, copy), ferry::SerializationError);
    CHECK(copy.count == 2);    // stays as it was
    CHECK(copy.elements[0] == 1.5);
    readInto({0}, copy);
    CHECK(copy.elements == nullptr);

    Array<char, std::size_t> text;
    fill(text, std::string("ferry"));
    CHECK(intsOf(text) == intsOf(std::string("ferry")));
    checkDamaged<Array<char, std::size_t>>(intsOf(text));
    Array<std::string, short> words;
    fill(words, std::vector<std::string>{"a", "", "longer than the others"});
    CHECK(intsOf(words) == intsOf(std::vector<std::string>{"a", "", "longer than the others"}));
    checkTruncated<Array<std::string, short>>(intsOf(words));
    checkDamaged<Array<std::string, short>>(intsOf(words));
    Array<std::string, short> wordsCopy;
    readInto(intsOf(words), wordsCopy);
    CHECK(wordsCopy.elements[2] == "longer than the others");
}

TEST_CASE("CodecOwned: the lengths of an array") {
    {
        Matrix matrix;
        matrix.rows = 2, matrix.columns = 3;
        CHECK_THROWS_WITH_AS(intsOf(matrix), doctest::Contains("the length of the array is not 0"), ferry::UsageError);
        matrix.values = new double[6]{1, 2, 3, 4, 5, 6};
        const Ints ints = intsOf(matrix);
        CHECK(ints.size() == 2 + 12);
        CHECK(Ints(ints.begin(), ints.begin() + 2) == Ints{2, 3});
        Matrix copy;
        readInto(ints, copy);
        CHECK(copy.rows == 2);
        CHECK(copy.values[5] == 6);
        matrix.rows = -2;
        CHECK_THROWS_WITH_AS(intsOf(matrix), doctest::Contains("is negative, or too large"), ferry::UsageError);
        matrix.rows = 0;
        CHECK(intsOf(matrix) == Ints{0, 3});
        readInto({0, 3}, copy);
        CHECK(copy.values == nullptr);
        CHECK(copy.columns == 3);
        CHECK_THROWS_WITH_AS(readInto({1, 256}, copy), doctest::Contains("expected a count of 255, found 256"), ferry::SerializationError);
        CHECK_THROWS_AS(readInto({-1, 1}, copy), ferry::SerializationError);
        CHECK_THROWS_WITH_AS(readInto({-1, 0x7fffffff, 0x7fffffff, 255}, copy), doctest::Contains("ownedArray(values, rows, columns)"),
                             ferry::SerializationError);
        checkDamaged<Matrix>(ints);
    }
    CHECK(Counted::living == 0);
    CHECK(errorOf<Array<int, signed char>>({128, 0}).find("expected a count of 127") != std::string::npos);
}

TEST_CASE("CodecOwned: two arrays with one count have one length") {
    Track track(2);
    track.times[1] = 2.5F;
    track.names[1] = "b";
    const Ints ints = intsOf(track);
    Track copy(7);
    readInto(ints, copy);
    CHECK(copy.count == 2);
    CHECK(copy.names[1] == "b");
    checkTruncated<Track>(ints);
    checkDamaged<Track>(ints);
    CHECK_THROWS_WITH_AS(readInto({2, 0, 0, 3, 0, 0, 0}, copy), doctest::Contains("share a count"), ferry::SerializationError);
    CHECK(copy.count == 0);
    CHECK(copy.times == nullptr);
    CHECK(copy.names == nullptr);
}

TEST_CASE("CodecOwned: after a failed read no count is greater than its array") {
    Track longer(3);
    const Ints ints = intsOf(longer);
    for (std::size_t cut = 0; cut < ints.size(); ++cut) {
        Track track(1);
        const std::string* before = track.names;
        CHECK_THROWS_AS(readInto(Ints(ints.begin(), ints.begin() + static_cast<std::ptrdiff_t>(cut)), track), ferry::SerializationError);
        const bool isAsBefore = track.count == 1 && track.names == before;
        const bool isEmpty = track.count == 0 && track.names == nullptr && track.times == nullptr;
        CHECK((isAsBefore || isEmpty));
    }
}

TEST_CASE("CodecOwned: arrays of structs that own arrays") {
    {
        Branch root;
        root.count = 2;
        root.branches = new Branch[2];
        root.branches[1].value = 5;
        root.branches[1].count = 1;
        root.branches[1].branches = new Branch[1];
        const Ints golden{1, 2, 1, 0, 5, 1, 1, 0};
        CHECK(intsOf(root) == golden);
        checkTruncated<Branch>(golden);
        checkDamaged<Branch>(golden);
        Branch copy;
        readInto(golden, copy);
        CHECK(copy.branches[1].branches[0].value == 1);
        CHECK(Counted::living == 8);
    }
    CHECK(Counted::living == 0);
}

TEST_CASE("CodecOwned: large arrays are lent") {
    Array<double, int> numbers;
    fill(numbers, std::vector<double>(100'000, 2.5));
    ferry::IntBuffer buffer;
    {
        ferry::IntWriter out(buffer);
        out.lend(numbers);
    }
    CHECK(buffer.ownSize() < (isBigEndian ? 200'010U : 10U));
    buffer.makeOwned();
    Array<double, int> copy;
    ferry::IntReader in(buffer.ints());
    in >> copy;
    CHECK(copy.count == 100'000);
    CHECK(copy.elements[99'999] == 2.5);
}

TEST_CASE("CodecOwned: structures that are too deep are refused on both sides") {
    {
        auto tree = std::make_unique<Tree>();
        for (int i = 0; i < 100; ++i) {
            auto around = std::make_unique<Tree>();
            around->left = tree.release();
            tree = std::move(around);
        }
        CHECK_THROWS_WITH_AS(intsOf(*tree), doctest::Contains("send them with ferry::graph"), ferry::UsageError);
        Ints ints;
        for (int i = 0; i < 100; ++i) ints.insert(ints.end(), {0, 1});
        Tree copy;
        CHECK_THROWS_WITH_AS(readInto(ints, copy), doctest::Contains("nested at most 64 deep"), ferry::SerializationError);
    }
    CHECK(Counted::living == 0);
}

TEST_CASE("CodecOwned: versions and base classes") {
    {
        Room<2> room;
        room.prices[0] = 1;
        readInto(intsOf(Room<1>{30}), room);    // fields that are missing get their values in a new object
        CHECK(room.seats == 30);
        CHECK(room.prices[0] == 7);
        CHECK(room.tree->value == 9);
        CHECK(Counted::living == 2);
        room.count = 1;
        Room<2> copy;
        readInto(intsOf(room), copy);
        CHECK(copy.count == 1);
        CHECK(valueOf<Room<1>>(intsOf(room)).seats == 30);
        checkTruncated<Room<2>>(intsOf(room));

        Hall hall;
        hall.left = new Tree(4);
        hall.number = new int(6);
        CHECK(intsOf(hall) == Ints{0, 1, 4, 0, 0, 0, 0, 1, 6});
        Hall hallCopy;
        readInto(intsOf(hall), hallCopy);
        CHECK(*hallCopy.number == 6);
    }
    CHECK(Counted::living == 0);
}

TEST_CASE("CodecOwned: a class that writes itself") {
    {
        ByHand hand;
        hand.tree = new Tree(3);
        hand.text = new char[2]{'h', 'i'};
        hand.count = 2;
        CHECK(intsOf(hand) == Ints{1, 3, 0, 0, 2, 'h' + 256 * 'i'});
        ByHand copy;
        readInto(intsOf(hand), copy);
        CHECK(copy.tree->value == 3);
        CHECK(copy.text[1] == 'i');
        checkDamaged<ByHand>(intsOf(hand));
    }
    CHECK(Counted::living == 0);
}

TEST_CASE("CodecOwned: a view shows objects that own") {
    struct Forest {
        Tree first;
        Tree* second = nullptr;
        ~Forest() { delete second; }
    };
    using Both = ferry::View<&Forest::first, ferry::inside<&Forest::second, ferry::Owned<>>>;
    {
        Forest forest, copy;
        forest.first.left = new Tree(2);
        forest.second = new Tree(3, new Tree(4));
        ferry::IntBuffer buffer;
        ferry::IntWriter(buffer) << ferry::part<Both>(forest);
        ferry::IntReader in(buffer.ints());
        in >> ferry::part<Both>(copy);
        in.expectEnd();
        CHECK(copy.first.left->value == 2);
        CHECK(copy.second->left->value == 4);
    }
    CHECK(Counted::living == 0);
}
