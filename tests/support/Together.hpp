#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace ferry::test {

/// Runs the function on several threads, which begin together. The function gets the number of its thread, from 0 on.
template <class Function>
void runTogether(int threadCount, const Function& function) {
    std::atomic<int> waiting = threadCount;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < threadCount; ++thread) {
        threads.emplace_back([&waiting, &function, thread] {
            --waiting;
            while (waiting > 0) std::this_thread::yield();
            function(thread);
        });
    }
    for (std::thread& thread : threads) thread.join();
}

}    // namespace ferry::test
