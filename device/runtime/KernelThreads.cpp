#include <ferry/device/runtime/KernelThreads.hpp>

#include <algorithm>
#include <system_error>
#include <utility>

#include <ferry/serialization/exception/ForcedUnwind.hpp>
#include <ferry/serialization/exception/Origin.hpp>

namespace ferry::detail {

KernelThreads::KernelThreads(std::size_t threads)
    : count_(threads != 0 ? threads : std::max<std::size_t>(1, std::thread::hardware_concurrency())) {}

KernelThreads::~KernelThreads() {
    {
        const std::lock_guard lock(mutex_);
        isEnding_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void KernelThreads::start() {
    if (!threads_.empty()) return;
    threads_.reserve(count_ - 1);
    const int rank = rankOfThisThread();
    try {
        while (threads_.size() + 1 < count_) threads_.emplace_back([this, rank] { loop(rank); });
    } catch (const std::system_error&) {
        // The system has no thread left: the threads that run share the items, or the caller's alone has them.
    }
}

KernelThreads::Failure KernelThreads::run(std::size_t items, const HostKernel& kernel) {
    const bool isShared = items > 1 && count_ > 1;
    if (isShared) start();
    {
        const std::lock_guard lock(mutex_);
        kernel_ = kernel;
        items_ = items;
        chunk_ = std::max<std::size_t>(1, items / (count_ * 8));
        next_ = 0;
        lowestFailed_ = std::numeric_limits<std::size_t>::max();
        failure_ = {};
        if (isShared) {
            ++kernels_;
            busy_ = threads_.size();
        }
    }
    if (isShared) changed_.notify_all();
    work();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return busy_ == 0; });
    return std::exchange(failure_, {});
}

void KernelThreads::loop(int rank) {
    setRankOfThisThread(rank);
    std::size_t done = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return isEnding_ || kernels_ != done; });
        if (isEnding_) return;
        done = kernels_;
        lock.unlock();
        work();
        lock.lock();
        if (--busy_ == 0) changed_.notify_all();
    }
}

// Chunks are taken in ascending order. So every item below a failed one is in a chunk that some thread has taken and finishes.
void KernelThreads::work() {
    for (;;) {
        const std::size_t begin = next_.fetch_add(chunk_);
        if (begin >= items_ || begin > lowestFailed_) return;
        std::size_t item = begin;
        try {
            kernel_.run(kernel_.function, begin, std::min(items_, begin + chunk_), item);
        } catch (ForcedUnwind&) {
            throw;
        } catch (...) {
            note(item);
        }
    }
}

void KernelThreads::note(std::size_t item) {
    const std::lock_guard lock(mutex_);
    if (item >= failure_.item) return;
    failure_ = {std::current_exception(), item};
    lowestFailed_ = item;
}

}    // namespace ferry::detail
