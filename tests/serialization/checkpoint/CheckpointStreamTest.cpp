#include <cstdint>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/checkpoint/CheckpointReader.hpp>
#include <ferry/serialization/checkpoint/CheckpointWriter.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/file/FileError.hpp>
#include <ferry/tests/support/FileBytes.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

namespace {

using namespace ferry;
using Ints = std::vector<std::int32_t>;
using test::TemporaryFolder;

FileDescription sample() { return {FileKind::Graph, "{int32}", 0x1122334455667788, {"acme::Room"}}; }

Ints asVector(std::span<const std::int32_t> ints) { return {ints.begin(), ints.end()}; }

}    // namespace

TEST_CASE("CheckpointWriter: chunks come back one after the other, as they were") {
    const TemporaryFolder folder;
    IntBuffer second(Ints{4, 5});
    const Ints lent{6, 7, 8};
    second.borrow(reinterpret_cast<const std::byte*>(lent.data()), lent.size());
    {
        CheckpointWriter writer(folder / "file", sample());
        writer.put(Ints{1, 2, 3}, false);
        writer.put(second, false);
        writer.put(Ints(), false);    // makes no chunk
        writer.put(Ints{9}, true);
    }
    CheckpointReader reader(folder / "file");
    CHECK(reader.description().kind == FileKind::Graph);
    CHECK(reader.description().type == "{int32}");
    CHECK(reader.description().fingerprint == 0x1122334455667788);
    CHECK(reader.description().classes == std::vector<std::string>{"acme::Room"});
    CHECK_FALSE(reader.isByteSwapped());
    CHECK(asVector(reader.next()) == Ints{1, 2, 3});
    CHECK(asVector(reader.next()) == Ints{4, 5, 6, 7, 8});
    IntBuffer buffer(Ints{0});
    CHECK(reader.next(buffer) == 1);
    CHECK(buffer == IntBuffer(Ints{0, 9}));
    CHECK(reader.next().empty());
    CHECK(reader.next().empty());
    CHECK(reader.chunkCount() == 3);
    CHECK(reader.intCount() == 9);
}

TEST_CASE("CheckpointWriter: the last chunk may be empty, and a file without ints is whole") {
    const TemporaryFolder folder;
    CheckpointWriter(folder / "file", sample()).put(Ints(), true);
    CheckpointReader reader(folder / "file");
    CHECK(reader.next().empty());
    CHECK(reader.chunkCount() == 0);
}

TEST_CASE("CheckpointWriter: nothing follows the last chunk, and no chunk is too long for its readers") {
    const TemporaryFolder folder;
    CheckpointWriter writer(folder / "file", sample());
    const Ints tooLong((1 << 24) + 1);
    CHECK_THROWS_AS(writer.put(tooLong, false), UsageError);
    writer.put(Ints{1}, true);
    CHECK_THROWS_AS(writer.put(Ints{2}, true), UsageError);
}

TEST_CASE("CheckpointWriter: before the last chunk there is no file, and the ints are lost with the writer") {
    const TemporaryFolder folder;
    {
        CheckpointWriter writer(folder / "file", sample());
        writer.put(Ints{1}, false);
        CHECK_FALSE(std::filesystem::exists(folder / "file"));
        CHECK(folder.fileCount() == 1);
    }
    CHECK(folder.fileCount() == 0);
}

TEST_CASE("CheckpointWriter: the bytes of a file are those of docs/wire-format.md") {
    const TemporaryFolder folder;
    {
        CheckpointWriter writer(folder / "file", sample());
        writer.put(Ints{30, 4, 0x32312d42}, false);
        writer.put(Ints{-1}, true);
    }
    const std::string bytes = test::bytesOf(folder / "file");
    REQUIRE(bytes.size() % 4 == 0);
    CHECK(bytes.substr(0, 8) ==
          "\x89"
          "FERRY\r\n");
    Ints ints(bytes.size() / 4 - 2);
    std::memcpy(ints.data(), bytes.data() + 8, bytes.size() - 8);
    for (std::int32_t& each : ints) each = ferry::detail::inFileOrder(each);
    const Ints golden{0x01020304, 1,           11,          -1019501450,
                      2108858032, -1684745375,    // mark, version, ints of the description, check, checksum
                      3,          7,           0x746e697b,  0x007d3233,
                      0x55667788, 0x11223344,    // kind, type, fingerprint
                      1,          10,          0x656d6361,  0x6f523a3a,
                      0x6d6f,    // one class: "acme::Room"
                      3,          -688353621,  -2042655007, -900719107,
                      30,         4,           0x32312d42,    // ints, check, checksum; the ints
                      1,          -1933952618, -1342246032, -517513528,
                      -1,    // the second chunk
                      0,          -1860051913, 1078927883,  -1266703386,
                      2,          0,           4,           0};    // the end: 2 chunks, 4 ints
    CHECK(ints == golden);
}

TEST_CASE("Checkpoint streams: a long file is read chunk by chunk") {
    const TemporaryFolder folder;
    constexpr int Chunks = 64;
    constexpr int ChunkInts = 1 << 16;
    Ints chunk(ChunkInts);
    {
        CheckpointWriter writer(folder / "file", sample());
        for (int i = 1; i <= Chunks; ++i) {
            std::iota(chunk.begin(), chunk.end(), i);
            writer.put(chunk, i == Chunks);
        }
    }
    CheckpointReader reader(folder / "file");
    for (int i = 1; i <= Chunks; ++i) {
        const auto ints = reader.next();
        REQUIRE(ints.size() == ChunkInts);
        CHECK(ints.front() == i);
        CHECK(ints.back() == i + ChunkInts - 1);
    }
    CHECK(reader.next().empty());
}
