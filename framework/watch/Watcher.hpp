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
#include <ferry/framework/watch/Succession.hpp>
#include <ferry/framework/watch/WatchAddress.hpp>
#include <ferry/framework/watch/WatchSettings.hpp>
#include <ferry/framework/watch/WatchedLink.hpp>

namespace ferry::detail {

/// The master's side of a watch. It knows of each slave whether it lives: by a connection that the slave keeps open, and by signs of life.
///
/// Threads: the object has its own thread; the other functions belong to the master's thread. Errors: std::system_error where the system
/// gives no sockets.
class Watcher {
public:
    /// Limit of addresses of this host that others are told.
    static constexpr std::size_t mostAddresses = 32;

    /// Ranks 1 to rankCount - 1 are the slaves. Until endStart(), onEarlyLoss gets each loss, also that of a slave that does not connect.
    /// It runs on the watcher's own thread, since the master may be in a call that cannot end any more. It must not return.
    Watcher(int rankCount, const WatchSettings& settings, std::function<void(const std::string&)> onEarlyLoss);
    /// On a rank that succeeds the master: the ranks after it are watched. A rank that does not connect in time is lost.
    Watcher(Succession succession, int rank, const WatchSettings& settings);
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;
    ~Watcher();

    /// The address that the slaves need.
    WatchAddress address() const;

    /// The source of losses.
    LossSource& losses() noexcept { return losses_; }

    /// Ends the start: all ranks are connected. From now on losses() tells the losses.
    void endStart();

    /// Expects `count` more slaves, which connect with the next ranks and a new address(). Until endStart(), onEarlyLoss gets their losses.
    /// All earlier ranks must be connected.
    void expect(int count);
    /// Cancels expect(): the slaves do not come.
    void expectNoMore(int count);

    /// Gives up a slave that lives: it is lost for the reason, and its process ends. Does nothing when the slave is lost or gone already.
    void giveUp(const Loss& loss);

    /// Ends the watch when the job is over: later disconnections are no losses. Tells the slaves.
    void sayGoodbye() noexcept;
    /// Waits until all slaves that are not lost have said goodbye, for `limit` at most.
    void awaitGoodbyes(std::chrono::milliseconds limit);

private:
    using TimePoint = SilenceJudge::TimePoint;

    /// The ranks that the watcher expects.
    struct Roster {
        int rankCount = 0;
        int startingFrom = 0;    ///< ranks from this one on are still starting
        TimePoint begin{};       ///< time at which they started
    };
    /// A connection whose other end has not sent its hello.
    struct Stranger {
        FileDescriptor connection;
        TimePoint since{};
        std::vector<std::byte> received{};
    };

    void run();
    std::vector<pollfd> waitedFor() const;
    void acceptAll();
    void makeRoom(std::size_t most);
    std::size_t missingCount() const;
    void hearStrangers();
    bool hear(Stranger& stranger);
    void hearLinks();
    void judgeLinks(TimePoint now);
    void giveUpLinks();
    void lose(const Loss& loss);
    void requireAllConnected(TimePoint now);
    void loseMissing(const std::vector<int>& missing);
    void countOpen();
    Roster roster() const;
    void takeListener();
    bool isConnected(int rank) const;

    const WatchSettings settings_;
    const std::function<void(const std::string&)> onEarlyLoss_;
    const WatchSecret secret_;
    const std::uint64_t host_;
    const int firstRank_;            ///< the lowest rank that is watched
    std::size_t missingLost_ = 0;    ///< number of ranks that are lost since they have not connected
    std::uint16_t port_ = 0;         ///< for the master's thread
    FileDescriptor listener_;
    TimePoint listenAgainAt_{};    ///< later than now while the process has no descriptor for a connection
    FileDescriptor bell_;
    LossQueue losses_;
    std::list<Stranger> strangers_;
    std::list<WatchedLink> links_;
    std::atomic<bool> isOver_{false};      ///< the job is over
    std::atomic<bool> isEnding_{false};    ///< the watcher ends
    bool hasSaidGoodbye_ = false;
    mutable std::mutex mutex_;
    std::condition_variable isAnyGone_;
    // Guarded by the mutex.
    Roster roster_;
    std::vector<Loss> givenUp_;      ///< slaves that giveUp() has named, until the watcher's thread loses them
    FileDescriptor nextListener_;    ///< open: listener for the slaves that are expected now
    std::size_t openCount_ = 0;      ///< number of links that are neither lost nor gone in order
    std::thread thread_;
};

}    // namespace ferry::detail
