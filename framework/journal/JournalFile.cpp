#include <ferry/framework/journal/JournalFile.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include <ferry/framework/exception/JournalError.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/serialization/checkpoint/Disk.hpp>
#include <ferry/serialization/checkpoint/FileError.hpp>
#include <ferry/serialization/checkpoint/FileParts.hpp>
#include <ferry/serialization/checkpoint/FilePlace.hpp>
#include <ferry/serialization/checkpoint/QuietSignals.hpp>
#include <ferry/serialization/checkpoint/ReplacementFile.hpp>
#include <ferry/serialization/ints/ByteOrder.hpp>

namespace ferry::detail {

JournalFile::JournalFile(const std::filesystem::path& path, const FileDescription& own, std::chrono::milliseconds lockPatience)
    : path_(path),
      lock_(path_, targetOf(path_), lockPatience) {
    const IntBuffer beginning = fileFormat::beginningOf(own);
    open(beginning);
    lock_.lockJournal(file_.number());
    contents_ = replayJournal(path_, own);
    cutTornEnd();
    if (contents_.wholeBytes != 0) return;
    append(beginning.ints(), 0);
    flush();
}

std::filesystem::path JournalFile::targetOf(const std::filesystem::path& path) {
    const FilePlace place = FilePlace::of(path);
    if (place.kind == FilePlace::Kind::Folder || place.kind == FilePlace::Kind::Stream)
        throw FileError::ofOtherKind(FileProblem::CannotWrite, path, place.kind == FilePlace::Kind::Folder);
    return place.target;
}

void JournalFile::open(const IntBuffer& beginning) {
    const std::filesystem::path target = targetOf(path_);
    if (!std::filesystem::exists(target)) {
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
}

void JournalFile::cutTornEnd() {
    if (contents_.tornBytes == 0) return;
    logLine(spdlog::level::info, "{}: {} bytes of a record that was not whole are cut off", path_.native(), contents_.tornBytes);
    if (Disk::ofThisThread().cut(file_.number(), static_cast<off_t>(contents_.wholeBytes)) != 0) fail("cutting off a torn end");
    contents_.tornBytes = 0;
}

void JournalFile::append(std::span<const std::int32_t> ints, std::uint64_t chunkCount) {
    writeAt(contents_.wholeBytes, ints);
    contents_.wholeBytes += ints.size_bytes();
    contents_.chunkCount += chunkCount;
}

void JournalFile::flush() {
    while (Disk::ofThisThread().flushData(file_.number()) != 0) {
        if (errno != EINTR) fail("flushing");
    }
}

void JournalFile::readChunk(std::uint64_t offset, std::uint64_t chunk, std::size_t intCount, IntBuffer& ints) const {
    std::array<std::int32_t, fileFormat::HeadInts> head{};
    readAt(offset, head);
    const std::size_t before = ints.ownSize();
    ints.resizeUninitialized(before + intCount);
    const std::span<std::int32_t> added(ints.data() + before, intCount);
    readAt(offset + sizeof(head), added);
    const IntBuffer::Segment piece = fileFormat::pieceOf(added);
    if (fileFormat::headOfChunk(std::span(&piece, 1), intCount, static_cast<std::size_t>(chunk)) == head) return;
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
