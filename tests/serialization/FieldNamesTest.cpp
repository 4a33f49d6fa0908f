#include <ferry/serialization/FieldNames.hpp>

#include <doctest/doctest.h>

using ferry::fieldName;

TEST_CASE("FieldNames: names are found by index") {
    CHECK(fieldName("seats, name,x", 0) == "seats");
    CHECK(fieldName("seats, name,x", 1) == "name");
    CHECK(fieldName("seats, name,x", 2) == "x");
}

TEST_CASE("FieldNames: an index without a name gives a question mark") {
    CHECK(fieldName("seats", 1) == "?");
    CHECK(fieldName("", 0) == "?");
}
