#include <ferry/framework/journal/JournalLock.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

#include <fmt/format.h>

#include <ferry/framework/exception/JournalError.hpp>
#include <ferry/serialization/file/FileError.hpp>

namespace ferry::detail {

namespace {

/// Whether a process that can write the journal has locked it. A lock of a process that can only read it does not count.
bool isLockedByWriter(int journal) {
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    if (::fcntl(journal, F_OFD_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES)) return false;
    return ::fcntl(journal, F_OFD_GETLK, &whole) == 0 && whole.l_type == F_WRLCK;
}

}    // namespace

JournalLock::JournalLock(const std::filesystem::path& path, const std::filesystem::path& target, std::chrono::milliseconds patience)
    : path_(path),
      lockPath_(target.native() + ".lock"),
      end_(Clock::now() + patience) {
    while (openBeside()) {
        if (::flock(file_.number(), LOCK_EX | LOCK_NB) == 0) {
            if (isStillThere()) return;
        } else if (errno == EWOULDBLOCK) {
            waitForOther();
        } else if (errno != EINTR) {
            fail("locking");
        }
    }
}

JournalLock::~JournalLock() {
    if (file_.isOpen()) ::unlink(lockPath_.c_str());
}

/// Opens the lock file beside the journal. False when the folder takes no other file.
bool JournalLock::openBeside() {
    file_ = FileDescriptor(::open(lockPath_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
    if (file_.isOpen()) return true;
    const int error = errno;
    struct stat status {};
    const bool isThere = ::lstat(lockPath_.c_str(), &status) == 0;
    if (!isThere && (error == EACCES || error == EPERM || error == EROFS || error == ENAMETOOLONG)) return false;
    if (isThere && (error == EACCES || error == EPERM))
        throw JournalError(JournalProblem::InUse, path_,
                           fmt::format("expected a journal that nobody writes, found the lock file {} of another user: remove the lock "
                                       "file if no job of that user has the journal open",
                                       lockPath_.native()));
    errno = error;
    fail("opening");
}

/// Whether the open file still has its name. A writer that ends removes its lock file, which this process may have opened just before.
bool JournalLock::isStillThere() const {
    struct stat own {};
    struct stat named {};
    return ::fstat(file_.number(), &own) == 0 && ::lstat(lockPath_.c_str(), &named) == 0 && own.st_ino == named.st_ino &&
           own.st_dev == named.st_dev;
}

void JournalLock::lockJournal(int journal) const {
    while (isLockedByWriter(journal)) waitForOther();
}

void JournalLock::waitForOther() const {
    constexpr std::chrono::milliseconds pause{10};
    if (Clock::now() >= end_)
        throw JournalError(JournalProblem::InUse, path_,
                           "expected a journal that nobody writes, found a journal that another process has open");
    std::this_thread::sleep_for(pause);
}

void JournalLock::fail(const char* action) const { throw FileError::ofSystem(FileProblem::CannotWrite, path_, action, errno); }

}    // namespace ferry::detail
