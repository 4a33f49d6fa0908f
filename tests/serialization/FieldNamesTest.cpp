#include <ferry/serialization/ints/FieldNames.hpp>

#include <doctest/doctest.h>

using ferry::detail::fieldName;

TEST_CASE("FieldNames: names are found by index") {
    CHECK(fieldName("seats, name,x", 0) == "seats");
    CHECK(fieldName("seats, name,x", 1) == "name");
    CHECK(fieldName("seats, name,x", 2) == "x");
}

TEST_CASE("FieldNames: commas in brackets do not end a name") {
    CHECK(fieldName("ferry::arrayOf(p, n, m), next", 0) == "ferry::arrayOf(p, n, m)");
    CHECK(fieldName("ferry::arrayOf(p, n, m), next", 1) == "next");
    CHECK(fieldName("ferry::baseOf<std::pair<int, long>>(*this), next", 1) == "next");
    CHECK(fieldName("owner->seat, rows[at(1, 2)], next", 1) == "rows[at(1, 2)]");
    CHECK(fieldName("owner->seat, rows[at(1, 2)], next", 2) == "next");
}

TEST_CASE("FieldNames: an index without a name gives a question mark") {
    CHECK(fieldName("seats", 1) == "?");
    CHECK(fieldName("", 0) == "?");
}
