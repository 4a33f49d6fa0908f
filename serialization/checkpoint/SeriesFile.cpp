#include <ferry/serialization/checkpoint/SeriesFile.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include <fmt/format.h>

#include <ferry/serialization/checkpoint/FileFormat.hpp>
#include <ferry/serialization/checkpoint/FileParts.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

FERRY_FIELDS_DEFINED(ferry::detail::SeriesHead)

namespace ferry {

namespace {

constexpr std::size_t chunkInts = std::size_t{1} << 18;    // 1 MiB

}    // namespace

SeriesWriter::SeriesWriter(const detail::PathName& path) : file_(path, FileDescription::of(FileKind::Series, {})) {}

void SeriesWriter::finish() {
    requireWholeEntries();
    file_.put(std::span<const std::int32_t>(), true);
}

void SeriesWriter::requireWholeEntries() const {
    if (!isInEntry_) return;
    FERRY_THROW(
        UsageError(fmt::format("{}: expected a whole entry {}, found one that is still being written or that an error has cut: after "
                               "an error destroy the writer, which leaves the old file, and write the file anew",
                               file_.path().native(), entryCount_ + 1)));
}

void SeriesWriter::putPacked(const detail::SeriesHead& head, const IntBuffer& ints) {
    begin(head);
    putChunks(ints, detail::SeriesMark::EndOfEntry);
}

void SeriesWriter::begin(const detail::SeriesHead& head) {
    requireWholeEntries();
    IntBuffer ints;
    IntWriter out(ints);
    out << head;
    out.finish();
    file_.put(ints, false);
    isInEntry_ = true;
}

/// Writes the ints in chunks, each of which ends with a mark. The last chunk may have a mark only.
void SeriesWriter::putChunks(const IntBuffer& ints, detail::SeriesMark end) {
    detail::forChunks(ints, chunkInts, [&](std::vector<IntBuffer::Segment>& segments, bool isEnd) {
        const auto mark = static_cast<std::int32_t>(isEnd ? end : detail::SeriesMark::Inside);
        segments.push_back(fileFormat::pieceOf(std::span(&mark, 1)));
        file_.put(segments, false);
    });
    if (end != detail::SeriesMark::EndOfEntry) return;
    isInEntry_ = false;
    ++entryCount_;
}

SeriesReader::SeriesReader(const detail::PathName& path, const ObjectFactory& factory) : file_(path), factory_(factory) {
    file_.require(FileKind::Series, {});
    toNext();
    position_ = 0;
}

std::string SeriesReader::nextInWords() const { return FileDescription::textOf(head().kind, head().type); }

const detail::SeriesHead& SeriesReader::head() const {
    if (!next_) FERRY_THROW(UsageError(fmt::format("{} has {} entries, which have all been read", file_.path().native(), position_)));
    return *next_;
}

void SeriesReader::skip() {
    static_cast<void>(head());
    for (bool isLast = false; !isLast;) takePiece(isLast);
    toNext();
}

IntBuffer SeriesReader::takeInts() {
    static_cast<void>(head());
    bool isLast = false;
    takePiece(isLast);
    IntBuffer ints = std::move(piece_);
    piece_ = IntBuffer();
    while (!isLast) ints.append(takePiece(isLast).ints());
    toNext();
    return ints;
}

/// Reads a piece of an entry: the chunks up to one that does not go on.
const IntBuffer& SeriesReader::takePiece(bool& isLast) {
    piece_.clear();
    for (;;) {
        const std::span<const std::int32_t> chunk = file_.next();
        const std::int32_t mark = chunk.empty() ? -1 : chunk.back();
        if (mark < 0 || mark > static_cast<std::int32_t>(detail::SeriesMark::Inside)) {
            throw FileError(FileProblem::Damaged, file_.path(),
                            fmt::format("expected the mark of a chunk in entry {}, found {}", position_ + 1,
                                        chunk.empty() ? std::string("the end of the file") : std::to_string(mark)),
                            file_.chunkCount());
        }
        piece_.append(chunk.first(chunk.size() - 1));
        if (mark == static_cast<std::int32_t>(detail::SeriesMark::Inside)) continue;
        isLast = mark == static_cast<std::int32_t>(detail::SeriesMark::EndOfEntry);
        return piece_;
    }
}

/// Reads the head of the next entry, if there is one.
void SeriesReader::toNext() {
    ++position_;
    next_.reset();
    const std::span<const std::int32_t> chunk = file_.next();
    if (chunk.empty()) return;
    try {
        IntReader in(chunk, factory_);
        in >> next_.emplace();
        in.expectEnd();
    } catch (...) {
        next_.reset();
        detail::rethrowFromFile(file_);
    }
}

void SeriesReader::require(FileKind kind, std::string_view type) const {
    const bool isAsExpected =
        head().kind == kind && (kind == FileKind::Object ? head().type == type : detail::isSameType(head().type, type));
    if (!isAsExpected) failOtherType(FileDescription::textOf(kind, type));
}

void SeriesReader::failOtherType(std::string_view expected) const {
    throw FileError(FileProblem::OtherType, file_.path(),
                    fmt::format("expected {} as entry {}, found {}", expected, position_ + 1, nextInWords()), FileError::NoChunk);
}

void SeriesReader::readObject(IntSerializableObject* object) {
    const IntBuffer ints = takeInts();
    detail::readObjectInts(file_, factory_, ints, object);
}

}    // namespace ferry
