#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include <ferry/connector/transport/LossSource.hpp>

namespace ferry::detail {

/// Queue of losses from the thread that finds them to the thread of the rank.
///
/// Threads: any.
class LossQueue final : public LossSource {
public:
    void add(Loss loss) {
        const std::lock_guard lock(mutex_);
        losses_.push_back(std::move(loss));
        isAny_ = true;
    }

    std::optional<Loss> nextLoss() override {
        if (!isAny_.load(std::memory_order_relaxed)) return std::nullopt;    // fast path, since the call is frequent
        const std::lock_guard lock(mutex_);
        if (losses_.empty()) return std::nullopt;
        std::optional<Loss> loss = std::move(losses_.front());
        losses_.pop_front();
        isAny_ = !losses_.empty();
        return loss;
    }

private:
    std::mutex mutex_;
    std::deque<Loss> losses_;
    std::atomic<bool> isAny_{false};
};

}    // namespace ferry::detail
