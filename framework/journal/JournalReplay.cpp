#include <ferry/framework/journal/JournalReplay.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <ferry/framework/exception/JournalError.hpp>
#include <ferry/framework/journal/JournalRecord.hpp>
#include <ferry/serialization/checkpoint/CheckpointReader.hpp>
#include <ferry/serialization/checkpoint/FileError.hpp>

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
        keepUpToHere();
    }

    /// Reads one record. False: the end is reached.
    bool readRecord() {
        if (contents_.wholeBytes == file_->fileBytes()) return false;
        std::span<const std::int32_t> ints = nextChunk();
        if (ints.empty()) return false;
        if (ints.size() < JournalRecord::headInts) failDamaged(fmt::format("a record of {} ints is too short", ints.size()));
        const JournalRecord record = JournalRecord::of(ints.first<JournalRecord::headInts>());
        requireLength(ints.size(), JournalRecord::firstChunkInts(record.replyInts));
        std::uint64_t intsLeft = record.replyInts - (ints.size() - JournalRecord::headInts);
        while (intsLeft != 0) {
            ints = nextChunk();
            if (ints.empty()) return false;
            requireLength(ints.size(), JournalRecord::furtherChunkInts(intsLeft));
            intsLeft -= ints.size();
        }
        contents_.places.emplace(record.key, JournalPlace{contents_.wholeBytes, contents_.chunkCount, record.replyInts});
        keepUpToHere();
        return true;
    }

    /// Reads one chunk. Empty: the rest of the file is torn.
    std::span<const std::int32_t> nextChunk() {
        try {
            const std::span<const std::int32_t> ints = file_->next();
            if (ints.empty()) failDamaged("expected a further record, found the end mark of another kind of file");
            return ints;
        } catch (const FileError& error) {
            const bool isLast = file_->canGoOn() && file_->position() == file_->fileBytes();
            if (error.problem() == FileProblem::Truncated || (error.problem() == FileProblem::Damaged && isLast)) return {};
            if (error.problem() == FileProblem::Damaged) failDamaged(error.what());
            throw;
        }
    }

    void requireLength(std::size_t found, std::size_t expected) const {
        if (found != expected) failDamaged(fmt::format("expected {} ints of a record, found {}", expected, found));
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
    JournalContents contents_;
};

}    // namespace

JournalContents replayJournal(const std::filesystem::path& path, const FileDescription& own) { return JournalReader(path, own).read(); }

}    // namespace ferry::detail
