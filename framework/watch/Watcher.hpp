#pragma once

#include <poll.h>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <ferry/framework/watch/LossQueue.hpp>
#include <ferry/framework/watch/WatchAddress.hpp>
#include <ferry/framework/watch/WatchSettings.hpp>
#include <ferry/framework/watch/WatchedLink.hpp>

namespace ferry {

/// The master's side of a watch: knows of each slave whether it lives, by a connection that the slave keeps open and by signs of life.
///
/// Threads: has one of its own; the other functions on the master's. Errors: std::system_error where the system gives no sockets.
class Watcher {
public:
    /// Ranks 1 to rankCount - 1 are the slaves. Until endStart(), a loss is told to onEarlyLoss on the watcher's own thread, since the
    /// master may be in a call that cannot end any more; so is a slave that does not connect. It must not return.
    Watcher(int rankCount, const WatchSettings& settings, std::function<void(const std::string&)> onEarlyLoss);
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;
    ~Watcher();

    /// What the slaves need to know.
    WatchAddress address() const;

    /// Where losses come from.
    LossSource& losses() noexcept { return losses_; }

    /// All ranks are there: from now on losses are told by losses().
    void endStart();

    /// So many slaves more are going to connect, with the next ranks and another address(); until endStart(), their losses are told to
    /// onEarlyLoss. All others are there.
    void expect(int count);
    /// They are not, after all.
    void expectNoMore(int count);

    /// The job is over: nothing is a loss any more. Tells the slaves.
    void sayGoodbye() noexcept;
    /// Waits until all slaves that are not lost have said goodbye, and no longer than that.
    void awaitGoodbyes(std::chrono::milliseconds limit);

private:
    using TimePoint = SilenceJudge::TimePoint;

    /// Whom it waits for, and who they are.
    struct Roster {
        int rankCount = 0;
        int startingFrom = 0;    ///< ranks from this one on are on their way into the job
        TimePoint begin{};       ///< of their start
    };
    /// Somebody who has not said who he is.
    struct Stranger {
        FileDescriptor connection;
        TimePoint since{};
        std::vector<std::byte> received{};
    };

    void run();
    std::vector<pollfd> waitedFor() const;
    void acceptAll();
    std::size_t missingCount() const;
    void hearStrangers();
    bool hear(Stranger& stranger);
    void hearLinks();
    void judgeLinks(TimePoint now);
    void lose(const Loss& loss);
    void requireAllConnected(TimePoint now);
    void countOpen();
    Roster roster() const;
    void takeListener();
    bool isConnected(int rank) const;

    const WatchSettings settings_;
    const std::function<void(const std::string&)> onEarlyLoss_;
    const WatchSecret secret_;
    const std::uint64_t host_;
    std::uint16_t port_ = 0;    ///< for the master's thread
    FileDescriptor listener_;
    FileDescriptor bell_;
    LossQueue losses_;
    std::list<Stranger> strangers_;
    std::list<WatchedLink> links_;
    std::atomic<bool> isOver_{false};      ///< the job
    std::atomic<bool> isEnding_{false};    ///< the watcher
    bool hasSaidGoodbye_ = false;
    mutable std::mutex mutex_;
    std::condition_variable isAnyGone_;
    // Guarded by the mutex.
    Roster roster_;
    FileDescriptor nextListener_;    ///< open: for those who are expected now
    std::size_t openCount_ = 0;      ///< links that are neither lost nor gone
    std::thread thread_;
};

}    // namespace ferry
