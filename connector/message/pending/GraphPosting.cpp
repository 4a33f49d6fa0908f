#include <ferry/connector/message/pending/GraphPosting.hpp>

#include <ferry/connector/exception/Cancelled.hpp>

namespace ferry::detail {

BackgroundWork::Progress GraphPosting::moveOn() noexcept {
    if (isDone_) return Progress::Done;
    const std::lock_guard lock(mutex_);
    if (isDropped_) {
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
    const std::lock_guard lock(mutex_);
    isDropped_ = true;
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
