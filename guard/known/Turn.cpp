#include <ferry/guard/known/Turn.hpp>

#include <sched.h>
#include <unistd.h>
#include <atomic>
#include <chrono>
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
    std::atomic<pid_t> lastThread{0};              // and its thread
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

/// The number of this thread, as debuggers show it.
pid_t thisThread() {
    thread_local const pid_t thread = ::gettid();
    return thread;
}

std::string nameOfThread(pid_t thread) { return thread == ::getpid() ? "the main thread" : fmt::format("thread {}", thread); }

void sayMet(const char* call, const char* otherCall, pid_t otherThread) {
    const bool isKnown = otherCall != nullptr && otherThread != thisThread();    // the other thread has not yet written down its call
    const std::string other =
        isKnown ? fmt::format("{} is in {}", nameOfThread(otherThread), otherCall) : std::string("another thread is in a call of MPI");
    const std::string text =
        fmt::format("ferry: rank {}: {} calls {} while {}: from here on, a failure is reported and ends the job by force\n",
                    detail::rankOfProcess(), nameOfThread(thisThread()), call, other);
    std::fputs(text.c_str(), stderr);
}

}    // namespace

void Turn::noteOnlyThread() noexcept {
    turns().lastThread = thisThread();
    onlyThread_.store(pthread_self(), std::memory_order_relaxed);
}

/// Switches turns on at the first call of a second thread. When the first thread is in a call meanwhile, the threads have met. That call
/// becomes a turn where it waits (adopt()).
void Turn::needLate(const char* call) {
    constexpr auto timeToAdopt = std::chrono::seconds(1);    // the library's own call may itself wait for this thread
    Turns& all = turns();
    need();
    const char* const other = present_.load(std::memory_order_acquire);
    if (other == nullptr) return;
    if (!all.haveMet.exchange(true)) sayMet(call, other, all.lastThread);
    const auto end = std::chrono::steady_clock::now() + timeToAdopt;
    while (present_.load(std::memory_order_acquire) != nullptr && !isAdopted_.load(std::memory_order_acquire) &&
           std::chrono::steady_clock::now() < end)
        sched_yield();
}

/// Makes the call of the only thread, which waits in it, a turn: other threads call MPI now.
void Turn::adopt() {
    ++turns().insideCount;
    lock();
    depth = 1;
    isAdopted_.store(true, std::memory_order_release);
}

void Turn::endAdopted() noexcept {
    isAdopted_.store(false, std::memory_order_release);
    if (depth > 0 && --depth == 0) {
        turns().mutex.unlock();
        --turns().insideCount;
    }
}

bool Turn::haveMet() noexcept { return turns().haveMet; }

void Turn::begin(const char* call) {
    isBegun_ = true;
    if (!areNeeded()) needLate(call);
    if (depth++ > 0) return;
    Turns& all = turns();
    const bool isOutermost = pauseCount == 0;
    if (isOutermost && all.insideCount++ > 0 && !all.haveMet.exchange(true)) sayMet(call, all.lastCall, all.lastThread);
    lock();
    all.lastCall = call;
    all.lastThread = thisThread();
}

void Turn::end() noexcept {
    if (--depth > 0) return;
    turns().mutex.unlock();
    if (pauseCount == 0) --turns().insideCount;
}

void Turn::letWaitingGo() {
    Turns& all = turns();
    if (depth == 0 && pauseCount == 0 && isOnlyThread() && present_.load(std::memory_order_relaxed) != nullptr) adopt();
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
