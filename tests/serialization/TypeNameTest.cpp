#include <ferry/serialization/ints/TypeName.hpp>

#include <doctest/doctest.h>

#include <ferry/serialization/ints/IntBuffer.hpp>

TEST_CASE("TypeName: types are named as in the source") {
    CHECK(ferry::typeName(typeid(int)) == "int");
    CHECK(ferry::typeName(typeid(ferry::IntBuffer)) == "ferry::IntBuffer");
}
