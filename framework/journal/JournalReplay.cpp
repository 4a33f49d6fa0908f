#include <ferry/framework/journal/JournalReplay.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <ferry/framework/exception/JournalError.hpp>
#include <ferry/framework/journal/JournalLayout.hpp>
#include <ferry/framework/journal/JournalRecord.hpp>
#include <ferry/framework/journal/JournalScan.hpp>
#include <ferry/serialization/checkpoint/CheckpointReader.hpp>
#include <ferry/serialization/checkpoint/FileFormat.hpp>
#include <ferry/serialization/file/FileError.hpp>

namespace ferry::detail {

namespace {

/// The names of the first list that are missing in the second list, as text.
std::string missingNames(const std::vector<std::string>& from, const std::vector<std::string>& in) {
    constexpr std::size_t mostNames = 5;
    std::vector<std::string_view> missing;
    for (const std::string& name : from) {
        if (std::find(in.begin(), in.end(), name) == in.end()) missing.emplace_back(name);
    }
    const bool isCut = missing.size() > mostNames;
    if (isCut) missing.resize(mostNames);
    return missing.empty() ? "none" : fmt::format("{}{}", fmt::join(missing, ", "), isCut ? ", ..." : "");
}

/// Reads one journal.
class JournalReader {
public:
    JournalReader(const std::filesystem::path& path, const FileDescription& own) : path_(path), own_(own) {}

    JournalContents read() {
        if (!open()) return {};
        requireSameJob();
        while (readRecord()) {}
        contents_.tornBytes = file_->fileBytes() - contents_.wholeBytes;
        return std::move(contents_);
    }

private:
    using Ints = std::span<const std::int32_t>;

    /// Opens the file. False: the beginning is torn.
    bool open() {
        try {
            file_.emplace(path_);
            return true;
        } catch (const FileError& error) {
            switch (error.problem()) {
                case FileProblem::Truncated: return false;
                case FileProblem::NotFerry: fail(JournalProblem::NotJournal, "expected a journal, found a file of another kind");
                case FileProblem::Damaged: fail(JournalProblem::Damaged, "the beginning is damaged (byte 0)");
                case FileProblem::NewerFormat: fail(JournalProblem::NewerFormat, "a later version of Ferry wrote this journal");
                default: throw;
            }
        }
    }

    void requireSameJob() {
        const FileDescription& found = file_->description();
        if (found.kind != FileKind::Journal) fail(JournalProblem::NotJournal, fmt::format("expected a journal, found {}", found.text()));
        if (found.type != own_.type) fail(JournalProblem::OtherJob, fmt::format("expected {}, found {}", own_.text(), found.text()));
        if (file_->isByteSwapped())
            fail(JournalProblem::OtherJob, "expected a little-endian journal, as Ferry writes them, found a big-endian one");
        if (found.fingerprint != own_.fingerprint || found.classes != own_.classes)
            fail(JournalProblem::OtherJob,
                 fmt::format("expected a journal of a program with the same classes: only the journal's program knows {}, only this "
                             "program knows {}",
                             missingNames(found.classes, own_.classes), missingNames(own_.classes, found.classes)));
        contents_.version = file_->version();
        layout_ = JournalLayout(contents_.version);
        keepUpToHere();
    }

    /// Reads one record or mark. False: the end is reached, or the rest of the file is torn.
    bool readRecord() {
        if (contents_.wholeBytes == file_->fileBytes()) return false;
        std::optional<Ints> ints = nextChunk();
        if (!ints) return false;
        if (ints->empty()) return keepMark();
        if (ints->size() < JournalRecord::headInts) failDamaged(fmt::format("a record of {} ints is too short", ints->size()));
        const JournalRecord record = JournalRecord::of(ints->first<JournalRecord::headInts>());
        if (const std::size_t expected = layout_.firstChunkInts(record.replyInts); ints->size() != expected)
            failDamaged(fmt::format("expected {} ints of a record, found {}", expected, ints->size()));
        std::uint64_t intsLeft = record.replyInts - (ints->size() - JournalRecord::headInts);
        while (intsLeft != 0) {
            ints = nextChunk();
            if (!ints) return false;
            if (const std::size_t expected = layout_.furtherChunkInts(intsLeft); ints->size() != expected) {
                requireUnclaimed(fmt::format("expected {} further ints of a record, found {}", expected, ints->size()), false);
                return false;
            }
            intsLeft -= ints->size();
        }
        contents_.places.emplace(record.key, JournalPlace{contents_.wholeBytes, contents_.chunkCount, record.replyInts});
        keepUpToHere();
        contents_.isMarked = false;
        return true;
    }

    bool keepMark() {
        contents_.isMarked = contents_.flushedBytes == contents_.wholeBytes;
        keepUpToHere();
        return true;
    }

    /// Reads the ints of one chunk behind its claim. Nothing: the rest of the file is torn.
    std::optional<Ints> nextChunk() {
        const std::uint64_t offset = file_->position();
        try {
            Ints ints = file_->next();
            if (ints.empty()) failDamaged("expected a further record, found the end mark of another kind of file");
            if (!layout_.hasClaims()) return ints;
            if (ints.size() < layout_.claimInts()) failDamaged("a chunk is too short for its claim");
            const std::uint64_t claim = fileFormat::joined(ints[0], ints[1]);
            if (claim > offset) failDamaged(fmt::format("a chunk at byte {} claims {} bytes", offset, claim));
            contents_.flushedBytes = std::max(contents_.flushedBytes, claim);
            return ints.subspan(layout_.claimInts());
        } catch (const FileError& error) {
            if (error.problem() != FileProblem::Truncated && error.problem() != FileProblem::Damaged) throw;
            const bool isLast = file_->canGoOn() && file_->position() == file_->fileBytes();
            requireUnclaimed(error.what(), isLast || error.problem() == FileProblem::Truncated);
            return std::nullopt;
        }
    }

    /// Throws if the record that is being read was promised to be on the disk. isLast: nothing is behind the record.
    void requireUnclaimed(std::string_view text, bool isLast) const {
        if (!layout_.hasClaims()) {
            if (!isLast) failDamaged(text);
            return;
        }
        if (const auto claim = JournalScan(path_).claimOf(contents_.wholeBytes))
            failDamaged(fmt::format("{}; the chunk at byte {} says that the first {} bytes were on the disk", text, claim->offset,
                                    claim->flushedBytes));
    }

    void keepUpToHere() {
        contents_.wholeBytes = file_->position();
        contents_.chunkCount = file_->chunkCount();
    }

    [[noreturn]] void fail(JournalProblem problem, std::string_view text) const { throw JournalError(problem, path_, text); }

    [[noreturn]] void failDamaged(std::string_view text) const {
        throw JournalError(JournalProblem::Damaged, path_,
                           fmt::format("the record at byte {} is damaged, what is before it is whole: {}", contents_.wholeBytes, text),
                           contents_.wholeBytes);
    }

    const std::filesystem::path& path_;
    const FileDescription& own_;
    std::optional<CheckpointReader> file_;
    JournalLayout layout_{fileFormat::JournalVersion};
    JournalContents contents_;
};

}    // namespace

JournalContents replayJournal(const std::filesystem::path& path, const FileDescription& own) { return JournalReader(path, own).read(); }

}    // namespace ferry::detail
