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

TEST_CASE("SerializationError: a path of very many levels keeps its first and its last ones") {
    SerializationError error("expected 3, found 4", 17);
    for (int level = 0; level < 5000; ++level) {
        error.addElement(static_cast<std::size_t>(level));
        error.addField("branches");
        REQUIRE(error.fieldPath().size() <= 1000);
        REQUIRE(std::string_view(error.what()).size() <= 1100);
    }
    CHECK_MESSAGE(error.fieldPath().starts_with("branches[4999].branches[4998]."), error.fieldPath());
    CHECK_MESSAGE(error.fieldPath().ends_with(".branches[1].branches[0]"), error.fieldPath());
    const std::size_t gap = error.fieldPath().find(" ... ");
    REQUIRE(gap != std::string::npos);
    CHECK(error.fieldPath().find(" ... ", gap + 1) == std::string::npos);

    SerializationError longNames("expected 3, found 4");
    for (int level = 0; level < 3; ++level) longNames.addField(std::string(700, static_cast<char>('a' + level)));
    CHECK(longNames.fieldPath().starts_with("ccc"));
    CHECK(longNames.fieldPath().size() <= 1500);
    CHECK(longNames.fieldPath().ends_with("c ... "));    // the last level is longer than the kept end, and left out as a whole
    for (int level = 0; level < 5000; ++level) longNames.addElement(7);
    CHECK(longNames.fieldPath().starts_with("[7][7]"));
    CHECK(longNames.fieldPath().size() <= 1500);
}
