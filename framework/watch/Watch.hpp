#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include <ferry/framework/watch/LossQueue.hpp>
#include <ferry/framework/watch/WatchAddress.hpp>
#include <ferry/framework/watch/WatchSettings.hpp>
#include <ferry/serialization/checkpoint/FileDescriptor.hpp>

namespace ferry {

/// A slave's side of a watch: shows the master that this process lives, and notices the loss of the master.
///
/// Threads: the object has its own thread, which runs while a handler computes; the other functions belong to the slave's thread.
/// Errors: std::system_error when the master cannot be reached.
class Watch {
public:
    /// Handlers of events that the watch cannot tell the rank's own thread, which may never ask again.
    struct Ends {
        std::function<void(const std::string&)> onEarlyLoss;    ///< loss of the master before endStart(); must not return
        std::function<void()> onGivenUp;                        ///< the master has given up this rank; must not return
    };

    Watch(const WatchAddress& address, int rank, const WatchSettings& settings, Ends ends);
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch();

    /// The source of the loss of the master.
    LossSource& losses() noexcept { return losses_; }

    /// Ends the start: all ranks are connected. From now on losses() tells the loss of the master.
    void endStart() noexcept { isStarting_ = false; }

    /// Ends the watch when the job is over: the end of this process is then no loss. When the call returns, the master is told if it is
    /// connected.
    void sayGoodbye() noexcept;

private:
    void run();
    bool isMasterThere();
    void loseMaster();

    const WatchSettings settings_;
    const Ends ends_;
    FileDescriptor connection_;
    FileDescriptor bell_;
    LossQueue losses_;
    std::atomic<bool> isStarting_{true};
    std::atomic<bool> isOver_{false};
    bool hasMasterSaidGoodbye_ = false;
    std::thread thread_;
};

}    // namespace ferry
