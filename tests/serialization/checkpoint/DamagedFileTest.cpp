#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <ferry/serialization/checkpoint/CheckpointFile.hpp>
#include <ferry/serialization/checkpoint/CheckpointWriter.hpp>
#include <ferry/serialization/checkpoint/FileFormat.hpp>
#include <ferry/serialization/checkpoint/FileParts.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/ByteOrder.hpp>
#include <ferry/tests/support/FileBytes.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

namespace {

using namespace ferry;
using test::TemporaryFolder;
using Texts = std::vector<std::string>;
using Ints = std::vector<std::int32_t>;

const Texts sampleTexts{"one", "a longer text", ""};

/// Returns the bytes of a small file of two chunks.
std::string sampleBytes(const TemporaryFolder& folder) {
    IntBuffer buffer;
    IntWriter(buffer) << sampleTexts;
    const FileDescription description{FileKind::Value, "sequence<string>", 5, {"acme::Room"}};
    {
        CheckpointWriter writer(folder / "sample", description);
        writer.put(buffer.ints().first(2), false);
        writer.put(buffer.ints().subspan(2), true);
    }
    return test::bytesOf(folder / "sample");
}

/// Loads the file. Returns the error; nothing when the file can be loaded.
std::optional<FileError> problemOf(const std::filesystem::path& path) {
    Texts texts;
    try {
        texts = load<Texts>(path);
    } catch (const FileError& error) {
        return error;
    }
    CHECK(texts == sampleTexts);
    return std::nullopt;
}

std::optional<FileError> problemOf(const TemporaryFolder& folder, std::string_view bytes) {
    test::writeBytes(folder / "file", bytes);
    return problemOf(folder / "file");
}

std::int32_t intAt(const std::string& bytes, std::size_t place) {
    std::int32_t number = 0;
    std::memcpy(&number, bytes.data() + place, sizeof(number));
    return detail::inFileOrder(number);
}
void setInt(std::string& bytes, std::size_t place, std::int32_t number) {
    number = detail::inFileOrder(number);
    std::memcpy(bytes.data() + place, &number, sizeof(number));
}

/// Places of the ints behind the magic, in bytes.
constexpr std::size_t MarkPlace = 8, VersionPlace = 12, CountPlace = 16, CheckPlace = 20;

/// Sets the check of the start to the right value.
void confirmStart(std::string& bytes) {
    const std::array numbers{intAt(bytes, VersionPlace), intAt(bytes, CountPlace)};
    setInt(bytes, CheckPlace, fileFormat::checkOf(numbers, fileFormat::DescriptionSeed));
}

std::size_t firstChunkPlace(const std::string& bytes) { return 32 + 4 * static_cast<std::size_t>(intAt(bytes, CountPlace)); }

void confirmHead(std::string& bytes, std::size_t place, std::size_t chunk) {
    const std::array numbers{intAt(bytes, place)};
    setInt(bytes, place + 4, fileFormat::checkOf(numbers, fileFormat::seedOfChunk(chunk)));
}

}    // namespace

TEST_CASE("Damaged files: one that is cut off anywhere is refused as truncated") {
    const TemporaryFolder folder;
    const std::string bytes = sampleBytes(folder);
    REQUIRE_FALSE(problemOf(folder, bytes));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const auto problem = problemOf(folder, bytes.substr(0, size));
        CAPTURE(size);
        REQUIRE(problem);
        CHECK(problem->problem() == FileProblem::Truncated);
    }
    CHECK(std::string(problemOf(folder, bytes.substr(0, bytes.size() - 1))->what()) ==
          (folder / "file").native() +
              ": the file is truncated: expected 16 bytes for the numbers that close the file (chunk 2), found 15");
}

TEST_CASE("Damaged files: one with a bit that is not as it was written is refused, and most often says which chunk") {
    const TemporaryFolder folder;
    const std::string bytes = sampleBytes(folder);
    std::map<FileProblem, int> counts;
    const std::size_t firstChunk = firstChunkPlace(bytes), secondChunk = firstChunk + 16 + 8;
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        std::string damaged = bytes;
        const std::size_t place = bit / 8;
        damaged[place] = static_cast<char>(damaged[place] ^ 1 << bit % 8);
        const auto problem = problemOf(folder, damaged);
        CAPTURE(bit);
        REQUIRE(problem);
        ++counts[problem->problem()];
        CHECK(problem->problem() == (place < MarkPlace ? FileProblem::NotFerry : FileProblem::Damaged));
        if (place >= firstChunk && place < secondChunk) CHECK(problem->chunk() == 0);
        if (place < firstChunk) CHECK(problem->chunk() == FileError::NoChunk);
    }
    CHECK(counts[FileProblem::NotFerry] == 64);
}

TEST_CASE("Damaged files: chunks that are missing, repeated or in another order are refused") {
    const TemporaryFolder folder;
    const std::string bytes = sampleBytes(folder);
    const std::size_t first = firstChunkPlace(bytes), second = first + 24, closing = bytes.size() - 32;
    const std::string start = bytes.substr(0, first), one = bytes.substr(first, 24), two = bytes.substr(second, closing - second),
                      end = bytes.substr(closing);
    REQUIRE_FALSE(problemOf(folder, start + one + two + end));
    for (const std::string& wrong : {start + end, start + one + end, start + two + end, start + two + one + end,
                                     start + one + one + two + end, start + one + two + end + end, start + one + two + end + " "}) {
        const auto problem = problemOf(folder, wrong);
        REQUIRE(problem);
        CHECK(problem->problem() == FileProblem::Damaged);
    }
}

TEST_CASE("Damaged files: one of the other byte order is the same file") {
    const TemporaryFolder folder;
    std::string bytes = sampleBytes(folder);
    for (std::size_t place = MarkPlace; place < bytes.size(); place += 4)
        setInt(bytes, place, static_cast<std::int32_t>(__builtin_bswap32(static_cast<std::uint32_t>(intAt(bytes, place)))));
    CHECK_FALSE(problemOf(folder, bytes));
    CheckpointReader reader(folder / "file");
    CHECK(reader.isByteSwapped());
    CHECK(reader.description().type == "sequence<string>");

    save(folder / "numbers", std::pair(std::vector<short>{1, -2, 3}, 0x1122334455667788));
    bytes = test::bytesOf(folder / "numbers");
    for (std::size_t place = MarkPlace; place < bytes.size(); place += 4)
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(place), bytes.begin() + static_cast<std::ptrdiff_t>(place + 4));
    test::writeBytes(folder / "numbers", bytes);
    CHECK(load<std::pair<std::vector<short>, long>>(folder / "numbers") == std::pair(std::vector<short>{1, -2, 3}, 0x1122334455667788));
}

TEST_CASE("Damaged files: a newer format is refused as such, whatever else is in the file") {
    const TemporaryFolder folder;
    std::string bytes = sampleBytes(folder);
    setInt(bytes, VersionPlace, fileFormat::NewestVersion + 1);
    confirmStart(bytes);
    const auto problem = problemOf(folder, bytes.substr(0, 32));
    REQUIRE(problem);
    CHECK(problem->problem() == FileProblem::NewerFormat);
    CHECK(std::string(problem->what()).find("format 2 or older, found format 3") != std::string::npos);
    setInt(bytes, VersionPlace, 0);
    confirmStart(bytes);
    CHECK(problemOf(folder, bytes)->problem() == FileProblem::Damaged);
}

TEST_CASE("Damaged files: lengths that a forger has confirmed are checked against the file") {
    const TemporaryFolder folder;
    const std::string bytes = sampleBytes(folder);
    for (const std::int32_t count : {-1, 1 << 24, (1 << 24) + 1, 0x7fffffff}) {
        std::string forged = bytes;
        setInt(forged, CountPlace, count);
        confirmStart(forged);
        auto problem = problemOf(folder, forged);
        REQUIRE(problem);
        CHECK(problem->problem() == (count == 1 << 24 ? FileProblem::Truncated : FileProblem::Damaged));
        forged = bytes;
        setInt(forged, firstChunkPlace(forged), count);
        confirmHead(forged, firstChunkPlace(forged), 0);
        problem = problemOf(folder, forged);
        REQUIRE(problem);
        CHECK(problem->problem() == (count == 1 << 24 ? FileProblem::Truncated : FileProblem::Damaged));
        CHECK(problem->chunk() == 0);
    }
    std::string forged = bytes;       // an invalid description with a valid check
    setInt(forged, 36, 1'000'000);    // the length of the type text
    const auto intCount = static_cast<std::size_t>(intAt(forged, CountPlace));
    Ints ints(intCount);
    for (std::size_t i = 0; i < intCount; ++i) ints[i] = intAt(forged, 32 + 4 * i);
    const std::uint64_t checksum = detail::checksumOf(ints, fileFormat::DescriptionSeed);
    setInt(forged, 24, fileFormat::lowHalf(checksum));
    setInt(forged, 28, fileFormat::highHalf(checksum));
    const auto problem = problemOf(folder, forged);
    REQUIRE(problem);
    CHECK(std::string(problem->what()).find("the description cannot be read") != std::string::npos);
}

TEST_CASE("Damaged files: what is no file of Ferry, or none that can be read") {
    const TemporaryFolder folder;
    CHECK(problemOf(folder, "a text that somebody wrote")->problem() == FileProblem::NotFerry);
    const auto missing = problemOf(folder / "missing");
    CHECK(missing->problem() == FileProblem::CannotRead);
    CHECK(missing->errorNumber() == ENOENT);
    CHECK(problemOf(folder.path())->problem() == FileProblem::CannotRead);
    CHECK(problemOf("/dev/zero")->problem() == FileProblem::CannotRead);
}

TEST_CASE("Damaged files: reading goes on behind a chunk whose contents are damaged, and not behind one whose length is") {
    const TemporaryFolder folder;
    const std::string bytes = sampleBytes(folder);
    const std::size_t first = firstChunkPlace(bytes);
    std::string damaged = bytes;
    damaged[first + 16] ^= 1;
    test::writeBytes(folder / "file", damaged);
    CheckpointReader reader(folder / "file");
    IntBuffer ints;
    CHECK_THROWS_AS(reader.next(ints), FileError);
    CHECK(ints.isEmpty());
    CHECK(reader.canGoOn());
    CHECK_FALSE(reader.next().empty());
    CHECK(reader.next().empty());
    CHECK(reader.chunkCount() == 2);

    damaged[first] ^= 1;
    test::writeBytes(folder / "file", damaged);
    CheckpointReader broken(folder / "file");
    CHECK_THROWS_AS(broken.next(), FileError);
    CHECK_FALSE(broken.canGoOn());
    CHECK_THROWS_AS(broken.next(), UsageError);
}

TEST_CASE("checkpoint: the description may have as many ints as the format allows, and not one more") {
    namespace format = fileFormat;
    FileDescription description{FileKind::Value, "", 0, {}};
    const std::size_t headInts = format::beginningOf(description).size();
    IntBuffer withoutType;
    IntWriter(withoutType) << description;
    description.type.assign((format::MaxChunkInts - withoutType.size()) * sizeof(std::int32_t), 'a');
    CHECK(format::beginningOf(description).size() == headInts - withoutType.size() + format::MaxChunkInts);
    description.type += 'a';
    CHECK_THROWS_AS(format::beginningOf(description), UsageError);
}
