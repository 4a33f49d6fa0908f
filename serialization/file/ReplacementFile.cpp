#include <ferry/serialization/file/ReplacementFile.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <ferry/serialization/file/Disk.hpp>
#include <ferry/serialization/file/FileError.hpp>
#include <ferry/serialization/file/FilePlace.hpp>
#include <ferry/serialization/file/QuietSignals.hpp>
#include <ferry/serialization/ints/ByteOrder.hpp>
#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

namespace {

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

/// 64-bit FNV-1a.
std::uint64_t hashOf(std::string_view text) noexcept {
    std::uint64_t hash = 14695981039346656037u;
    for (const char character : text) hash = (hash ^ static_cast<unsigned char>(character)) * 1099511628211u;
    return hash;
}

std::string hostName() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

/// The rights that the process removes from each new file. Reads the umask without changing it where the system allows, because other
/// threads make files too.
mode_t umaskOfProcess() {
    if (const std::optional<mode_t> known = platform::umaskOfProcess()) return *known;
    const mode_t mask = ::umask(077);
    ::umask(mask);
    return mask;
}

}    // namespace

ReplacementFile::ReplacementFile(const PathName& path, Flush flush, Unopened) : path_(path), flush_(flush) {}

// After the delegated constructor, the destructor runs even if this constructor throws.
ReplacementFile::ReplacementFile(const PathName& path, Flush flush) : ReplacementFile(path, flush, Unopened()) {
    openFolder();
    removeLeftovers();
    create();
}

ReplacementFile::~ReplacementFile() {
    if (!ownName_.empty()) Disk::ofThisThread().remove(folder_.number(), ownName_.c_str());
}

void ReplacementFile::openFolder() {
    const FilePlace place = FilePlace::of(path());
    if (place.kind == FilePlace::Kind::Folder || place.kind == FilePlace::Kind::Stream)
        throw FileError::ofOtherKind(FileProblem::CannotWrite, path_, place.kind == FilePlace::Kind::Folder);
    fileName_ = place.target.filename().native();
    if (fileName_.empty()) throw FileError(FileProblem::CannotWrite, path_, "expected the name of a file, found none", FileError::NoChunk);
    prefix_ = fmt::format(".ferry-{:016x}-", hashOf(hostName() + '/' + fileName_));
    const std::string folder = place.target.has_parent_path() ? place.target.parent_path().native() : ".";
    folder_ = FileDescriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder_.isOpen() && errno == EACCES)    // files can be made in a folder that cannot be listed
        folder_ = FileDescriptor(platform::openFolderOfHiddenFiles(folder.c_str()));
    if (!folder_.isOpen()) fail("opening the folder");
}

/// Removes files of killed writers, whose locks are free. A shared lock is enough to test this, and NFS grants it to readers too.
void ReplacementFile::removeLeftovers() const {
    const int again = ::openat(folder_.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const std::unique_ptr<DIR, CloseFolder> entries(again >= 0 ? ::fdopendir(again) : nullptr);
    if (entries == nullptr) {
        if (again >= 0) ::close(again);
        return;
    }
    while (const dirent* entry = ::readdir(entries.get())) {
        if (!std::string_view(entry->d_name).starts_with(prefix_)) continue;
        const FileDescriptor file(::openat(folder_.number(), entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        if (file.isOpen() && ::flock(file.number(), LOCK_SH | LOCK_NB) == 0) ::unlinkat(folder_.number(), entry->d_name, 0);
    }
}

void ReplacementFile::create() {
    constexpr int MostTries = 100;
    std::random_device random;
    for (int i = 0; i < MostTries; ++i) {
        const std::uint64_t number = std::uint64_t{random()} << 32 | random();
        std::string name = fmt::format("{}{:016x}", prefix_, number);
        FileDescriptor file(::openat(folder_.number(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
        if (!file.isOpen()) {
            if (errno == EEXIST) continue;
            fail("making a file in the folder");
        }
        ownName_ = std::move(name);
        file_ = std::move(file);
        if (lockNew()) return;
        ::unlinkat(folder_.number(), ownName_.c_str(), 0);
        ownName_.clear();
    }
    throw FileError(FileProblem::CannotWrite, path_,
                    fmt::format("expected a new file beside it that nobody else opens, found none in {} tries", MostTries),
                    FileError::NoChunk);
}

/// Locks the new file. Returns false if another process took the file for a leftover before it was locked. Never waits, because the holder
/// of the lock may keep it.
bool ReplacementFile::lockNew() {
    // On a file system without locks, no process takes the file for a leftover.
    if (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
    struct stat status {};
    if (::fstat(file_.number(), &status) != 0 || status.st_nlink == 0) return false;
    firstRights_ = status.st_mode & 0777;
    return true;
}

/// The new file has the rights of the old one. Where the old file belongs to another user, the process's own mask holds too: that user may
/// have chosen the rights to read the new contents. If the group changes and cannot be restored, the group gets only the rights of others:
/// the owner chose the group's rights for another group.
void ReplacementFile::giveRights() const {
    struct stat old {};
    struct stat own {};
    mode_t rights = 0;
    if (::fstatat(folder_.number(), fileName_.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(old.st_mode)) {
        rights = old.st_mode & 0777;
        if (old.st_uid != ::geteuid()) rights &= ~umaskOfProcess();
        if (::fstat(file_.number(), &own) != 0) fail("asking for the rights");
        if (own.st_gid != old.st_gid && ::fchown(file_.number(), static_cast<uid_t>(-1), old.st_gid) != 0)
            rights &= 0707 | (rights & 07) << 3;
    } else {
        rights = 0666 & ~umaskOfProcess();
    }
    if (rights == firstRights_ || ::fchmod(file_.number(), rights) == 0) return;
    if (firstRights_ == 0600) fail("setting the permissions");    // otherwise the file system has no rights
}

void ReplacementFile::write(std::span<const IntBuffer::Segment> pieces) {
    if constexpr (isBigEndian) {
        for (const IntBuffer::Segment& piece : pieces) writeSwapped(piece);
        return;
    }
    constexpr std::size_t MostVectors = 64;
    std::array<iovec, MostVectors> vectors;
    while (!pieces.empty()) {
        const std::size_t count = std::min(pieces.size(), MostVectors);
        for (std::size_t i = 0; i < count; ++i)
            vectors[i] = {const_cast<std::byte*>(pieces[i].bytes), pieces[i].intCount * sizeof(std::int32_t)};
        writeVectors(vectors.data(), vectors.data() + count);
        pieces = pieces.subspan(count);
    }
}

/// Writes ints whose bytes are not in the order of a file.
void ReplacementFile::writeSwapped(const IntBuffer::Segment& piece) {
    std::array<std::int32_t, 4096> block;
    for (std::size_t done = 0; done < piece.intCount;) {
        const std::size_t count = std::min(piece.intCount - done, block.size());
        std::memcpy(block.data(), piece.bytes + done * sizeof(std::int32_t), count * sizeof(std::int32_t));
        for (std::size_t i = 0; i < count; ++i) block[i] = inFileOrder(block[i]);
        iovec vector{block.data(), count * sizeof(std::int32_t)};
        writeVectors(&vector, &vector + 1);
        done += count;
    }
}

void ReplacementFile::writeVectors(iovec* next, const iovec* end) {
    QuietSignals quiet;
    std::size_t bytesLeft = 0;
    for (const iovec* vector = next; vector != end; ++vector) bytesLeft += vector->iov_len;
    while (bytesLeft != 0) {
        const ssize_t written = Disk::ofThisThread().write(file_.number(), next, static_cast<int>(end - next));
        if (written < 0) {
            if (errno == EINTR) continue;
            quiet.noteError(errno);
            fail("writing");
        }
        auto taken = static_cast<std::size_t>(written);
        startFlushing(taken);
        bytesLeft -= taken;
        for (; next != end && taken >= next->iov_len; ++next) taken -= next->iov_len;
        if (next != end) {
            next->iov_base = static_cast<std::byte*>(next->iov_base) + taken;
            next->iov_len -= taken;
        }
    }
}

/// Starts writing to the disk while more data is prepared, so that the final flush takes less time. If this is not possible, the final
/// flush takes longer.
void ReplacementFile::startFlushing(std::size_t writtenBytes) {
    constexpr std::uint64_t Step = 4 << 20;
    writtenBytes_ += writtenBytes;
    if (flush_ == Flush::ToSystem) return;
    if (writtenBytes_ - flushingBytes_ < Step) return;
    platform::startFlushing(file_.number(), flushingBytes_, writtenBytes_ - flushingBytes_);
    flushingBytes_ = writtenBytes_;
}

void ReplacementFile::write(std::span<const std::int32_t> ints) {
    const IntBuffer::Segment piece{reinterpret_cast<const std::byte*>(ints.data()), ints.size(), true};
    write(std::span(&piece, 1));
}

void ReplacementFile::write(std::string_view text) {
    iovec piece{const_cast<char*>(text.data()), text.size()};
    writeVectors(&piece, &piece + 1);
}

void ReplacementFile::commit() {
    finish();
    if (Disk::ofThisThread().rename(folder_.number(), ownName_.c_str(), fileName_.c_str()) != 0) fail("renaming the new file");
    ownName_.clear();
    flushFolder();
}

bool ReplacementFile::commitIfNoneIsThere() {
    finish();
    if (Disk::ofThisThread().link(folder_.number(), ownName_.c_str(), fileName_.c_str()) != 0) {
        if (errno == EEXIST) return false;
        // Some file systems do not support a second name for a file.
        if (::faccessat(folder_.number(), fileName_.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0) return false;
        commit();
        return true;
    }
    Disk::ofThisThread().remove(folder_.number(), ownName_.c_str());
    ownName_.clear();
    flushFolder();
    return true;
}

/// To be called when all bytes are written: sets the rights, and collects errors that file systems report late.
void ReplacementFile::finish() const {
    giveRights();
    if (flush_ == Flush::ToSystem) {
        const int again = ::fcntl(file_.number(), F_DUPFD_CLOEXEC, 0);    // closing a file flushes it to a file server
        if (again >= 0 && ::close(again) != 0 && errno != EINTR) fail("closing");
        return;
    }
    while (Disk::ofThisThread().flush(file_.number()) != 0) {
        if (errno != EINTR) fail("flushing");
    }
}

void ReplacementFile::flushFolder() const {
    if (flush_ == Flush::ToSystem) return;
    // Some file systems cannot flush a folder and do not need it. A folder that cannot be listed (EBADF) cannot be flushed.
    if (Disk::ofThisThread().flush(folder_.number()) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EBADF)
        fail("flushing the folder");
}

void ReplacementFile::fail(const char* action) const { throw FileError::ofSystem(FileProblem::CannotWrite, path_, action, errno); }

}    // namespace ferry::detail
