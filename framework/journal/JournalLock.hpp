#pragma once

#include <chrono>
#include <filesystem>

#include <ferry/serialization/file/FileDescriptor.hpp>

namespace ferry::detail {

/// Keeps a journal for one writer, so that no reader of the journal can disturb it. It locks a file beside the journal (JOURNAL.lock),
/// which only its owner can open. The destructor removes that file. A file that a killed job left behind is taken over.
///
/// Errors: JournalError (InUse) when another process has not ended within the patience; FileError (CannotWrite).
class JournalLock {
public:
    /// path: the name in errors. target: the file that the path leads to through symbolic links.
    JournalLock(const std::filesystem::path& path, const std::filesystem::path& target, std::chrono::milliseconds patience);
    ~JournalLock();
    JournalLock(const JournalLock&) = delete;
    JournalLock& operator=(const JournalLock&) = delete;

    /// Locks the open journal itself too: other paths may lead to it, and its folder may take no lock file.
    void lockJournal(int journal) const;

private:
    using Clock = std::chrono::steady_clock;

    bool openBeside();
    bool isStillThere() const;
    void waitForOther() const;
    [[noreturn]] void fail(const char* action) const;

    std::filesystem::path path_;
    std::filesystem::path lockPath_;
    Clock::time_point end_;
    FileDescriptor file_;    // not open when the folder takes no other file
};

}    // namespace ferry::detail
