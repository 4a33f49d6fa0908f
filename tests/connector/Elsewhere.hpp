#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace ferry::test {

/// A thread that calls functions as soon as it gets them.
class Elsewhere {
public:
    Elsewhere() : thread_([this] { run(); }) {}
    Elsewhere(const Elsewhere&) = delete;
    Elsewhere& operator=(const Elsewhere&) = delete;
    ~Elsewhere() {
        call({});
        thread_.join();
    }

    void call(std::function<void()> function) {
        const std::lock_guard lock(mutex_);
        functions_.push_back(std::move(function));
        given_.notify_one();
    }

    /// Destroys the object on the other thread.
    template <class T>
    void drop(T object) {
        call([held = std::make_shared<T>(std::move(object))]() mutable { held.reset(); });
    }

    /// Waits until all functions were called.
    void finish() {
        std::mutex mutex;
        std::condition_variable changed;
        bool isOver = false;
        call([&] {
            const std::lock_guard lock(mutex);
            isOver = true;
            changed.notify_one();
        });
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return isOver; });
    }

private:
    void run() {
        for (;;) {
            std::unique_lock lock(mutex_);
            given_.wait(lock, [this] { return !functions_.empty(); });
            const std::function<void()> function = std::move(functions_.front());
            functions_.pop_front();
            lock.unlock();
            if (!function) return;
            function();
        }
    }

    std::mutex mutex_;
    std::condition_variable given_;
    std::deque<std::function<void()>> functions_;
    std::thread thread_;
};

}    // namespace ferry::test
