#include <ferry/framework/journal/JournalReplay.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/framework/exception/JournalError.hpp>
#include <ferry/framework/journal/JournalRecord.hpp>
#include <ferry/serialization/checkpoint/CheckpointFile.hpp>
#include <ferry/serialization/checkpoint/CheckpointWriter.hpp>
#include <ferry/serialization/checkpoint/FileParts.hpp>
#include <ferry/tests/framework/JournalFiles.hpp>
#include <ferry/tests/support/FileBytes.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

using namespace ferry;
using namespace ferry::test;

namespace journalreplaytest {

FileDescription ownDescription() { return FileDescription::of(FileKind::Journal, "prices"); }

constexpr int recordCount = 4;

/// A small journal in a folder, and the begins of its records. The last place is the end of the file.
struct SmallJournal {
    SmallJournal() {
        for (int count = 0; count <= recordCount; ++count) {
            writeJournal(folder / std::to_string(count), count);
            ends.push_back(bytesOf(folder / std::to_string(count)).size());
        }
        bytes = bytesOf(folder / std::to_string(recordCount));
    }

    detail::JournalContents replay(const std::string& changed) const {
        writeBytes(folder / "changed", changed);
        return detail::replayJournal(folder / "changed", ownDescription());
    }

    /// Number of records that are complete in the first byteCount bytes.
    int wholeIn(std::size_t byteCount) const {
        return static_cast<int>(std::count_if(ends.begin() + 1, ends.end(), [&](std::size_t end) { return end <= byteCount; }));
    }

    TemporaryFolder folder;
    std::vector<std::size_t> ends;
    std::string bytes;
};

JournalProblem problemOf(const std::filesystem::path& path, const FileDescription& own = ownDescription()) {
    try {
        static_cast<void>(detail::replayJournal(path, own));
    } catch (const JournalError& error) {
        CHECK(std::string(error.what()).find(path.native()) == 0);
        return error.problem();
    }
    FAIL("the journal was accepted");
    return {};
}

/// Writes a journal with one chunk of these ints.
void writeChunk(const std::filesystem::path& path, std::span<const std::int32_t> ints) {
    const IntBuffer::Segment piece = fileFormat::pieceOf(ints);
    IntBuffer all = fileFormat::beginningOf(ownDescription());
    all.append(fileFormat::headOfChunk(std::span(&piece, 1), ints.size(), 0));
    all.append(ints);
    writeBytes(path, {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(std::int32_t)});
}

}    // namespace journalreplaytest

using namespace journalreplaytest;

TEST_CASE("replayJournal: what was written is found, by the key of its task") {
    const SmallJournal journal;
    const detail::JournalContents contents = journal.replay(journal.bytes);
    CHECK(contents.places.size() == recordCount);
    CHECK(contents.wholeBytes == journal.bytes.size());
    CHECK(contents.chunkCount == recordCount);
    CHECK(contents.tornBytes == 0);
    std::set<std::uint64_t> lengths;
    for (const auto& [key, place] : contents.places) lengths.insert(place.replyInts);
    CHECK(lengths == std::set<std::uint64_t>{0, 1, 2, 3});
}

TEST_CASE("replayJournal: a file that ends at any byte has the records that are whole by then") {
    const SmallJournal journal;
    for (std::size_t length = 0; length < journal.bytes.size(); ++length) {
        CAPTURE(length);
        const detail::JournalContents contents = journal.replay(journal.bytes.substr(0, length));
        const int whole = journal.wholeIn(length);
        CHECK(contents.places.size() == static_cast<std::size_t>(whole));
        if (length < journal.ends.front()) {
            CHECK(contents.wholeBytes == 0);
        } else {
            CHECK(contents.wholeBytes == journal.ends[static_cast<std::size_t>(whole)]);
            CHECK(contents.tornBytes == length - contents.wholeBytes);
        }
    }
}

TEST_CASE("replayJournal: a byte that was changed is an error that says where, or costs no more than the last record") {
    const SmallJournal journal;
    const std::size_t lastRecord = journal.ends[recordCount - 1];
    std::size_t refusedCount = 0;
    for (std::size_t place = 0; place < journal.bytes.size(); ++place) {
        CAPTURE(place);
        std::string changed = journal.bytes;
        changed[place] = static_cast<char>(changed[place] ^ 0x10);
        try {
            const detail::JournalContents contents = journal.replay(changed);
            CHECK(place >= lastRecord);
            CHECK(contents.places.size() == recordCount - 1);
            CHECK(contents.wholeBytes == lastRecord);
        } catch (const JournalError& error) {
            ++refusedCount;
            if (place < 8) {
                CHECK(error.problem() == JournalProblem::NotJournal);
                continue;
            }
            CHECK(error.problem() == JournalProblem::Damaged);
            const auto begin = place < journal.ends.front() ? 0 : journal.ends[static_cast<std::size_t>(journal.wholeIn(place))];
            CHECK(error.offset() == begin);
            CHECK(std::string(error.what()).find("byte " + std::to_string(begin)) != std::string::npos);
        }
    }
    CHECK(refusedCount >= lastRecord);
}

TEST_CASE("replayJournal: a journal of another program, of other classes or of another job is refused with the reason") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "journal";
    writeJournal(path, 1);
    FileDescription other = ownDescription();
    other.type = "prices, job monday";
    CHECK(problemOf(path, other) == JournalProblem::OtherJob);
    CHECK_THROWS_WITH(detail::replayJournal(path, other),
                      (path.native() + ": expected a journal of prices, job monday, found a journal of prices").c_str());
    FileDescription more = ownDescription();
    more.classes.emplace_back("acme::New");
    CHECK(problemOf(path, more) == JournalProblem::OtherJob);
    CHECK_THROWS_WITH(detail::replayJournal(path, more),
                      doctest::Contains("only the journal's program knows none, only this program knows acme::New"));
    FileDescription fewer = ownDescription();
    fewer.classes.clear();
    CHECK_THROWS_WITH(detail::replayJournal(path, fewer), doctest::Contains(", ..., only this program knows none"));
}

TEST_CASE("replayJournal: another file of Ferry, another file and a newer format are no journal") {
    const TemporaryFolder folder;
    save(folder / "saved", 5);
    CHECK(problemOf(folder / "saved") == JournalProblem::NotJournal);
    writeBytes(folder / "text", "to be or not to be");
    CHECK(problemOf(folder / "text") == JournalProblem::NotJournal);
    writeJournal(folder / "newer", 1);
    std::string bytes = bytesOf(folder / "newer");
    std::vector<std::int32_t> start{fileFormat::Version + 1, 0};
    std::memcpy(&start[1], bytes.data() + 16, sizeof(std::int32_t));
    start.push_back(fileFormat::checkOf(start, fileFormat::DescriptionSeed));
    std::memcpy(bytes.data() + 12, start.data(), 3 * sizeof(std::int32_t));
    writeBytes(folder / "newer", bytes);
    CHECK(problemOf(folder / "newer") == JournalProblem::NewerFormat);
}

TEST_CASE("replayJournal: a record whose numbers do not fit is damaged, and takes no memory") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "journal";
    for (const std::uint64_t claimed : {std::uint64_t{0}, std::uint64_t{2}, std::uint64_t{4}, ~std::uint64_t{0} - 8, ~std::uint64_t{0}}) {
        CAPTURE(claimed);
        const auto head = detail::JournalRecord{{taskClass, 7, 0}, replyClass, claimed}.head();
        std::vector<std::int32_t> ints(head.begin(), head.end());
        ints.insert(ints.end(), {1, 2, 3});
        writeChunk(path, ints);
        CHECK(problemOf(path) == JournalProblem::Damaged);
        ints.resize(detail::JournalRecord::headInts - 1);
        writeChunk(path, ints);
        CHECK(problemOf(path) == JournalProblem::Damaged);
    }
}

TEST_CASE("replayJournal: an end, as other files have it, is damage") {
    const TemporaryFolder folder;
    CheckpointWriter(folder / "ended", ownDescription()).put(std::span<const std::int32_t>(), true);
    CHECK(problemOf(folder / "ended") == JournalProblem::Damaged);
}
