#include <ferry/connector/message/pending/GraphPosting.hpp>

#include <chrono>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

// A step writes a piece of 256 KiB, and so one object at least. A thread that drops the posting waits no longer for it.
constexpr std::chrono::seconds longestStep{60};

[[noreturn]] void failOfLongStep() {
    throw UsageError(
        "a Pending of a posted graph was destroyed on another thread while a function wrote the graph, and the function has not returned "
        "for a minute: a function that writes must not wait for the thread that destroys the Pending");
}

}    // namespace

BackgroundWork::Progress GraphPosting::moveOn() noexcept {
    if (isDone_) return Progress::Done;
    {
        const std::lock_guard lock(mutex_);
        if (!isDropped_) stepsOn_ = std::this_thread::get_id();
    }
    const Progress progress = step();
    const std::lock_guard lock(mutex_);
    stepsOn_ = {};
    over_.notify_all();
    return progress;
}

/// A step. A drop that comes after its beginning counts in the next one.
BackgroundWork::Progress GraphPosting::step() noexcept {
    if (stepsOn_ == std::thread::id()) {
        fail(std::make_exception_ptr(Cancelled("a graph was dropped by its sender before all of it was packed")));
    } else if (hasBegun_ && !sender_.hasRoom()) {
        return Progress::Waiting;
    } else {
        hasBegun_ = true;    // the first piece goes at once: it fixes the graph's place among all letters of this rank
        try {
            writer_->writePiece();
            isDone_ = writer_->isComplete();
            if (isDone_) writer_.reset();
        } catch (...) {
            fail(std::current_exception());
        }
    }
    return isDone_ ? Progress::Done : Progress::Moved;
}

void GraphPosting::drop() noexcept {
    if (!drop(longestStep)) failOfLongStep();
}

bool GraphPosting::drop(std::chrono::milliseconds longestWait) {
    std::unique_lock lock(mutex_);
    isDropped_ = true;
    const auto isOver = [this] { return stepsOn_ == std::thread::id() || stepsOn_ == std::this_thread::get_id(); };
    return over_.wait_for(lock, longestWait, isOver);
}

void GraphPosting::fail(const std::exception_ptr& reason) noexcept {
    isDone_ = true;
    writer_.reset();
    failure_ = reason;
    try {
        sender_.giveUp(reason);
    } catch (...) {
        failure_ = std::current_exception();    // the connector itself has failed: its next call throws this, too
    }
}

}    // namespace ferry::detail
