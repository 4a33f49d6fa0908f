#include <ferry/serialization/file/Disk.hpp>

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <utility>

#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

namespace {

thread_local Disk* diskOfThread = nullptr;    // null: that of the operating system

}    // namespace

Disk::~Disk() = default;

ssize_t Disk::write(int file, const iovec* pieces, int count) { return ::writev(file, pieces, count); }

ssize_t Disk::writeAt(int file, std::span<const std::byte> bytes, off_t offset) {
    return ::pwrite(file, bytes.data(), bytes.size(), offset);
}

ssize_t Disk::read(int file, std::span<std::byte> bytes) { return ::read(file, bytes.data(), bytes.size()); }

ssize_t Disk::readAt(int file, std::span<std::byte> bytes, off_t offset) { return ::pread(file, bytes.data(), bytes.size(), offset); }

int Disk::cut(int file, off_t length) { return ::ftruncate(file, length); }

int Disk::flush(int file) { return platform::flush(file); }

int Disk::flushData(int file) { return platform::flushData(file); }

int Disk::rename(int folder, const char* from, const char* to) { return ::renameat(folder, from, folder, to); }

int Disk::link(int folder, const char* from, const char* to) { return ::linkat(folder, from, folder, to, 0); }

int Disk::remove(int folder, const char* name) { return ::unlinkat(folder, name, 0); }

Disk& Disk::ofThisThread() noexcept {
    // Never destroyed: exit() may write a report while static objects end.
    static Disk& system = *new Disk;
    return diskOfThread != nullptr ? *diskOfThread : system;
}

DiskScope::DiskScope(Disk& disk) noexcept : before_(std::exchange(diskOfThread, &disk)) {}

DiskScope::~DiskScope() { diskOfThread = before_; }

}    // namespace ferry::detail
