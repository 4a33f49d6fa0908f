#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <ferry/framework/watch/LossQueue.hpp>
#include <ferry/framework/watch/Succession.hpp>
#include <ferry/framework/watch/WatchAddress.hpp>
#include <ferry/framework/watch/WatchSettings.hpp>
#include <ferry/framework/watch/Watcher.hpp>
#include <ferry/serialization/file/FileDescriptor.hpp>

namespace ferry::detail {

/// A slave's side of a watch: shows the master that this process lives, and notices the loss of the master. Where ranks may succeed the
/// master, it then connects to the next rank that lives, or watches the other ranks itself.
///
/// Threads: the object has its own thread, which runs while a handler computes; the other functions belong to the slave's thread.
/// Errors: std::system_error when the master cannot be reached.
class Watch final : private LossSource {
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

    /// The source of the loss of the master; after that of further losses, on the rank that has taken over.
    LossSource& losses() noexcept { return *this; }

    /// Sets the ranks that may succeed the master. To be called before endStart().
    void prepareSuccession(Succession succession) { succession_ = std::move(succession); }
    /// From now on ranks succeed a lost master. Without this call the watch ends with the master.
    void letSucceed() noexcept { succeeds_ = true; }

    /// Ends the start: all ranks are connected. From now on losses() tells the loss of the master.
    void endStart() noexcept { isStarting_ = false; }

    /// Ends the watch when the job is over: the end of this process is then no loss. When the call returns, the master is told if it is
    /// connected.
    void sayGoodbye() noexcept;
    /// Tells the rank that watches this one that exit(status) was called by a thread that is no rank's, so that the job ends with the
    /// status. Returns when the connection has the word, or after a short time. Threads: any.
    void sayExit(int status) noexcept;
    /// Where this rank has taken over: waits until all ranks that it watches have said goodbye, for `limit` at most.
    void awaitGoodbyes(std::chrono::milliseconds limit);

private:
    std::optional<Loss> nextLoss() override;

    void run();
    bool watchMaster();
    std::optional<bool> hearMaster();
    void tellExit() noexcept;
    void loseMaster();
    bool findNextMaster();
    void takeOver();
    void greet(const WatchAddress& address);

    const WatchSettings settings_;
    const Ends ends_;
    FileDescriptor connection_;
    FileDescriptor bell_;
    LossQueue losses_;
    std::atomic<bool> isStarting_{true};
    std::atomic<bool> isOver_{false};
    std::atomic<bool> succeeds_{false};
    std::atomic<int> exitStatus_{-1};    ///< what sayExit() has to tell; -1: nothing
    const int rank_;
    int master_ = 0;    ///< the rank that watches this one
    Succession succession_;
    std::unique_ptr<Watcher> watcher_;            ///< made by the watch's thread when this rank takes over
    std::atomic<Watcher*> takenOver_{nullptr};    ///< the same, for the rank's thread
    std::thread thread_;
};

}    // namespace ferry::detail
