#include <ferry/serialization/exception/SerializationError.hpp>

#include <string>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/UnknownClass.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

using ferry::SerializationError;

TEST_CASE("SerializationError: learns its place from the inside out") {
    SerializationError error("expected a bool (0 or 1), found 7");
    CHECK(std::string(error.what()) == "expected a bool (0 or 1), found 7");
    error.setOffsetIfUnknown(17);
    error.setOffsetIfUnknown(18);
    error.addField("isOpen");
    error.addClass("acme::Room");
    error.addElement(3);
    error.addField("rooms");
    error.addClass("acme::House");
    CHECK(std::string(error.what()) == "int 17 in acme::Room at rooms[3].isOpen: expected a bool (0 or 1), found 7");
    CHECK(error.offsetInts() == 17);
    CHECK(error.objectClass() == "acme::Room");
    CHECK(error.fieldPath() == "rooms[3].isOpen");
}

TEST_CASE("SerializationError: its data travels") {
    SerializationError error("problem", 5);
    error.addField("name");
    const SerializationError read = ferry::test::valueOf<SerializationError>(ferry::test::intsOf(error));
    CHECK(read.offsetInts() == 5);
    CHECK(read.fieldPath() == "name");
    const ferry::UnknownClass unknown(77);
    CHECK(ferry::test::valueOf<ferry::UnknownClass>(ferry::test::intsOf(unknown)).unknownId() == 77);
}
