#include <ferry/serialization/TypeName.hpp>

#include <ferry/serialization/IntBuffer.hpp>

#include <doctest/doctest.h>

TEST_CASE("TypeName: types are named as in the source") {
    CHECK(ferry::typeName(typeid(int)) == "int");
    CHECK(ferry::typeName(typeid(ferry::IntBuffer)) == "ferry::IntBuffer");
}
