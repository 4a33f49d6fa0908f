#include <ferry/guard/known/Turn.hpp>

#include <sched.h>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include <ferry/serialization/exception/Origin.hpp>

namespace ferry::pmpi {

namespace {

/// The turns of this process.
struct Turns {
    std::mutex mutex;                              // held by the thread whose turn it is
    std::atomic<int> insideCount{0};               // threads in calls of MPI
    std::atomic<int> waitingCount{0};              // those of them that wait for a turn
    std::atomic<const char*> lastCall{nullptr};    // the call that has begun a turn last
    std::atomic<bool> haveMet{false};
};

Turns& turns() {
    static Turns& all = *new Turns;    // never destroyed: see Communicators
    return all;
}

thread_local int depth = 0;         // turns of this thread within each other; 0 in a pause
thread_local int pauseCount = 0;    // pauses of this thread within each other

void lock() {
    Turns& all = turns();
    ++all.waitingCount;
    all.mutex.lock();
    --all.waitingCount;
}

void sayMet(const char* call, const char* other) {
    const std::string text = fmt::format(
        "ferry: rank {}: a thread calls {} while another thread is in {}: from here on, a failure is reported and ends the job by force\n",
        detail::rankOfProcess(), call, other != nullptr ? other : "a call of MPI");
    std::fputs(text.c_str(), stderr);
}

}    // namespace

bool Turn::haveMet() noexcept { return turns().haveMet; }

void Turn::begin(const char* call) {
    isBegun_ = true;
    if (depth++ > 0) return;
    Turns& all = turns();
    const bool isOutermost = pauseCount == 0;
    if (isOutermost && all.insideCount++ > 0 && !all.haveMet.exchange(true)) sayMet(call, all.lastCall);
    lock();
    all.lastCall = call;
}

void Turn::end() noexcept {
    if (--depth > 0) return;
    turns().mutex.unlock();
    if (pauseCount == 0) --turns().insideCount;
}

void Turn::letWaitingGo() {
    Turns& all = turns();
    if (depth == 0 || all.waitingCount == 0) return;
    all.mutex.unlock();
    constexpr int yieldsAtMost = 100;    // the waiting threads may themselves not get the processor
    for (int i = 0; i < yieldsAtMost && all.waitingCount > 0; ++i) sched_yield();
    lock();
}

void Turn::Pause::begin() {
    depth_ = std::exchange(depth, 0);
    if (depth_ == 0) return;
    ++pauseCount;
    turns().mutex.unlock();
}

void Turn::Pause::end() {
    lock();
    --pauseCount;
    depth = depth_;
}

}    // namespace ferry::pmpi
