#include <ferry/serialization/IntBuffer.hpp>

#include <array>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

using ferry::IntBuffer;

TEST_CASE("IntBuffer: is empty at first") {
    const IntBuffer buffer;
    CHECK(buffer.size() == 0);
    CHECK(buffer.isEmpty());
    CHECK(buffer.ints().empty());
}

TEST_CASE("IntBuffer: growing keeps what was there") {
    IntBuffer buffer;
    for (std::int32_t i = 0; i < 10000; ++i) buffer.append(std::array{i});
    REQUIRE(buffer.size() == 10000);
    bool isAsWritten = true;
    for (std::int32_t i = 0; i < 10000; ++i) isAsWritten = isAsWritten && buffer.data()[i] == i;
    CHECK(isAsWritten);
    buffer.resizeUninitialized(20000);
    CHECK(buffer.size() == 20000);
    CHECK(buffer.data()[9999] == 9999);
}

TEST_CASE("IntBuffer: clear keeps the memory") {
    IntBuffer buffer(std::array{1, 2, 3});
    const std::size_t capacity = buffer.capacity();
    buffer.clear();
    CHECK(buffer.isEmpty());
    CHECK(buffer.capacity() == capacity);
    buffer.reserve(2);
    CHECK(buffer.capacity() == capacity);
}

TEST_CASE("IntBuffer: a copy is independent, a moved-from buffer is empty and usable") {
    IntBuffer original(std::array{1, 2, 3});
    IntBuffer copy = original;
    copy.data()[0] = 7;
    CHECK(original.data()[0] == 1);
    CHECK_FALSE(copy == original);
    copy = original;
    CHECK(copy == original);

    const IntBuffer moved = std::move(original);
    CHECK(moved == copy);
    CHECK(original.isEmpty());
    CHECK(original.capacity() == 0);
    original.append(std::array{4});
    CHECK(original.size() == 1);
    original = std::move(copy);
    CHECK(original == moved);
}

TEST_CASE("IntBuffer: a size that no memory holds is refused and changes nothing") {
    IntBuffer buffer(std::array{1});
    CHECK_THROWS_AS(buffer.reserve(static_cast<std::size_t>(-1) / 2), std::bad_alloc);
    CHECK(buffer.size() == 1);
    CHECK(buffer.data()[0] == 1);
}
