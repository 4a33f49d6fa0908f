#pragma once

#include <chrono>
#include <filesystem>

#include <ferry/serialization/checkpoint/FileDescriptor.hpp>

namespace ferry {

/// Keeps a journal for one writer, in a way that no reader of the journal can disturb: by a lock on a file of its own beside the journal
/// (JOURNAL.lock), which only its owner can open. That file goes with the lock; one that a killed job left behind is taken over.
///
/// Errors: JournalError (InUse) when another process has not ended within the patience; FileError (CannotWrite).
class JournalLock {
public:
    /// The path is that for errors, the target what it leads to through symbolic links.
    JournalLock(const std::filesystem::path& path, const std::filesystem::path& target, std::chrono::milliseconds patience);
    ~JournalLock();
    JournalLock(const JournalLock&) = delete;
    JournalLock& operator=(const JournalLock&) = delete;

    /// Locks the opened journal itself too: other paths may lead to it, and its folder may take no other file.
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
    FileDescriptor file_;    // not open: the folder takes no other file
};

}    // namespace ferry
