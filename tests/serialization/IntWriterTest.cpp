#include <ferry/serialization/ints/IntWriter.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

using ferry::IntBuffer;
using ferry::IntWriter;

namespace {

std::vector<std::int32_t> intsIn(const IntBuffer& buffer) { return {buffer.ints().begin(), buffer.ints().end()}; }

}    // namespace

TEST_CASE("IntWriter: the destructor sets the size of the buffer, and writing goes on behind what is there") {
    IntBuffer buffer(std::array{9});
    {
        IntWriter out(buffer);
        CHECK(out.position() == 1);
        out.writeInt(1);
        out.writeInt64(0x0000000300000002);
        CHECK(out.position() == 4);
    }
    CHECK(intsIn(buffer) == std::vector<std::int32_t>{9, 1, 2, 3});
}

TEST_CASE("IntWriter: finish hands over what was written so far") {
    IntBuffer buffer;
    IntWriter out(buffer);
    out.writeInt(1);
    out.finish();
    CHECK(buffer.size() == 1);
    out.writeInt(2);
    out.finish();
    CHECK(intsIn(buffer) == std::vector<std::int32_t>{1, 2});
}

TEST_CASE("IntWriter: bytes are packed and filled up with zeros") {
    IntBuffer buffer;
    buffer.append(std::array{-1, -1, -1});
    buffer.clear();
    IntWriter out(buffer);
    out.writeBytes("abcde", 5);
    out.writeBytes(nullptr, 0);
    out.finish();
    CHECK(intsIn(buffer) == std::vector<std::int32_t>{0x64636261, 0x65});
}

TEST_CASE("IntWriter: a count from 2^31 on takes three ints") {
    IntBuffer buffer;
    IntWriter out(buffer);
    out.writeCount(0);
    out.writeCount(0x7fffffff);
    out.writeCount(0x80000000u);
    out.writeCount(0x123456789abu);
    out.finish();
    CHECK(intsIn(buffer) == std::vector<std::int32_t>{0, 0x7fffffff, -1, INT32_MIN, 0, -1, 0x456789ab, 0x123});
}

TEST_CASE("IntWriter: a million ints arrive in order, whatever the growth steps") {
    IntBuffer buffer;
    {
        IntWriter out(buffer);
        const std::vector<std::int32_t> block{1, 2, 3, 4, 5, 6, 7};
        for (std::int32_t i = 0; i < 100000; ++i) out.writeInts(block);
    }
    REQUIRE(buffer.size() == 700000);
    bool isAsWritten = true;
    for (std::size_t i = 0; i < buffer.size(); ++i) isAsWritten = isAsWritten && buffer.data()[i] == static_cast<std::int32_t>(i % 7 + 1);
    CHECK(isAsWritten);
}

TEST_CASE("IntWriter: contents with a version know their length") {
    IntBuffer buffer;
    IntWriter out(buffer);
    out.writeVersioned(3, [&] { out << std::string_view("abc"); });
    CHECK_THROWS_AS(out.writeVersioned(0, [] {}), ferry::UsageError);
    out.finish();
    CHECK(intsIn(buffer) == std::vector<std::int32_t>{3, 2, 3, 0x636261});
}

TEST_CASE("IntWriter: a buffer that was finished and moved on is not touched by the end of its writer") {
    IntBuffer buffer, moved;
    {
        IntWriter out(buffer);
        out.writeInt(5);
        out.finish();
        moved = std::move(buffer);
    }
    CHECK(buffer.isEmpty());
    CHECK(moved.ints().size() == 1);
}
