#pragma once

#include <sys/types.h>

#include <cstddef>
#include <span>

struct iovec;

namespace ferry::detail {

/// The calls by which the journal, checkpoints, reports and replaced files reach their bytes. A test puts a simulated disk in their place.
///
/// Each call does what the call of the operating system in its comment does, with the same results and errno.
/// Threads: any.
class Disk {
public:
    Disk() = default;
    Disk(const Disk&) = delete;
    Disk& operator=(const Disk&) = delete;
    virtual ~Disk();

    virtual ssize_t write(int file, const iovec* pieces, int count);                      ///< writev
    virtual ssize_t writeAt(int file, std::span<const std::byte> bytes, off_t offset);    ///< pwrite
    virtual ssize_t read(int file, std::span<std::byte> bytes);                           ///< read
    virtual ssize_t readAt(int file, std::span<std::byte> bytes, off_t offset);           ///< pread
    virtual int cut(int file, off_t length);                                              ///< ftruncate
    virtual int flush(int file);                                                          ///< fsync
    virtual int flushData(int file);                                                      ///< fdatasync
    virtual int rename(int folder, const char* from, const char* to);                     ///< renameat within one folder
    virtual int link(int folder, const char* from, const char* to);                       ///< linkat within one folder
    virtual int remove(int folder, const char* name);                                     ///< unlinkat

    /// The disk of this thread: that of the operating system, unless a scope has put another one there.
    static Disk& ofThisThread() noexcept;
};

/// Puts a disk in the place of the operating system's for the calls of this thread, as long as the scope lives.
class DiskScope {
public:
    explicit DiskScope(Disk& disk) noexcept;
    ~DiskScope();
    DiskScope(const DiskScope&) = delete;
    DiskScope& operator=(const DiskScope&) = delete;

private:
    Disk* before_;
};

}    // namespace ferry::detail
