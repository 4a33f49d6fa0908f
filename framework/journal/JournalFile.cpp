#include <ferry/framework/journal/JournalFile.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <exception>
#include <vector>

#include <fmt/format.h>

#include <ferry/framework/exception/JournalError.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/serialization/checkpoint/FileFormat.hpp>
#include <ferry/serialization/checkpoint/FileParts.hpp>
#include <ferry/serialization/file/Disk.hpp>
#include <ferry/serialization/file/FileError.hpp>
#include <ferry/serialization/file/FilePlace.hpp>
#include <ferry/serialization/file/QuietSignals.hpp>
#include <ferry/serialization/file/ReplacementFile.hpp>
#include <ferry/serialization/ints/ByteOrder.hpp>

namespace ferry::detail {

JournalFile::JournalFile(const std::filesystem::path& path, const FileDescription& own, std::chrono::milliseconds lockPatience)
    : path_(path),
      lock_(path_, targetOf(path_), lockPatience) {
    const IntBuffer beginning = fileFormat::beginningOf(own, fileFormat::JournalVersion);
    const bool isNew = open(beginning);
    lock_.lockJournal(file_.number());
    contents_ = replayJournal(path_, own);
    cutTornEnd();
    if (contents_.wholeBytes == 0) {
        append(beginning.ints(), 0);
        flush();
    } else if (isNew) {
        contents_.flushedBytes = contents_.wholeBytes;
    } else {
        secure();
    }
}

std::filesystem::path JournalFile::targetOf(const std::filesystem::path& path) {
    const FilePlace place = FilePlace::of(path);
    if (place.kind == FilePlace::Kind::Folder || place.kind == FilePlace::Kind::Stream)
        throw FileError::ofOtherKind(FileProblem::CannotWrite, path, place.kind == FilePlace::Kind::Folder);
    return place.target;
}

/// Opens the file. True: the file is new, and is on the disk.
bool JournalFile::open(const IntBuffer& beginning) {
    const std::filesystem::path target = targetOf(path_);
    const bool isNew = !std::filesystem::exists(target);
    if (isNew) {
        ReplacementFile file(target);
        file.write(beginning.ints());
        file.commit();
    }
    file_ = FileDescriptor(::open(target.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));    // O_NONBLOCK: the call does not block
                                                                                                     // if the path is a pipe
    struct stat status {};
    if (!file_.isOpen()) fail("opening");
    if (::fstat(file_.number(), &status) != 0) fail("asking for the length");
    if (!S_ISREG(status.st_mode)) throw FileError::ofOtherKind(FileProblem::CannotWrite, path_, false);
    FilePlace::requireNoTrap(path_, target, status.st_uid, "a file");
    return isNew;
}

void JournalFile::cutTornEnd() {
    if (contents_.tornBytes == 0) return;
    logLine(spdlog::level::info, "{}: the last {} bytes are cut off: they are not whole, and nobody was promised that they are on the disk",
            path_.native(), contents_.tornBytes);
    if (Disk::ofThisThread().cut(file_.number(), static_cast<off_t>(contents_.wholeBytes)) != 0) fail("cutting off a torn end");
    contents_.tornBytes = 0;
    contents_.isMarked = false;
}

/// Brings to the disk what an earlier writer left. After a flush of that writer that failed, the system may hold bytes as written that the
/// disk lacks. So the bytes that no record claims are written again.
void JournalFile::secure() {
    if (contents_.isMarked) return;
    if (layout().hasClaims()) {
        constexpr std::uint64_t mostInts = std::uint64_t{1} << 18;
        std::vector<std::int32_t> ints;
        for (std::uint64_t offset = contents_.flushedBytes; offset < contents_.wholeBytes; offset += ints.size() * sizeof(std::int32_t)) {
            ints.resize(static_cast<std::size_t>(std::min(mostInts, (contents_.wholeBytes - offset) / sizeof(std::int32_t))));
            readAt(offset, ints);
            writeAt(offset, ints);
        }
    }
    flushFolder();
    flush();
}

/// Brings the name of the file to the disk, as the writer that made the file may have died before it could.
void JournalFile::flushFolder() const {
    const std::filesystem::path folder = targetOf(path_).parent_path();
    const FileDescriptor file(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!file.isOpen()) return;    // a folder that cannot be listed cannot be flushed
    if (Disk::ofThisThread().flush(file.number()) != 0 && errno != EINVAL && errno != ENOTSUP) fail("flushing the folder");
}

void JournalFile::addChunk(IntBuffer& added, std::uint64_t addedChunks, std::span<const std::int32_t> first,
                           std::span<const std::int32_t> second) const {
    const std::array claim{fileFormat::lowHalf(contents_.flushedBytes), fileFormat::highHalf(contents_.flushedBytes)};
    const std::array parts{std::span<const std::int32_t>(claim).first(layout().claimInts()), first, second};
    const std::array pieces{fileFormat::pieceOf(parts[0]), fileFormat::pieceOf(parts[1]), fileFormat::pieceOf(parts[2])};
    const std::size_t intCount = parts[0].size() + first.size() + second.size();
    const std::size_t before = added.ownSize();
    const std::uint64_t seed = layout().seedOf(contents_.chunkCount + addedChunks, contents_.wholeBytes + before * sizeof(std::int32_t));
    try {
        added.append(fileFormat::headOfChunk(pieces, intCount, seed));
        for (const auto& part : parts) added.append(part);
    } catch (...) {
        added.resizeWithin(before);
        throw;
    }
}

void JournalFile::append(std::span<const std::int32_t> ints, std::uint64_t chunkCount) {
    writeAt(contents_.wholeBytes, ints);
    contents_.wholeBytes += ints.size_bytes();
    contents_.chunkCount += chunkCount;
}

void JournalFile::flush() {
    if (flushError_ != 0) {
        errno = flushError_;
        fail("flushing after a flush that failed");
    }
    while (Disk::ofThisThread().flushData(file_.number()) != 0) {
        if (errno == EINTR) continue;
        flushError_ = errno;
        fail("flushing");
    }
    requireName();
    contents_.flushedBytes = contents_.wholeBytes;
    mark();
}

/// No later run finds a file that somebody has removed.
void JournalFile::requireName() const {
    struct stat status {};
    if (::fstat(file_.number(), &status) != 0) fail("asking for its names");
    if (status.st_nlink == 0) throw FileError(FileProblem::CannotWrite, path_, "it was removed while the job used it", FileError::NoChunk);
}

/// Appends the claim of what is on the disk now. A mark that cannot be written is left out, because the next record claims as much.
void JournalFile::mark() noexcept {
    if (!layout().hasClaims()) return;
    try {
        IntBuffer ints;
        addChunk(ints, 0, {}, {});
        append(ints.ints(), 1);
    } catch (const std::exception&) {}
}

void JournalFile::readChunk(std::uint64_t offset, std::uint64_t chunk, std::size_t intCount, IntBuffer& ints) const {
    constexpr std::size_t mostInts = fileFormat::HeadInts + 2;
    std::array<std::int32_t, mostInts> begin{};
    const std::size_t claimInts = layout().claimInts();
    const std::span beginInts = std::span(begin).first(fileFormat::HeadInts + claimInts);
    readAt(offset, beginInts);
    const std::size_t before = ints.ownSize();
    ints.resizeUninitialized(before + intCount);
    const std::span<std::int32_t> added(ints.data() + before, intCount);
    readAt(offset + beginInts.size_bytes(), added);
    const std::array pieces{fileFormat::pieceOf(beginInts.subspan(fileFormat::HeadInts)), fileFormat::pieceOf(added)};
    const auto head = fileFormat::headOfChunk(pieces, claimInts + intCount, layout().seedOf(chunk, offset));
    if (std::equal(head.begin(), head.end(), begin.begin())) return;
    throw JournalError(JournalProblem::Damaged, path_,
                       fmt::format("the record at byte {} has been damaged since it was read first", offset), offset);
}

void JournalFile::writeAt(std::uint64_t offset, std::span<const std::int32_t> ints) const {
    QuietSignals quiet;
    std::vector<std::int32_t> swapped;
    if constexpr (isBigEndian) {
        swapped.assign(ints.begin(), ints.end());
        for (std::int32_t& each : swapped) each = inFileOrder(each);
        ints = swapped;
    }
    std::span<const std::byte> bytes = std::as_bytes(ints);
    while (!bytes.empty()) {
        const ssize_t count = Disk::ofThisThread().writeAt(file_.number(), bytes, static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            quiet.noteError(errno);
            fail("writing");
        }
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        offset += static_cast<std::uint64_t>(count);
    }
}

void JournalFile::readAt(std::uint64_t offset, std::span<std::int32_t> ints) const {
    std::span<std::byte> bytes = std::as_writable_bytes(ints);
    while (!bytes.empty()) {
        const ssize_t count = Disk::ofThisThread().readAt(file_.number(), bytes, static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw FileError::ofSystem(FileProblem::CannotRead, path_, "reading", errno);
        if (count == 0)
            throw JournalError(JournalProblem::Damaged, path_, fmt::format("it has become shorter: nothing is at byte {}", offset), offset);
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        offset += static_cast<std::uint64_t>(count);
    }
    if constexpr (isBigEndian) {
        for (std::int32_t& each : ints) each = inFileOrder(each);
    }
}

void JournalFile::fail(const char* action) const { throw FileError::ofSystem(FileProblem::CannotWrite, path_, action, errno); }

}    // namespace ferry::detail
