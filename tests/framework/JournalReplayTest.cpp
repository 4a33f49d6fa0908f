#include <ferry/framework/journal/JournalReplay.hpp>

#include <algorithm>
#include <array>
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
#include <ferry/framework/journal/JournalLayout.hpp>
#include <ferry/framework/journal/JournalRecord.hpp>
#include <ferry/serialization/checkpoint/CheckpointFile.hpp>
#include <ferry/serialization/checkpoint/CheckpointWriter.hpp>
#include <ferry/serialization/checkpoint/FileFormat.hpp>
#include <ferry/serialization/checkpoint/FileParts.hpp>
#include <ferry/tests/framework/JournalFiles.hpp>
#include <ferry/tests/support/FileBytes.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

using namespace ferry;
using namespace ferry::test;

namespace journalreplaytest {

FileDescription ownDescription() { return FileDescription::of(FileKind::Journal, "prices"); }

constexpr int recordCount = 4;
constexpr std::size_t markBytes = detail::JournalLayout(fileFormat::JournalVersion).markBytes();

/// A small journal in a folder, and the begins of its records. The last place is the end of the file.
struct SmallJournal {
    SmallJournal() {
        for (int count = 0; count <= recordCount; ++count) {
            writeJournal(folder / std::to_string(count), count);
            // A journal that was closed ends with a mark. The empty one has none.
            ends.push_back(bytesOf(folder / std::to_string(count)).size() - (count == 0 ? 0 : markBytes));
        }
        bytes = bytesOf(folder / std::to_string(recordCount));
        unmarked = bytes.substr(0, ends.back());
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
    std::string bytes;       ///< with the mark
    std::string unmarked;    ///< as after the death of the writer
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

void writeInts(const std::filesystem::path& path, const IntBuffer& all) {
    writeBytes(path, {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(std::int32_t)});
}

/// Writes a journal with one chunk of these ints.
void writeChunk(const std::filesystem::path& path, std::span<const std::int32_t> ints) {
    const IntBuffer::Segment piece = fileFormat::pieceOf(ints);
    IntBuffer all = fileFormat::beginningOf(ownDescription(), fileFormat::JournalVersion);
    all.append(fileFormat::headOfChunk(std::span(&piece, 1), ints.size(), all.size() * sizeof(std::int32_t)));
    all.append(ints);
    writeInts(path, all);
}

/// Returns a journal of version 1, as earlier versions of Ferry wrote them, with tasks of these contents.
std::string oldJournal(int count) {
    IntBuffer all = fileFormat::beginningOf(ownDescription());
    for (int i = 0; i < count; ++i) {
        const auto head = detail::JournalRecord{{taskClass, static_cast<std::uint64_t>(i), 0}, replyClass, 2}.head();
        std::vector<std::int32_t> ints(head.begin(), head.end());
        ints.insert(ints.end(), {i, i});
        const IntBuffer::Segment piece = fileFormat::pieceOf(ints);
        all.append(fileFormat::headOfChunk(std::span(&piece, 1), ints.size(), fileFormat::seedOfChunk(static_cast<std::size_t>(i))));
        all.append(ints);
    }
    return {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(std::int32_t)};
}

}    // namespace journalreplaytest

using namespace journalreplaytest;

TEST_CASE("replayJournal: what was written is found, by the key of its task") {
    const SmallJournal journal;
    const detail::JournalContents contents = journal.replay(journal.bytes);
    CHECK(contents.places.size() == recordCount);
    CHECK(contents.wholeBytes == journal.bytes.size());
    CHECK(contents.chunkCount == recordCount + 1);
    CHECK(contents.tornBytes == 0);
    CHECK(contents.isMarked);
    CHECK(contents.flushedBytes == journal.unmarked.size());
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

TEST_CASE("replayJournal: a byte that was changed is an error that says where, when it was on the disk") {
    const SmallJournal journal;
    std::size_t refusedCount = 0;
    for (std::size_t place = 0; place < journal.bytes.size(); ++place) {
        CAPTURE(place);
        std::string changed = journal.bytes;
        changed[place] = static_cast<char>(changed[place] ^ 0x10);
        try {
            const detail::JournalContents contents = journal.replay(changed);
            CHECK(place >= journal.unmarked.size());    // the mark itself
            CHECK(contents.places.size() == recordCount);
            CHECK(contents.wholeBytes == journal.unmarked.size());
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
    CHECK(refusedCount == journal.unmarked.size());
}

TEST_CASE("replayJournal: a byte that was changed before it was on the disk costs its record and those behind it") {
    const SmallJournal journal;
    for (std::size_t place = journal.ends.front(); place < journal.unmarked.size(); ++place) {
        CAPTURE(place);
        std::string changed = journal.unmarked;
        changed[place] = static_cast<char>(changed[place] ^ 0x10);
        const detail::JournalContents contents = journal.replay(changed);
        const auto whole = static_cast<std::size_t>(journal.wholeIn(place));
        CHECK(contents.places.size() == whole);
        CHECK(contents.wholeBytes == journal.ends[whole]);
        CHECK(contents.tornBytes == changed.size() - contents.wholeBytes);
    }
}

TEST_CASE("replayJournal: a hole of zeros that reaches into promised bytes is told, with the record that promises them") {
    const SmallJournal journal;
    {
        detail::Journal more(journalSettings(journal.folder / "4"));    // says in its record that the first four were on the disk
        more.add(more.keyOf(taskClass, intsOf(9)), replyClass, intsOf(9, 300));
    }
    std::string bytes = bytesOf(journal.folder / "4");
    const std::size_t later = journal.bytes.size();
    const auto holeAt = [&](std::size_t begin, std::size_t end) {
        std::string changed = bytes;
        std::fill(changed.begin() + static_cast<std::ptrdiff_t>(begin), changed.begin() + static_cast<std::ptrdiff_t>(end), '\0');
        return changed;
    };
    const std::string harmed = holeAt(journal.ends[2], journal.ends[3]);
    CHECK_THROWS_WITH_AS(journal.replay(harmed),
                         doctest::Contains(("the chunk at byte " + std::to_string(journal.unmarked.size())).c_str()), JournalError);
    // Without the marks, the later record is what tells.
    std::string first = harmed;
    std::fill_n(first.begin() + static_cast<std::ptrdiff_t>(journal.unmarked.size()), markBytes, '\0');
    CHECK_THROWS_WITH_AS(journal.replay(first), doctest::Contains(("the chunk at byte " + std::to_string(later)).c_str()), JournalError);
    CHECK(journal.replay(first.substr(0, later)).places.size() == 2);
    // The later record itself was never promised while no mark is behind it.
    const std::string torn = holeAt(later + 100, later + 200).substr(0, bytes.size() - markBytes);
    CHECK(journal.replay(torn).places.size() == recordCount);
}

TEST_CASE("replayJournal: a reply that holds the bytes of a journal promises nothing") {
    const TemporaryFolder folder;
    writeJournal(folder / "inner", 6);
    std::string inner = bytesOf(folder / "inner");
    inner.resize((inner.size() + 3) / 4 * 4);
    std::vector<std::int32_t> reply(inner.size() / 4);
    std::memcpy(reply.data(), inner.data(), inner.size());
    {
        detail::Journal journal(journalSettings(folder / "outer"));
        for (int task = 0; task < 3; ++task) journal.add(journal.keyOf(taskClass, intsOf(task)), replyClass, reply);
    }
    std::string bytes = bytesOf(folder / "outer");
    bytes.resize(bytes.size() - markBytes);
    const std::size_t beginning = bytes.size() - 3 * (reply.size() * 4 + 56);
    bytes[beginning + 60] = static_cast<char>(bytes[beginning + 60] ^ 1);
    writeBytes(folder / "outer", bytes);
    CHECK(detail::replayJournal(folder / "outer", ownDescription()).places.empty());
}

TEST_CASE("replayJournal: a chunk that claims bytes behind itself is damage") {
    const TemporaryFolder folder;
    const std::array<std::int32_t, 2> claim{1 << 20, 0};
    writeChunk(folder / "journal", claim);
    CHECK(problemOf(folder / "journal") == JournalProblem::Damaged);
    writeChunk(folder / "journal", std::span(claim).first(1));
    CHECK(problemOf(folder / "journal") == JournalProblem::Damaged);
}

TEST_CASE("replayJournal: a journal of version 1 is read, and only its last record may be damaged") {
    const TemporaryFolder folder;
    const std::string bytes = oldJournal(3);
    constexpr std::size_t recordBytes = (fileFormat::HeadInts + detail::JournalRecord::headInts + 2) * sizeof(std::int32_t);
    writeBytes(folder / "old", bytes);
    const detail::JournalContents contents = detail::replayJournal(folder / "old", ownDescription());
    CHECK(contents.version == 1);
    CHECK(contents.places.size() == 3);
    CHECK(contents.wholeBytes == bytes.size());
    std::string changed = bytes;
    changed.back() = static_cast<char>(changed.back() ^ 1);
    writeBytes(folder / "old", changed);
    CHECK(detail::replayJournal(folder / "old", ownDescription()).places.size() == 2);
    changed[bytes.size() - recordBytes - 1] = static_cast<char>(changed[bytes.size() - recordBytes - 1] ^ 1);
    writeBytes(folder / "old", changed);
    CHECK(problemOf(folder / "old") == JournalProblem::Damaged);
}

TEST_CASE("Journal: a journal of version 1 goes on in version 1") {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "old";
    writeBytes(path, oldJournal(3));
    for (int run = 0; run < 3; ++run) {
        detail::Journal journal(journalSettings(path));
        CHECK(journal.leftCount() == static_cast<std::size_t>(3 + run));
        for (int i = 0; i < 3; ++i) {
            const auto reply = journal.take({taskClass, static_cast<std::uint64_t>(i), 0});
            REQUIRE(reply.has_value());
            CHECK(reply->ints.ints().back() == i);
        }
        journal.add(journal.keyOf(taskClass, intsOf(run)), replyClass, intsOf(run));
        journal.write({});
    }
    const detail::JournalContents contents = detail::replayJournal(path, ownDescription());
    CHECK(contents.version == 1);
    CHECK(contents.places.size() == 6);
    CHECK(contents.chunkCount == 6);
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
    std::vector<std::int32_t> start{fileFormat::NewestVersion + 1, 0};
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
        std::vector<std::int32_t> ints{0, 0};    // the claim
        ints.insert(ints.end(), head.begin(), head.end());
        ints.insert(ints.end(), {1, 2, 3});
        writeChunk(path, ints);
        CHECK(problemOf(path) == JournalProblem::Damaged);
        ints.resize(2 + detail::JournalRecord::headInts - 1);
        writeChunk(path, ints);
        CHECK(problemOf(path) == JournalProblem::Damaged);
    }
}

TEST_CASE("replayJournal: an end, as other files have it, is damage") {
    const TemporaryFolder folder;
    CheckpointWriter(folder / "ended", ownDescription()).put(std::span<const std::int32_t>(), true);
    CHECK(problemOf(folder / "ended") == JournalProblem::Damaged);
}
