#pragma once

#include <time.h>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <ferry/benchmarks/scale/PassingTransport.hpp>

namespace benchScale {

/// The work of a rank outside of its transport.
struct Computed {
    std::chrono::nanoseconds time{0};
    std::size_t packetCount = 0;    ///< packets sent and received
};

/// Stands between a rank of a simulation and its transport. Computations of the rank, measured by the clock of its thread, take simulated
/// time too. Computations of the simulation inside the calls of the transport take no time. Reading the clock takes no time either.
///
/// Time passes in steps of `grain`, since each step needs a switch of threads. Ownership: `computed` must outlive the transport.
class ComputingTransport final : public PassingTransport {
public:
    ComputingTransport(std::unique_ptr<ferry::detail::Transport> inner, Computed& computed)
        : PassingTransport(std::move(inner)),
          computed_(computed),
          readingTime_(measureReading()),
          left_(threadTime()) {}

    void startSend(int to, ferry::detail::Channel channel, ferry::IntBuffer ints) override {
        const Call call(*this);
        ++computed_.packetCount;
        passIfDue(grain);
        PassingTransport::startSend(to, channel, std::move(ints));
    }
    std::optional<ferry::detail::Packet> poll() override {
        const Call call(*this);
        passIfDue(grain);
        std::optional<ferry::detail::Packet> packet = PassingTransport::poll();
        if (packet) ++computed_.packetCount;
        return packet;
    }
    void idle(std::chrono::microseconds atMost) override {
        const Call call(*this);
        passIfDue(std::chrono::microseconds(1));
        PassingTransport::idle(atMost);
    }
    Clock::time_point now() const noexcept override {
        return PassingTransport::now() + std::chrono::floor<std::chrono::microseconds>(due_);
    }

private:
    static constexpr std::chrono::microseconds grain{50};

    /// Marks a call of the transport. The time since the end of the last call was spent computing.
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

    /// The least difference between two successive readings of the clock.
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

    /// Lets simulated time pass for computations whose time has not passed yet.
    void passIfDue(std::chrono::nanoseconds least) {
        if (due_ < least) return;
        const auto time = std::chrono::floor<std::chrono::microseconds>(due_);
        pass(time);
        due_ -= time;
    }

    Computed& computed_;
    const std::chrono::nanoseconds readingTime_;
    std::chrono::nanoseconds left_;      ///< time of the thread's clock at the end of the last call
    std::chrono::nanoseconds due_{0};    ///< computing time that has not yet passed as simulated time
};

}    // namespace benchScale
