#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace ferry::detail {

/// Threads that copy memory while the caller still finds out what is to be copied.
///
/// A thread looks for work for a short while after it had some: to awaken it takes as long as to copy 500 KB.
/// Threads: used by one thread at a time.
class CopyThreads {
public:
    /// Does one item of the work. Must not throw.
    using Work = void (*)(void* context, std::size_t item);

    /// threads: with the calling thread. The others start with the first work.
    explicit CopyThreads(std::size_t threads) : count_(threads) {}
    CopyThreads(const CopyThreads&) = delete;
    CopyThreads& operator=(const CopyThreads&) = delete;
    ~CopyThreads();

    /// The number of threads for this machine: half of its processors, at most 8.
    static std::size_t forThisMachine() noexcept;

    std::size_t count() const noexcept { return count_; }
    /// Begins work with at most `items` items, and awakens the threads. All published items of the work before are done.
    void begin(void* context, Work work, std::size_t items);
    /// Items below count may be done from now on.
    void publish(std::size_t count) noexcept;
    /// Whether a published item is done. If so, the caller sees all that was written for it.
    bool isDone(std::size_t item) const noexcept { return done_[item].load(std::memory_order_acquire); }
    /// Does one published item, or lets other threads run for a moment when none is left.
    void help() noexcept;
    /// Helps until all published items are done.
    void finish() noexcept;

private:
    void start();
    void loop() noexcept;
    bool doOne() noexcept;
    void awaken() noexcept;

    std::size_t count_;
    std::vector<std::thread> threads_;

    // The present work. The items of all works are counted on.
    void* context_ = nullptr;
    Work work_ = nullptr;
    bool isShared_ = false;    // with the other threads
    std::size_t first_ = 0;    // number of the first item of the present work
    std::vector<std::atomic<bool>> done_;
    alignas(64) std::atomic<std::size_t> published_{0};
    alignas(64) std::atomic<std::size_t> next_{0};
    alignas(64) std::atomic<std::size_t> ended_{0};

    std::atomic<std::size_t> sleepers_{0};
    std::atomic<bool> isEnding_{false};
    std::mutex mutex_;    // of calls_
    std::condition_variable called_;
    std::size_t calls_ = 0;
};

}    // namespace ferry::detail
