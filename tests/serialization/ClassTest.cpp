#include <ferry/serialization/Class.hpp>

#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>
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

class Renamed : public ferry::IntSerializableObject {    // keeps the name of an earlier version
public:
    FERRY_CLASS_NAMED(Renamed, "Room")
    FERRY_FIELDS()
};

class Overfull : public ferry::Exception {
public:
    FERRY_EXCEPTION(Overfull)
    FERRY_FIELDS()
};

class Refused : public ferry::Exception {
public:
    FERRY_EXCEPTION_NAMED(Refused, "Overfull")
    FERRY_FIELDS()
};

class House : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(House)
    FERRY_FIELDS()

    class Door : public ferry::IntSerializableObject {
    public:
        FERRY_CLASS(Door)
        FERRY_FIELDS()
    };
};

namespace {
class Hidden : public ferry::IntSerializableObject {    // in an unnamed namespace, which is no part of the name
public:
    FERRY_CLASS(Hidden)
    FERRY_FIELDS()
};
}    // namespace

inline namespace v2 {
class Versioned : public ferry::IntSerializableObject {    // the name leaves the inline namespace out
public:
    FERRY_CLASS(classtest::Versioned)
    FERRY_FIELDS()
};
}    // namespace v2

template <class T>
class Crate : public ferry::IntSerializableObject {};
template <>
class Crate<std::vector<int>> : public ferry::IntSerializableObject {    // FERRY_CLASS spells the arguments
public:
    FERRY_CLASS(Crate<std::vector<int>>)
    FERRY_FIELDS()
};

class InParts : public ferry::IntSerializableObject {    // declared in a header, and defined in a source
public:
    FERRY_CLASS_DECLARED(classtest::InParts)
    FERRY_FIELDS(number)
    int number = 0;
};

class NamedInParts : public ferry::IntSerializableObject {
public:
    FERRY_CLASS_NAMED_DECLARED(NamedInParts, "acme::Parts")
    FERRY_FIELDS()
};

class Classic : public ferry::IntSerializableObject {    // derived from the root class only
public:
    ferry::detail::ClassId classId() const override { return 99; }
    const char* className() const override { return "Classic"; }
    void writeToInts(ferry::IntWriter& out) const override { out << number; }
    void readFromInts(ferry::IntReader& in) override { in >> number; }
    int number = 0;
};

}    // namespace classtest

namespace otherclasstest {

class Short : public ferry::IntSerializableObject {    // the name of a class in another namespace
public:
    FERRY_CLASS(Short)
    FERRY_FIELDS()
};

}    // namespace otherclasstest

class ClassTestAtGlobalScope : public ferry::IntSerializableObject {
public:
    FERRY_CLASS(ClassTestAtGlobalScope)
    FERRY_FIELDS()
};

using namespace classtest;

FERRY_CLASS_DEFINED(classtest::InParts)
FERRY_CLASS_DEFINED(classtest::NamedInParts)

TEST_CASE("Class: a class with generated functions in a source travels like one with all in its header") {
    classtest::InParts inParts;
    inParts.number = 7;
    const std::unique_ptr<ferry::IntSerializableObject> base = std::make_unique<classtest::InParts>(inParts);
    CHECK(std::string(base->className()) == "classtest::InParts");
    CHECK(base->classId() == ferry::detail::classIdFor<classtest::InParts>);
    const auto copy = ferry::test::valueOf<std::unique_ptr<ferry::IntSerializableObject>>(ferry::test::intsOf(base));
    REQUIRE(dynamic_cast<const classtest::InParts*>(copy.get()) != nullptr);
    CHECK(static_cast<const classtest::InParts&>(*copy).number == 7);
}

TEST_CASE("Class: the wire name is the qualified name of the class") {
    CHECK(std::string(Room().className()) == "classtest::Room");
    CHECK(Room().classId() == ferry::detail::classIdOf("classtest::Room"));
    CHECK(std::string(Room::ferryClassName()) == "classtest::Room");
    CHECK(std::string(classtest::Short().className()) == "classtest::Short");
    CHECK(std::string(otherclasstest::Short().className()) == "otherclasstest::Short");
    CHECK(std::string(House::Door().className()) == "classtest::House::Door");
    CHECK(std::string(Overfull().className()) == "classtest::Overfull");
    CHECK(std::string(ClassTestAtGlobalScope().className()) == "ClassTestAtGlobalScope");
    CHECK(ClassTestAtGlobalScope().classId() == ferry::detail::classIdOf("ClassTestAtGlobalScope"));
}

TEST_CASE("Class: the wire name does not depend on the compiler") {
    CHECK(std::string(Hidden().className()) == "classtest::Hidden");
    CHECK(std::string(Versioned().className()) == "classtest::Versioned");
    CHECK(std::string(Crate<std::vector<int>>().className()) == "classtest::Crate<std::vector<int>>");
}

TEST_CASE("Class: FERRY_CLASS_NAMED fixes the wire name") {
    CHECK(std::string(Renamed().className()) == "Room");
    CHECK(Renamed().classId() == ferry::detail::classIdOf("Room"));
    CHECK(std::string(Refused().className()) == "Overfull");
    CHECK(std::string(classtest::NamedInParts().className()) == "acme::Parts");
    const std::unique_ptr<ferry::IntSerializableObject> renamed = std::make_unique<Renamed>();
    const auto copy = ferry::test::valueOf<std::unique_ptr<ferry::IntSerializableObject>>(ferry::test::intsOf(renamed));
    CHECK(dynamic_cast<const Renamed*>(copy.get()) != nullptr);
}

TEST_CASE("Class: an object whose own class has no name is not sent as its base class") {
    const std::unique_ptr<Room> room = std::make_unique<NamelessRoom>();
    CHECK_THROWS_WITH_AS(ferry::test::intsOf(room),
                         doctest::Contains("classtest::NamelessRoom would arrive as its base class classtest::Room"), ferry::UsageError);
    CHECK_NOTHROW(ferry::detail::requireOwnClassId(Room()));
}

TEST_CASE("Class: a reference to a base class does not write an object of a class without name, whose own fields would be lost") {
    const NamelessRoom nameless;
    ferry::IntBuffer buffer;
    ferry::IntWriter out(buffer);
    CHECK_THROWS_WITH_AS(out << static_cast<const Room&>(nameless),
                         doctest::Contains("classtest::NamelessRoom would arrive as its base class classtest::Room"), ferry::UsageError);
    CHECK_THROWS_AS(out << static_cast<const ferry::IntSerializableObject&>(nameless), ferry::UsageError);

    const Renamed named;
    CHECK_NOTHROW(out << Room() << static_cast<const ferry::IntSerializableObject&>(named));
}

TEST_CASE("Class: a class may give its ID by hand") {
    const std::unique_ptr<ferry::IntSerializableObject> object = std::make_unique<Classic>();
    CHECK(ferry::test::intsOf(object) == ferry::test::Ints{99, 0});
}
