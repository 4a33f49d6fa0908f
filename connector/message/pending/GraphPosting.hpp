#pragma once

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <ferry/connector/message/BackgroundWork.hpp>
#include <ferry/connector/message/GraphLetters.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/pending/Pending.hpp>
#include <ferry/serialization/graph/GraphWriter.hpp>
#include <ferry/serialization/ints/durations.hpp>

namespace ferry::detail {

/// Packs and sends a graph piece by piece, as fast as its receiver takes the pieces in.
///
/// Ownership: borrows the objects of the graph until the posting is done or dropped. Threads: the one thread of its rank; drop() on any
/// thread.
class GraphPosting final : public BackgroundWork {
public:
    template <class T>
    GraphPosting(GraphSender sender, const GraphRoot<T>& graph) : sender_(std::move(sender)),
                                                                  writer_(std::in_place, sender_) {
        writer_->begin(graph);
    }

    Progress moveOn() noexcept override;

    bool isDone() const noexcept { return isDone_; }
    /// The receivers that have pieces to take in, as the text of a wait.
    Awaited awaited() const { return sender_.awaited(); }
    /// Throws the exception that ended the posting before the last piece, if there is one.
    void rethrowFailure() const {
        if (failure_) std::rethrow_exception(failure_);
    }

    /// Cancels the posting: the objects may be destroyed from now on. The receiver is told with the next step. On another thread than the
    /// rank's the call waits until a running step is over, which reads the objects. A function of the user in the step may wait for the
    /// calling thread, so that neither could go on. After a minute the call throws UsageError, which ends the program.
    void drop() noexcept;
    /// Like drop(), with another limit. False: the step is not over.
    bool drop(std::chrono::milliseconds longestWait);

private:
    Progress step() noexcept;
    void fail(const std::exception_ptr& reason) noexcept;

    GraphSender sender_;
    std::optional<GraphWriter> writer_;    // empty when the posting is done: objects with a mark are free for another graph then
    std::exception_ptr failure_;
    bool hasBegun_ = false;
    bool isDone_ = false;
    std::mutex mutex_;    ///< for the members below; not locked while functions of the user run
    std::condition_variable over_;
    bool isDropped_ = false;
    std::thread::id stepsOn_{};    ///< the thread that makes a step; none: no step is being made
};

class PostedGraph final : public PendingOperation<void> {
public:
    PostedGraph(Mailbox& mailbox, std::shared_ptr<GraphPosting> posting) noexcept
        : PendingOperation<void>(mailbox),
          mailbox_(mailbox),
          posting_(std::move(posting)) {}

    bool isReady() override {
        mailbox_.poll();
        return isReadyNow();
    }
    bool isReadyNow() override { return posting_->isDone(); }
    void await() override {
        mailbox_.waitUntil([this] { return posting_->isDone(); }, [this] { return posting_->awaited(); });
    }
    void get() override {
        await();
        wasTaken_ = true;
        posting_->rethrowFailure();
    }
    bool hasFailed() const override { return wasTaken_; }
    Mailbox* mailbox() noexcept override { return &mailbox_; }
    void cancel() noexcept override { posting_->drop(); }

private:
    Mailbox& mailbox_;
    std::shared_ptr<GraphPosting> posting_;
    bool wasTaken_ = false;
};

}    // namespace ferry::detail
