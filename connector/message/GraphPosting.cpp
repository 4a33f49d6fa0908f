#include <ferry/connector/message/GraphPosting.hpp>

#include <ferry/connector/exception/Cancelled.hpp>

namespace ferry {

BackgroundWork::Progress GraphPosting::moveOn() noexcept {
    if (isDone_) return Progress::Done;
    if (isDropped_) {
        fail(std::make_exception_ptr(Cancelled("a graph was dropped by its sender before all of it was packed")));
    } else if (!sender_.hasRoom()) {
        return Progress::Waiting;
    } else {
        try {
            writer_.writePiece();
            isDone_ = writer_.isComplete();
        } catch (...) {
            fail(std::current_exception());
        }
    }
    return isDone_ ? Progress::Done : Progress::Moved;
}

void GraphPosting::fail(const std::exception_ptr& reason) noexcept {
    isDone_ = true;
    failure_ = reason;
    try {
        sender_.giveUp(reason);
    } catch (...) {
        failure_ = std::current_exception();    // the connector itself fails: its next call says so too
    }
}

}    // namespace ferry
