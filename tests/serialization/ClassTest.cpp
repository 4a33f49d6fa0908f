#include <ferry/serialization/Class.hpp>

#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

namespace classtest {

class Room : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(classtest::Room)
    FERRY_FIELDS(seats)
    int seats = 0;
};

class NamelessRoom : public Room {    // without FERRY_CLASS it would arrive as a Room
public:
    int beamers = 0;
};

class Short : public ferry::IntSerializableObject {    // FERRY_CLASS with the name alone, without its namespace
public:
    FERRY_CLASS(Short)
    FERRY_FIELDS()
};

class InParts : public ferry::IntSerializableObject {    // declared in a header, and defined in a source
public:
    FERRY_CLASS_DECLARED(classtest::InParts)
    FERRY_FIELDS(number)
    int number = 0;
};

class Classic : public ferry::IntSerializableObject {    // derived from the root class only
public:
    ferry::ClassId classId() const override { return 99; }
    const char* className() const override { return "Classic"; }
    void writeToInts(ferry::IntWriter& out) const override { out << number; }
    void readFromInts(ferry::IntReader& in) override { in >> number; }
    int number = 0;
};

}    // namespace classtest

using namespace classtest;

FERRY_CLASS_DEFINED(classtest::InParts)

TEST_CASE("Class: a class with generated functions in a source travels like one with all in its header") {
    classtest::InParts inParts;
    inParts.number = 7;
    const std::unique_ptr<ferry::IntSerializableObject> base = std::make_unique<classtest::InParts>(inParts);
    CHECK(std::string(base->className()) == "classtest::InParts");
    CHECK(base->classId() == ferry::classIdFor<classtest::InParts>);
    const auto copy = ferry::test::valueOf<std::unique_ptr<ferry::IntSerializableObject>>(ferry::test::intsOf(base));
    REQUIRE(dynamic_cast<const classtest::InParts*>(copy.get()) != nullptr);
    CHECK(static_cast<const classtest::InParts&>(*copy).number == 7);
}

TEST_CASE("Class: the wire name is what FERRY_CLASS says") {
    CHECK(std::string(Room().className()) == "classtest::Room");
    CHECK(Room().classId() == ferry::classIdOf("classtest::Room"));
    CHECK(std::string(Short().className()) == "Short");
    CHECK(std::string(Room::ferryClassName()) == "classtest::Room");
}

TEST_CASE("Class: an object whose own class has no name is not sent as its base class") {
    const std::unique_ptr<Room> room = std::make_unique<NamelessRoom>();
    CHECK_THROWS_WITH_AS(ferry::test::intsOf(room),
                         doctest::Contains("classtest::NamelessRoom would arrive as its base class classtest::Room"), ferry::UsageError);
    CHECK_NOTHROW(ferry::requireOwnClassId(Room()));
}

TEST_CASE("Class: a class may give its ID by hand") {
    const std::unique_ptr<ferry::IntSerializableObject> object = std::make_unique<Classic>();
    CHECK(ferry::test::intsOf(object) == ferry::test::Ints{99, 0});
}
