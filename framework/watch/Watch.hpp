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

/// A slave's side of a watch: shows the master that this process lives, and notices when the master does not.
///
/// Threads: has one of its own, which goes on while a handler computes; the other functions on the slave's. Errors: std::system_error when
/// the master cannot be reached.
class Watch {
public:
    /// What the watch cannot tell the rank's own thread, as that may never ask again.
    struct Ends {
        std::function<void(const std::string&)> onEarlyLoss;    ///< of the master, before endStart(); must not return
        std::function<void()> onGivenUp;                        ///< the master has given this rank up; must not return
    };

    Watch(const WatchAddress& address, int rank, const WatchSettings& settings, Ends ends);
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch();

    /// Where the loss of the master comes from.
    LossSource& losses() noexcept { return losses_; }

    /// All ranks are there: from now on the loss of the master is told by losses().
    void endStart() noexcept { isStarting_ = false; }

    /// The job is over: that this process goes is no loss. When it returns the master is told, if it is there.
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
