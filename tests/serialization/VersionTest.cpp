#include <ferry/serialization/Fields.hpp>

#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

namespace versiontest {

// Several versions of one class.
struct RoomOne {
    FERRY_FIELDS_VERSIONED(1, seats)
    int seats = 30;
};
struct RoomTwo {
    FERRY_FIELDS_VERSIONED(2, seats, name, tools)
    int seats = 30;
    std::string name = "unnamed";
    std::vector<int> tools{1, 2};
};
struct RoomThree {
    FERRY_FIELDS_VERSIONED(3, seats, name, tools, key)
    int seats = 30;
    std::string name = "unnamed";
    std::vector<int> tools{1, 2};
    std::unique_ptr<int> key = std::make_unique<int>(7);    // the member cannot be copied
};

template <class Room>
struct Building {
    FERRY_FIELDS_VERSIONED(1, rooms, floors)
    std::vector<Room> rooms;
    int floors = 1;
};

class Animal : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(versiontest::Animal)
    FERRY_FIELDS_VERSIONED(1, legs)
    int legs = 4;
};
class Dog : public Animal {
public:
    FERRY_CLASS(versiontest::Dog)
    FERRY_FIELDS_VERSIONED_AFTER(2, Animal, name)
    std::string name = "Rex";
};

class Classic {    // the class reads different data for different versions
public:
    int metres = 0;
    void writeToInts(ferry::IntWriter& out) const {
        out.writeVersioned(2, [&] { out << metres; });
    }
    void readFromInts(ferry::IntReader& in) {
        in.readVersioned(2, [&](std::int32_t version) {
            in >> metres;
            if (version == 1) metres /= 100;    // version 1 used centimetres
        });
    }
};

class Shape : public ferry::IntSerializableObject {    // an abstract class
public:
    FERRY_FIELDS_VERSIONED(2, layer, opacity)
    virtual int corners() const = 0;
    int layer = 1;
    int opacity = 100;    // added in version 2
};
class Square : public Shape {
public:
    FERRY_CLASS(versiontest::Square)
    FERRY_FIELDS_VERSIONED_AFTER(2, Shape, side, colours)
    int corners() const override { return 4; }
    int side = 5;
    int colours[3] = {1, 2, 3};    // added in version 2
};

// Shared objects. An older program skips some of them.
struct PairOne {
    FERRY_FIELDS_VERSIONED(1, left)
    std::shared_ptr<int> left;
};
struct PairTwo {
    FERRY_FIELDS_VERSIONED(2, left, right)
    std::shared_ptr<int> left, right;
};
template <class Pair>
struct Pairs {
    FERRY_FIELDS(first, second, last)
    Pair first, second;
    std::shared_ptr<int> last;
};

}    // namespace versiontest

using namespace versiontest;
using namespace ferry::test;

TEST_CASE("Version: the version and the number of ints stand before the fields") {
    RoomTwo room;
    room.seats = 12;
    const RoomTwo read = checkTravel(room, {2, 7, 12, 7, 0x616e6e75, 0x0064656d, 2, 1, 2});
    CHECK(read.seats == 12);
    CHECK(read.name == "unnamed");
}

TEST_CASE("Version: an older program skips what it does not know") {
    RoomThree room;
    room.seats = 12;
    std::vector<RoomThree> rooms;
    rooms.push_back(std::move(room));
    rooms.emplace_back();
    const Ints ints = intsOf(rooms);
    const auto old = valueOf<std::vector<RoomOne>>(ints);
    REQUIRE(old.size() == 2);
    CHECK(old[0].seats == 12);
    CHECK(old[1].seats == 30);
    CHECK(valueOf<std::vector<RoomTwo>>(ints)[0].tools == std::vector<int>{1, 2});
}

TEST_CASE("Version: a newer program gives missing fields what a new object has") {
    RoomOne old;
    old.seats = 12;
    RoomThree room;
    room.name = "used before";
    room.tools.clear();
    room.key = nullptr;
    const Ints ints = intsOf(old);
    ferry::IntReader in(ints);
    in >> room;
    in.expectEnd();
    CHECK(room.seats == 12);
    CHECK(room.name == "unnamed");
    CHECK(room.tools == std::vector<int>{1, 2});
    REQUIRE(room.key != nullptr);
    CHECK(*room.key == 7);
}

TEST_CASE("Version: objects inside objects have versions of their own") {
    Building<RoomOne> building;
    building.rooms.resize(2);
    building.rooms[1].seats = 5;
    building.floors = 9;
    const auto newer = valueOf<Building<RoomThree>>(intsOf(building));
    CHECK(newer.rooms[1].seats == 5);
    CHECK(newer.rooms[1].name == "unnamed");
    CHECK(newer.floors == 9);
    const auto back = valueOf<Building<RoomOne>>(intsOf(newer));
    CHECK(back.rooms[1].seats == 5);
    CHECK(back.floors == 9);
}

TEST_CASE("Version: a base class keeps a version of its own") {
    Dog dog;
    dog.legs = 3;
    CHECK(intsOf(dog) == Ints{2, 5, 1, 1, 3, 3, 0x00786552});
    const auto read = valueOf<std::unique_ptr<Animal>>(intsOf(std::make_unique<Dog>(dog)));
    CHECK(read->legs == 3);
    CHECK(dynamic_cast<Dog&>(*read).name == "Rex");
    CHECK(valueOf<Dog>({1, 3, 1, 1, 3}).name == "Rex");    // a version without names of dogs
}

TEST_CASE("Version: an abstract base class and an array that an older program does not know") {
    const auto read = valueOf<std::unique_ptr<Shape>>({ferry::detail::classIdOf("versiontest::Square"), 1, 4, 1, 1, 7, 9});
    CHECK(read->layer == 7);
    CHECK(read->opacity == 100);
    const auto& square = dynamic_cast<const Square&>(*read);
    CHECK(square.side == 9);
    CHECK(square.colours[2] == 3);

    Square used;
    used.colours[2] = 99;
    const Ints ints{1, 4, 1, 1, 7, 9};
    ferry::IntReader in(ints);
    in >> used;
    CHECK(used.colours[2] == 3);
}

TEST_CASE("Version: a class that writes itself is told the version") {
    CHECK(valueOf<Classic>({2, 1, 5}).metres == 5);
    CHECK(valueOf<Classic>({1, 1, 500}).metres == 5);
    CHECK(valueOf<Classic>({3, 2, 5, 99}).metres == 5);
    CHECK(intsOf(Classic()) == Ints{2, 1, 0});
}

TEST_CASE("Version: ints that do not fit the version are refused") {
    CHECK(errorOf<RoomOne>({0, 1, 5}) == "int 0: expected a version from 1 on, found 0");
    CHECK(errorOf<RoomOne>({1, -1, 5}) == "int 1: expected a number of ints from 0 to 1, found -1");
    CHECK(errorOf<RoomOne>({1, 2, 5}) == "int 1: expected a number of ints from 0 to 1, found 2");
    CHECK(errorOf<RoomOne>({1, 2, 5, 6}) == "int 3: expected the end of an object of version 1, found 1 more ints");
    CHECK(errorOf<RoomOne>({1, 0}) == "int 2 at seats: expected 1 more int, found 0");
    CHECK(errorOf<RoomOne>({2, 0}) == "int 2 at seats: expected 1 more int, found 0");
    CHECK(errorOf<RoomThree>({2, 2, 5, 3}).find("int 3 at name: expected a count of at most 0, found 3") == 0);
    CHECK(errorOf<RoomThree>({2, 7, 12, 7, 0x616e6e75, 0x0064656d, 2, 1, 2}) == "no error");
    CHECK(errorOf<RoomThree>({2, 8, 12, 7, 0x616e6e75, 0x0064656d, 2, 1, 2, 0}) == "no error");    // with a field of version 3
    CHECK(errorOf<RoomTwo>({1, 8, 12, 7, 0x616e6e75, 0x0064656d, 2, 1, 2, 0}).find("expected the end of an object of version 1") !=
          std::string::npos);
}

TEST_CASE("Version: shared objects keep their identity around what is skipped") {
    Pairs<PairTwo> pairs;
    pairs.first.left = std::make_shared<int>(1);
    pairs.first.right = std::make_shared<int>(2);
    pairs.second.left = std::make_shared<int>(3);
    pairs.second.right = pairs.first.left;
    pairs.last = pairs.second.left;
    const auto old = valueOf<Pairs<PairOne>>(intsOf(pairs));
    CHECK(*old.first.left == 1);
    CHECK(*old.second.left == 3);
    CHECK(old.last == old.second.left);

    pairs.last = pairs.first.right;    // the object travels in the part that the older program skips
    CHECK(errorOf<Pairs<PairOne>>(intsOf(pairs)).find("expected a shared object that was read, found object 2, which stands in a part") !=
          std::string::npos);
    CHECK(valueOf<Pairs<PairTwo>>(intsOf(pairs)).last != nullptr);
    // Without a skipped part, the numbers of shared objects have no gaps.
    CHECK(errorOf<Pairs<PairOne>>({1, 2, -1, 5, 1, 2, -3, 5, 0}).find("expected the announcement of shared object 2, found that of 3") !=
          std::string::npos);
}
