#include <ferry/connector/transport/ThreadTransport.hpp>

#include <unistd.h>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/transport/ThreadArrays.hpp>
#include <ferry/connector/transport/ThreadHostTeam.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

// From this size on, a copy of an array costs more than a rank that wakes another one.
constexpr std::size_t heldBytes = 32 * 1024;

/// The packets that have been sent to one rank, and that the rank has not fetched yet.
class Inbox {
public:
    explicit Inbox(int rankCount) : countsBySender_(static_cast<std::size_t>(rankCount)) {}

    /// Returns false when the rank has gone and the packet was dropped.
    bool put(Packet packet) {
        {
            const std::lock_guard lock(mutex_);
            if (isClosed_) return false;
            const int from = packet.from;
            (packet.channel == Channel::Control ? control_ : data_).push_back(std::move(packet));
            countOf(from).fetch_add(1, std::memory_order_relaxed);    // a packet for which there was no memory is not counted
            arrivals_.fetch_add(1, std::memory_order_release);
        }
        arrived_.notify_one();
        return true;
    }

    /// Returns the oldest control packet, else the oldest data packet.
    std::optional<Packet> take() {
        if (arrivals_.load(std::memory_order_acquire) == 0) return std::nullopt;
        const std::lock_guard lock(mutex_);
        std::deque<Packet>& queue = control_.empty() ? data_ : control_;
        if (queue.empty()) return std::nullopt;
        std::optional<Packet> packet(std::move(queue.front()));
        queue.pop_front();
        countOf(packet->from).fetch_sub(1, std::memory_order_relaxed);
        arrivals_.fetch_sub(1, std::memory_order_relaxed);
        return packet;
    }

    /// Puts back a packet that take() has returned: it comes next again. After a std::bad_alloc the caller still has it.
    void putBack(Packet& packet) {
        const std::lock_guard lock(mutex_);
        const int from = packet.from;
        (packet.channel == Channel::Control ? control_ : data_).push_front(std::move(packet));
        countOf(from).fetch_add(1, std::memory_order_relaxed);
        arrivals_.fetch_add(1, std::memory_order_release);
    }

    void waitForArrival(std::chrono::microseconds atMost) {
        std::unique_lock lock(mutex_);
        arrived_.wait_for(lock, atMost, [this] { return isWoken_ || !control_.empty() || !data_.empty(); });
        isWoken_ = false;
    }

    /// The number of packets of this sender that have not been fetched.
    std::size_t countFrom(int sender) const noexcept {
        return countsBySender_[static_cast<std::size_t>(sender)].load(std::memory_order_relaxed);
    }

    void wake() {
        {
            const std::lock_guard lock(mutex_);
            isWoken_ = true;
        }
        arrived_.notify_one();
    }

    void close() {
        std::deque<Packet> control;    // the packets end without the lock: the end of an array wakes its sender
        std::deque<Packet> data;
        const std::lock_guard lock(mutex_);
        isClosed_ = true;
        control_.swap(control);
        data_.swap(data);
        arrivals_.store(0, std::memory_order_relaxed);
        for (std::atomic<std::size_t>& count : countsBySender_) count.store(0, std::memory_order_relaxed);
    }

private:
    std::atomic<std::size_t>& countOf(int sender) noexcept { return countsBySender_[static_cast<std::size_t>(sender)]; }

    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<Packet> control_;
    std::deque<Packet> data_;
    std::atomic<int> arrivals_{0};
    std::vector<std::atomic<std::size_t>> countsBySender_;    // packets that wait, control packets included
    bool isWoken_ = false;
    bool isClosed_ = false;
};

class ThreadTransport final : public Transport {
public:
    ThreadTransport(int rank, std::shared_ptr<std::deque<Inbox>> inboxes, std::shared_ptr<ThreadHost> host)
        : rank_(rank),
          inboxes_(std::move(inboxes)),
          host_(std::move(host)) {
        setCrowded(inboxes_->size() > std::thread::hardware_concurrency());
    }
    ~ThreadTransport() override { own().close(); }

    int rank() const noexcept override { return rank_; }
    int size() const noexcept override { return static_cast<int>(inboxes_->size()); }

    void startSend(int to, Channel channel, IntBuffer ints) override {
        (*inboxes_)[static_cast<std::size_t>(to)].put(Packet{rank_, channel, std::move(ints)});
    }

    LendingSizes holdsFrom() const noexcept override { return {heldBytes, LendingSizes::never}; }

    void startHeld(int to, IntBuffer ints, std::shared_ptr<const void> holder) override {
        if (to == rank_) return Transport::startHeld(to, std::move(ints), std::move(holder));
        Packet packet{rank_, Channel::Data, IntBuffer()};
        // The sender may rest until its arrays are free. Its inbox outlives the packet, which lies in one of the inboxes or with a rank.
        const auto wakeSender = [inboxes = inboxes_, rank = static_cast<std::size_t>(rank_)] { (*inboxes)[rank].wake(); };
        packet.offered = std::make_unique<ThreadArrays>(std::move(ints), std::move(holder), packet.ints, wakeSender);
        (*inboxes_)[static_cast<std::size_t>(to)].put(std::move(packet));
    }

    /// Copies the arrays, so that their sender has them back though nobody waits for the packet.
    void decline(Packet& packet) override {
        static_cast<const ThreadArrays&>(*packet.offered).copyAll(packet.ints);
        packet.offered.reset();
        own().putBack(packet);
    }

    std::optional<Packet> poll() override { return own().take(); }
    std::size_t pendingSends() const noexcept override { return 0; }
    std::size_t undelivered(int to) const noexcept override { return (*inboxes_)[static_cast<std::size_t>(to)].countFrom(rank_); }
    void idle(std::chrono::microseconds atMost) override { own().waitForArrival(atMost); }
    void wake() noexcept override { own().wake(); }
    void finishTogether() noexcept override {}

    HostTeam* hostTeam(std::size_t memoryBytes) override {
        if (memoryBytes != 0) team_ = std::make_unique<ThreadHostTeam>(rank_, host_, memoryBytes);
        return team_.get();
    }

    [[noreturn]] void abort(int exitStatus) override {
        // Other threads still run: no destructor of static objects may be called under them.
        std::fflush(nullptr);
        _exit(exitStatus);
    }

private:
    Inbox& own() noexcept { return (*inboxes_)[static_cast<std::size_t>(rank_)]; }

    int rank_;
    std::shared_ptr<std::deque<Inbox>> inboxes_;
    std::shared_ptr<ThreadHost> host_;
    std::unique_ptr<ThreadHostTeam> team_;
};

}    // namespace

std::vector<std::unique_ptr<Transport>> threadTransports(int rankCount) {
    if (rankCount <= 0) throw UsageError(fmt::format("a job needs at least one rank, not {}", rankCount));
    const auto inboxes = std::make_shared<std::deque<Inbox>>();
    for (int rank = 0; rank < rankCount; ++rank) inboxes->emplace_back(rankCount);
    const auto host = std::make_shared<ThreadHost>(rankCount);
    std::vector<std::unique_ptr<Transport>> transports;
    for (int rank = 0; rank < rankCount; ++rank) transports.push_back(std::make_unique<ThreadTransport>(rank, inboxes, host));
    return transports;
}

}    // namespace ferry::detail
