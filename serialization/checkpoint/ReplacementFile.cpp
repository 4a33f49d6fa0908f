#include <ferry/serialization/checkpoint/ReplacementFile.hpp>

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
#include <memory>
#include <random>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include <ferry/serialization/checkpoint/FileError.hpp>

namespace ferry {

namespace {

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

/// FNV-1a with 64 bits.
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

/// Whether the file still has a name: a writer for the same path may have taken it for a leftover before it was locked.
bool hasName(int file) {
    struct stat status {};
    return ::fstat(file, &status) == 0 && status.st_nlink != 0;
}

/// What a symbolic link leads to, whether it exists or not.
std::filesystem::path behindLinks(std::filesystem::path path) {
    constexpr int MostLinks = 40;
    std::error_code error;
    for (int i = 0; i < MostLinks && std::filesystem::is_symlink(path, error); ++i)
        path = path.parent_path() / std::filesystem::read_symlink(path, error);
    return path;
}

}    // namespace

ReplacementFile::ReplacementFile(const std::filesystem::path& path, Unopened) : path_(path) {}

// From here on the destructor runs, also when this constructor throws.
ReplacementFile::ReplacementFile(const std::filesystem::path& path) : ReplacementFile(path, Unopened()) {
    openFolder();
    removeLeftovers();
    create();
    takePermissions();
}

ReplacementFile::~ReplacementFile() {
    if (!ownName_.empty()) ::unlinkat(folder_.number(), ownName_.c_str(), 0);
}

void ReplacementFile::openFolder() {
    FileError::requireName(FileProblem::CannotWrite, path_);
    std::error_code error;
    const std::filesystem::path target = behindLinks(path_);
    const std::filesystem::file_status status = std::filesystem::status(target, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        throw FileError::ofOtherKind(FileProblem::CannotWrite, path_, std::filesystem::is_directory(status));
    fileName_ = target.filename().native();
    if (fileName_.empty()) throw FileError(FileProblem::CannotWrite, path_, "expected the name of a file, found none", FileError::NoChunk);
    prefix_ = fmt::format(".ferry-{:016x}-", hashOf(hostName() + '/' + fileName_));
    const std::string folder = target.has_parent_path() ? target.parent_path().native() : ".";
    folder_ = FileDescriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder_.isOpen()) fail("opening the folder");
}

/// Of writers that were killed: nobody holds their locks any more.
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
        if (file.isOpen() && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0) ::unlinkat(folder_.number(), entry->d_name, 0);
    }
}

void ReplacementFile::create() {
    std::random_device random;
    do {
        const std::uint64_t number = std::uint64_t{random()} << 32 | random();
        std::string name = fmt::format("{}{:016x}", prefix_, number);
        FileDescriptor file(::openat(folder_.number(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
        if (!file.isOpen()) {
            if (errno == EEXIST) continue;
            fail("making a file in the folder");
        }
        ownName_ = std::move(name);
        file_ = std::move(file);
        while (::flock(file_.number(), LOCK_EX) != 0 && errno == EINTR) {
        }    // where there are no locks, nobody takes it for a leftover either
    } while (!file_.isOpen() || !hasName(file_.number()));
}

void ReplacementFile::takePermissions() const {
    struct stat old {};
    if (::fstatat(folder_.number(), fileName_.c_str(), &old, 0) == 0 && ::fchmod(file_.number(), old.st_mode & 0777) != 0)
        fail("setting the permissions");
}

void ReplacementFile::write(std::span<const IntBuffer::Segment> pieces) {
    constexpr std::size_t MostVectors = 64;
    std::array<iovec, MostVectors> vectors;
    while (!pieces.empty()) {
        const std::size_t count = std::min(pieces.size(), MostVectors);
        std::size_t bytesLeft = 0;
        for (std::size_t i = 0; i < count; ++i) {
            vectors[i] = {const_cast<std::byte*>(pieces[i].bytes), pieces[i].intCount * sizeof(std::int32_t)};
            bytesLeft += vectors[i].iov_len;
        }
        iovec* next = vectors.data();
        iovec* const end = next + count;
        while (bytesLeft != 0) {
            const ssize_t written = ::writev(file_.number(), next, static_cast<int>(end - next));
            if (written < 0) {
                if (errno == EINTR) continue;
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
        pieces = pieces.subspan(count);
    }
}

/// Lets the disk work while more is packed: the flush at the end then waits less. Where that is not possible, it waits longer.
void ReplacementFile::startFlushing(std::size_t writtenBytes) {
    constexpr std::uint64_t Step = 4 << 20;
    writtenBytes_ += writtenBytes;
    if (writtenBytes_ - flushingBytes_ < Step) return;
    ::sync_file_range(file_.number(), static_cast<off64_t>(flushingBytes_), static_cast<off64_t>(writtenBytes_ - flushingBytes_),
                      SYNC_FILE_RANGE_WRITE);
    flushingBytes_ = writtenBytes_;
}

void ReplacementFile::write(std::span<const std::int32_t> ints) {
    const IntBuffer::Segment piece{reinterpret_cast<const std::byte*>(ints.data()), ints.size(), true};
    write(std::span(&piece, 1));
}

void ReplacementFile::commit() {
    while (::fsync(file_.number()) != 0) {
        if (errno != EINTR) fail("flushing");
    }
    if (::renameat(folder_.number(), ownName_.c_str(), folder_.number(), fileName_.c_str()) != 0) fail("renaming the new file");
    ownName_.clear();
    // Some file systems cannot flush a folder, and have no need of it.
    if (::fsync(folder_.number()) != 0 && errno != EINVAL && errno != ENOTSUP) fail("flushing the folder");
}

void ReplacementFile::fail(const char* action) const { throw FileError::ofSystem(FileProblem::CannotWrite, path_, action, errno); }

}    // namespace ferry
