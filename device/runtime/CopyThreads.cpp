#include <ferry/device/runtime/CopyThreads.hpp>

#include <algorithm>
#include <chrono>
#include <system_error>

namespace ferry::detail {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto Patience = std::chrono::microseconds(100);    // of a thread without work, before it sleeps

}    // namespace

std::size_t CopyThreads::forThisMachine() noexcept {
    constexpr std::size_t Most = 8;    // more are no faster: they wait for the memory
    return std::clamp<std::size_t>(std::thread::hardware_concurrency() / 2, 1, Most);
}

CopyThreads::~CopyThreads() {
    isEnding_ = true;
    {
        const std::lock_guard lock(mutex_);
        ++calls_;
    }
    called_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void CopyThreads::start() {
    if (!threads_.empty()) return;
    threads_.reserve(count_ - 1);
    try {
        while (threads_.size() + 1 < count_) threads_.emplace_back([this] { loop(); });
    } catch (const std::system_error&) {
        // The system has no thread left: the threads that run share the items, or the caller's alone has them.
    }
}

void CopyThreads::begin(void* context, Work work, std::size_t items) {
    isShared_ = items > 1 && count_ > 1;
    if (isShared_) start();
    context_ = context;
    work_ = work;
    first_ = published_.load(std::memory_order_relaxed);
    if (done_.size() < items) done_ = std::vector<std::atomic<bool>>(std::max(items, 2 * done_.size()));
    for (std::size_t i = 0; i < items; ++i) done_[i].store(false, std::memory_order_relaxed);
    awaken();
}

void CopyThreads::publish(std::size_t count) noexcept {
    published_.store(first_ + count);
    awaken();
}

void CopyThreads::help() noexcept {
    if (!doOne()) std::this_thread::yield();
}

void CopyThreads::finish() noexcept {
    while (ended_.load(std::memory_order_acquire) != published_.load(std::memory_order_relaxed)) help();
}

void CopyThreads::awaken() noexcept {
    if (!isShared_ || sleepers_.load() == 0) return;
    {
        const std::lock_guard lock(mutex_);
        ++calls_;
    }
    called_.notify_all();
}

bool CopyThreads::doOne() noexcept {
    std::size_t item = next_.load(std::memory_order_relaxed);
    while (item < published_.load()) {
        if (!next_.compare_exchange_weak(item, item + 1)) continue;
        const std::size_t own = item - first_;
        work_(context_, own);
        done_[own].store(true, std::memory_order_release);
        ended_.fetch_add(1, std::memory_order_release);
        return true;
    }
    return false;
}

// A thread that goes to sleep counts itself first, and looks for items then. A caller publishes items first, and looks for sleepers then.
void CopyThreads::loop() noexcept {
    std::size_t heard = 0;
    for (;;) {
        auto end = Clock::now() + Patience;
        while (!isEnding_.load(std::memory_order_relaxed) && Clock::now() < end) {
            if (doOne())
                end = Clock::now() + Patience;
            else
                std::this_thread::yield();
        }
        std::unique_lock lock(mutex_);
        ++sleepers_;
        called_.wait(lock, [&] { return isEnding_ || calls_ != heard || next_ < published_.load(); });
        --sleepers_;
        heard = calls_;
        if (isEnding_) return;
    }
}

}    // namespace ferry::detail
