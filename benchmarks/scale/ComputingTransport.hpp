#pragma once

#include <time.h>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include <ferry/connector/transport/Transport.hpp>

namespace benchScale {

/// What a rank has done outside of its transport.
struct Computed {
    std::chrono::nanoseconds time{0};
    std::size_t packetCount = 0;    ///< sent and taken
};

/// Between a rank of a simulation and its transport: what the rank computes, by the clock of its thread, takes simulated time too. What the
/// simulation computes in the calls of the transport takes none, and neither does the reading of the clock.
///
/// Time passes in steps of `grain`, since each step is a change of threads. Ownership: the counts must outlive the transport.
class ComputingTransport final : public ferry::Transport {
public:
    ComputingTransport(std::unique_ptr<ferry::Transport> inner, Computed& computed)
        : inner_(std::move(inner)),
          computed_(computed),
          readingTime_(measureReading()),
          left_(threadTime()) {}

    int rank() const noexcept override { return inner_->rank(); }
    int size() const noexcept override { return inner_->size(); }
    void startSend(int to, ferry::Channel channel, ferry::IntBuffer ints) override {
        const Call call(*this);
        ++computed_.packetCount;
        passIfDue(grain);
        inner_->startSend(to, channel, std::move(ints));
    }
    std::optional<ferry::Packet> poll() override {
        const Call call(*this);
        passIfDue(grain);
        std::optional<ferry::Packet> packet;
        if (came_.empty()) {
            packet = inner_->poll();
        } else {
            packet = std::move(came_.front());
            came_.pop_front();
        }
        if (packet) ++computed_.packetCount;
        return packet;
    }
    std::size_t pendingSends() const noexcept override { return inner_->pendingSends(); }
    std::size_t undelivered(int to) const noexcept override { return inner_->undelivered(to); }
    void idle(std::chrono::microseconds atMost) override {
        const Call call(*this);
        passIfDue(std::chrono::microseconds(1));
        if (came_.empty()) inner_->idle(atMost);
    }
    Clock::time_point now() const noexcept override { return inner_->now() + std::chrono::floor<std::chrono::microseconds>(due_); }
    bool hasVirtualTime() const noexcept override { return inner_->hasVirtualTime(); }
    void wake() noexcept override { inner_->wake(); }
    void finishTogether() noexcept override { inner_->finishTogether(); }
    [[noreturn]] void abort(int exitStatus) override {
        inner_->abort(exitStatus);
        std::terminate();    // not reached
    }

private:
    static constexpr std::chrono::microseconds grain{5};

    /// The time since the last call ended was spent computing.
    class Call {
    public:
        explicit Call(ComputingTransport& transport) : transport_(transport) { transport_.noteComputed(); }
        Call(const Call&) = delete;
        Call& operator=(const Call&) = delete;
        ~Call() { transport_.left_ = threadTime(); }

    private:
        ComputingTransport& transport_;
    };

    static std::chrono::nanoseconds threadTime() {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    }

    /// What one reading of the clock after the other shows at least.
    static std::chrono::nanoseconds measureReading() {
        std::chrono::nanoseconds least = std::chrono::seconds(1);
        for (int i = 0; i < 1000; ++i) {
            const std::chrono::nanoseconds before = threadTime();
            least = std::min(least, threadTime() - before);
        }
        return least;
    }

    void noteComputed() {
        const std::chrono::nanoseconds time = std::max(threadTime() - left_ - readingTime_, std::chrono::nanoseconds(0));
        due_ += time;
        computed_.time += time;
    }

    /// Lets the time pass that the rank has computed and not spent yet. What comes meanwhile waits here: nobody rests while a packet is
    /// there for him.
    void passIfDue(std::chrono::nanoseconds least) {
        if (due_ < least) return;
        const auto time = std::chrono::floor<std::chrono::microseconds>(due_);
        const Clock::time_point end = inner_->now() + time;
        while (inner_->now() < end) {
            while (std::optional<ferry::Packet> packet = inner_->poll()) came_.push_back(std::move(*packet));
            inner_->idle(std::chrono::ceil<std::chrono::microseconds>(end - inner_->now()));
        }
        due_ -= time;
    }

    std::unique_ptr<ferry::Transport> inner_;
    Computed& computed_;
    const std::chrono::nanoseconds readingTime_;
    std::chrono::nanoseconds left_;      ///< by the thread's clock, when the last call ended
    std::chrono::nanoseconds due_{0};    ///< computed, and not spent in simulated time
    std::deque<ferry::Packet> came_;     ///< in the meantime
};

}    // namespace benchScale
