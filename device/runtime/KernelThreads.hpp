#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

#include <ferry/device/runtime/Runtime.hpp>

namespace ferry::detail {

/// Threads that run the items of kernels. The threads start with the first kernel that has several items.
///
/// Of several failures, the failure of the lowest item counts. Items behind it may not have run.
class KernelThreads {
public:
    struct Failure {
        std::exception_ptr exception;
        std::size_t item = std::numeric_limits<std::size_t>::max();
    };

    /// threads: number of threads that run items, with the calling thread. 0: one for each processor.
    explicit KernelThreads(std::size_t threads);
    KernelThreads(const KernelThreads&) = delete;
    KernelThreads& operator=(const KernelThreads&) = delete;
    ~KernelThreads();

    std::size_t count() const noexcept { return count_; }
    /// Returns when all items have ended. The failure has no exception when no item failed.
    Failure run(std::size_t items, const HostKernel& kernel);

private:
    void start();
    void loop(int rank);
    void work();
    void note(std::size_t item);

    std::size_t count_;
    std::vector<std::thread> threads_;

    // The current kernel:
    HostKernel kernel_;
    std::size_t items_ = 0;
    std::size_t chunk_ = 1;
    std::atomic<std::size_t> next_{0};
    std::atomic<std::size_t> lowestFailed_{std::numeric_limits<std::size_t>::max()};
    Failure failure_;

    std::mutex mutex_;    // of failure_, of busy_, and of the two numbers below
    std::condition_variable changed_;
    std::size_t kernels_ = 0;    // number of kernels so far
    std::size_t busy_ = 0;       // threads that run items of the current kernel
    bool isEnding_ = false;
};

}    // namespace ferry::detail
