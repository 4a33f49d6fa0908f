#include <ferry/serialization/ints/IntBuffer.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <stdexcept>
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

namespace {

std::span<const std::byte> bytesOf(const std::vector<std::int32_t>& ints) { return std::as_bytes(std::span(ints)); }

}    // namespace

TEST_CASE("IntBuffer: borrowed ints stay where they are, in their place in the stream") {
    const std::vector<std::int32_t> lent{3, 4, 5};
    IntBuffer buffer(std::array{1, 2});
    buffer.borrow(bytesOf(lent).data(), lent.size());
    buffer.append(std::array{6});
    buffer.borrow(bytesOf(lent).data(), 1);
    buffer.borrow(nullptr, 0);
    CHECK(buffer.size() == 7);
    CHECK(buffer.ownSize() == 3);
    CHECK(buffer.hasBorrowed());

    const std::vector<IntBuffer::Segment> segments = buffer.segments();
    REQUIRE(segments.size() == 4);
    CHECK(segments[0].intCount == 2);
    CHECK_FALSE(segments[0].isBorrowed);
    CHECK(segments[1].bytes == bytesOf(lent).data());    // the bytes are not copied
    CHECK(segments[1].intCount == 3);
    CHECK(segments[1].isBorrowed);
    CHECK(segments[2].intCount == 1);
    CHECK(segments[3].isBorrowed);

    std::vector<std::int32_t> all(buffer.size());
    buffer.copyTo(all.data());
    CHECK(all == std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 3});
    CHECK_THROWS_AS(static_cast<void>(buffer.ints()), std::logic_error);
}

TEST_CASE("IntBuffer: a copy owns everything, and so does a buffer after makeOwned") {
    std::vector<std::int32_t> lent{3, 4};
    IntBuffer buffer(std::array{1});
    buffer.borrow(bytesOf(lent).data(), lent.size());
    const IntBuffer copy = buffer;
    IntBuffer moved = std::move(buffer);
    CHECK(buffer.isEmpty());
    CHECK(moved.hasBorrowed());
    CHECK(moved == copy);
    CHECK(copy == moved);
    IntBuffer owned = moved;
    moved.makeOwned();
    lent = {0, 0};
    const std::vector<std::int32_t> expected{1, 3, 4};
    CHECK(std::equal(expected.begin(), expected.end(), moved.ints().begin(), moved.ints().end()));
    CHECK(moved == owned);
    owned.clear();
    CHECK(owned.isEmpty());
    CHECK(owned.ints().empty());
}

TEST_CASE("IntBuffer: clear gives back what was borrowed") {
    const std::vector<std::int32_t> lent{3, 4};
    IntBuffer buffer;
    buffer.borrow(bytesOf(lent).data(), lent.size());
    CHECK(buffer.segments().size() == 1);
    buffer.clear();
    CHECK_FALSE(buffer.hasBorrowed());
    CHECK(buffer.segments().empty());
    CHECK(buffer.isEmpty());
}
