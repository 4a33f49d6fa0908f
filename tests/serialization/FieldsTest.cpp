#include <ferry/serialization/Fields.hpp>

#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

namespace fieldstest {

class Room : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(fieldstest::Room)
    FERRY_FIELDS(seats, name)
    Room() = default;
    Room(int seatCount, std::string roomName) : seats(seatCount), name(std::move(roomName)) {}
    int seats = 0;
    std::string name;
};

class Lab : public Room {
public:
    FERRY_CLASS(fieldstest::Lab)
    FERRY_FIELDS_AFTER(Room, benches)
    std::vector<short> benches;
};

class SameAsRoom : public Room {
public:
    FERRY_CLASS(fieldstest::SameAsRoom)
    FERRY_FIELDS_AFTER(Room)
};

struct Point {
    FERRY_FIELDS(x, y)
    bool operator==(const Point&) const = default;
    int x = 0, y = 0;
};

struct Point3 : Point {
    FERRY_FIELDS_AFTER(Point, z)
    int z = 0;
};

class Hidden {    // fields and FERRY_FIELDS in the private part
    int secret_ = 0;
    FERRY_FIELDS(secret_)

public:
    Hidden() = default;
    explicit Hidden(int secret) : secret_(secret) {}
    int secret() const { return secret_; }
};

struct Empty {
    FERRY_FIELDS()
};

struct Tree {
    FERRY_FIELDS(value, children)
    int value = 0;
    std::vector<Tree> children;
};

struct Node {    // for graphs: the class cannot travel in a message, but it compiles
    int value = 0;
    std::vector<Node*> edges;
    FERRY_FIELDS(value, edges)
};

template <class T>
struct Box {
    FERRY_FIELDS(content)
    T content{};
};

struct Mixed {
    FERRY_FIELDS(flag, letter, number, text, ratio, point)
    bool flag = false;
    char letter = 'a';
    long number = 0;
    std::string text;
    double ratio = 0;
    Point point;
};

struct Many {
    // clang-format off
    FERRY_FIELDS(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28,
                 f29, f30, f31, f32, f33, f34, f35, f36, f37, f38, f39, f40, f41, f42, f43, f44, f45, f46, f47, f48, f49, f50, f51, f52, f53, f54, f55,
                 f56, f57, f58, f59, f60, f61, f62, f63)
    int f0 = 0, f1 = 1, f2 = 2, f3 = 3, f4 = 4, f5 = 5, f6 = 6, f7 = 7, f8 = 8, f9 = 9, f10 = 10, f11 = 11, f12 = 12, f13 = 13, f14 = 14, f15 = 15,
        f16 = 16, f17 = 17, f18 = 18, f19 = 19, f20 = 20, f21 = 21, f22 = 22, f23 = 23, f24 = 24, f25 = 25, f26 = 26, f27 = 27, f28 = 28, f29 = 29,
        f30 = 30, f31 = 31, f32 = 32, f33 = 33, f34 = 34, f35 = 35, f36 = 36, f37 = 37, f38 = 38, f39 = 39, f40 = 40, f41 = 41, f42 = 42, f43 = 43,
        f44 = 44, f45 = 45, f46 = 46, f47 = 47, f48 = 48, f49 = 49, f50 = 50, f51 = 51, f52 = 52, f53 = 53, f54 = 54, f55 = 55, f56 = 56, f57 = 57,
        f58 = 58, f59 = 59, f60 = 60, f61 = 61, f62 = 62, f63 = 63;
    // clang-format on
};

}    // namespace fieldstest

using namespace fieldstest;
using namespace ferry::test;

namespace {

class Forgetful {    // a member is forgotten, and the compiler cannot count
public:
    Forgetful() {}
    FERRY_FIELDS(first, last)
    int first = 1;
    int forgotten = 2;
    int last = 3;
};

class AtEnd : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(AtEnd)
    FERRY_FIELDS(first)
    double first = 1;
    double forgotten[2] = {2, 3};
};

class Meant {
public:
    Meant() {}
    FERRY_FIELDS_SOME(first, last)
    int first = 1;
    int cached = 2;
    int last = 3;
};

class WithPadding {    // gaps that alignment explains
public:
    WithPadding() {}
    FERRY_FIELDS(last, letter, number)
    char letter = 'a';
    double number = 1;
    short last = 2;
};

struct Counted {    // the compiler counts
    int first = 1;
    std::vector<int> cached{};
    FERRY_FIELDS_SOME(first)
};

}    // namespace

TEST_CASE("Fields: a forgotten member is found by the room that it takes") {
    const auto errorOfCheck = [](const auto& object) {
        try {
            ferry::detail::requireNoGap(object);
        } catch (const ferry::UsageError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(errorOfCheck(Forgetful()).find("Forgetful has room of 4 bytes for members that FERRY_FIELDS(first, last) leaves out") !=
          std::string::npos);
    CHECK(errorOfCheck(Forgetful()).find("FERRY_FIELDS_SOME(first, last)") != std::string::npos);
    CHECK(errorOfCheck(AtEnd()).find("has room of 16 bytes") != std::string::npos);
    CHECK(errorOfCheck(Meant()).empty());
    CHECK(errorOfCheck(WithPadding()).empty());
}

TEST_CASE("Fields: FERRY_FIELDS_SOME leaves the other members as a new object has them") {
    Meant meant;
    meant.first = 10;
    meant.cached = 20;
    CHECK(ferry::test::intsOf(meant) == ferry::test::Ints{10, 3});
    const Meant copy = ferry::test::valueOf<Meant>({10, 3});
    CHECK((copy.first == 10 && copy.cached == 2));
    CHECK(ferry::test::intsOf(Counted{5, {1}}) == ferry::test::Ints{5});
}

TEST_CASE("Fields: an object of the class hierarchy travels by its fields") {
    const Room room = checkTravel(Room(30, "B-12"), {30, 4, 0x32312d42});
    CHECK(room.seats == 30);
    CHECK(room.name == "B-12");
}

TEST_CASE("Fields: a plain class travels by its fields, in whatever part of the class they stand") {
    CHECK(checkTravel(Point{1, 2}, {1, 2}) == Point{1, 2});
    CHECK(checkTravel(Hidden(7), {7}).secret() == 7);
    CHECK(checkTravel(Box<std::string>{"ab"}, {2, 0x6261}).content == "ab");
}

TEST_CASE("Fields: a class without data takes no int") {
    checkTravel(Empty{}, {});
    CHECK(valueOf<std::vector<Empty>>({3}).size() == 3);
}

TEST_CASE("Fields: the fields of the base class come first") {
    Lab lab;
    lab.seats = 5;
    lab.name = "x";
    lab.benches = {1, 2, 3};
    const Lab read = checkTravel(lab, {5, 1, 'x', 3, 0x20001, 3});
    CHECK(read.seats == 5);
    CHECK(read.benches == std::vector<short>{1, 2, 3});

    Point3 point;
    point.x = 1;
    point.z = 3;
    CHECK(checkTravel(point, {1, 0, 3}).z == 3);
    CHECK(intsOf(SameAsRoom()) == Ints{0, 0});
}

TEST_CASE("Fields: neighbours of fixed size and others mix") {
    const Mixed mixed{true, 'z', -1, "abc", 1.0, {3, 4}};
    const Mixed read = checkTravel(mixed, {1, 'z', -1, -1, 3, 0x636261, 0, 0x3ff00000, 3, 4});
    CHECK(read.flag);
    CHECK(read.letter == 'z');
    CHECK(read.number == -1);
    CHECK(read.text == "abc");
    CHECK(read.ratio == 1.0);
    CHECK(read.point == Point{3, 4});
}

TEST_CASE("Fields: sixty-four fields travel") {
    Many many;
    many.f63 = 99;
    const Ints ints = intsOf(many);
    REQUIRE(ints.size() == 64);
    CHECK(ints[62] == 62);
    CHECK(valueOf<Many>(ints).f63 == 99);
}

TEST_CASE("Fields: a class may contain itself through a container, to the limit on depth") {
    Tree tree{1, {{2, {}}, {3, {{4, {}}}}}};
    CHECK(checkTravel(tree, {1, 2, 2, 0, 3, 1, 4, 0}).children[1].children[0].value == 4);

    Tree deep;
    for (int i = 0; i < 100; ++i) {
        Tree outer;
        outer.children.push_back(std::move(deep));
        deep = std::move(outer);
    }
    CHECK_THROWS_AS(intsOf(deep), ferry::UsageError);

    Ints bomb;
    for (int i = 0; i < 100000; ++i) bomb.insert(bomb.end(), {0, 1});
    CHECK(errorOf<Tree>(bomb).find("nested at most 64 deep") != std::string::npos);
}

TEST_CASE("Fields: a class with raw pointers compiles, and is refused outside of a graph") {
    Node node;
    ferry::IntBuffer buffer;
    ferry::IntWriter out(buffer);
    CHECK_THROWS_WITH_AS(node.writeToInts(out), doctest::Contains("ferry::graph"), ferry::UsageError);
    static_assert(ferry::detail::needsGraph<Node*>);
    static_assert(ferry::detail::needsGraph<std::vector<Node*>>);
    static_assert(ferry::detail::Writable<std::vector<Room>>);
}

TEST_CASE("Fields: an error names the offset, the class and the field") {
    CHECK(errorOf<Room>({30, 5, 0}) == "int 1 in fieldstest::Room at name: expected a count of at most 4, found 5");
    CHECK(errorOf<Room>({}) == "int 0 in fieldstest::Room at seats: expected 1 more int, found 0");
    CHECK(errorOf<Mixed>({2, 'z', 0, 0}) == "int 0 at flag: expected a bool (0 or 1), found 2");
    CHECK(errorOf<Mixed>({1, 'z', 0}) == "int 2 at number: expected 2 more ints, found 1");
    CHECK(errorOf<Tree>({1, 2, 2, 0, 3, 1, 4, 9}) == "int 7 at children[1].children[0].children: expected a count of at most 0, found 9");
    CHECK(errorOf<Lab>({5, 9, 0}) == "int 1 in fieldstest::Lab at Room.name: expected a count of at most 4, found 9");
}

namespace fieldstest {

struct Placed {
    FERRY_FIELDS(place)
    int place = 0;
};

struct Named {
    FERRY_FIELDS(name)
    std::string name;
};

struct NamedPlace : Placed, Named {
    FERRY_FIELDS_AFTER(Placed, ferry::baseOf<Named>(*this), height)
    int height = 0;
};

}    // namespace fieldstest

TEST_CASE("Fields: a class with several bases lists those after the first among its fields") {
    fieldstest::NamedPlace hill;
    hill.place = 4;
    hill.name = "abc";
    hill.height = 900;
    const ferry::test::Ints ints = ferry::test::intsOf(hill);
    CHECK(ints == ferry::test::Ints{4, 3, 0x636261, 900});
    const auto read = ferry::test::valueOf<fieldstest::NamedPlace>(ints);
    CHECK(read.place == 4);
    CHECK(read.name == "abc");
    CHECK(read.height == 900);
    ferry::test::checkTruncated<fieldstest::NamedPlace>(ints);
}
