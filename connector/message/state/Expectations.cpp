#include <ferry/connector/message/state/Expectations.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace ferry::detail {

bool Expectations::offer(Letter& letter) {
    const auto wanting = std::find_if(expectations_.begin(), expectations_.end(), [&](const auto& each) { return each->wants(letter); });
    if (wanting == expectations_.end()) return false;
    (*wanting)->give(std::move(letter));
    return true;
}

/// Each expectation is asked once whether it is dropped, since another thread may drop it at any time.
bool Expectations::settle(LetterQueue& others) {
    isOneDropped_->exchange(false, std::memory_order_acquire);
    bool hasHandedBack = false;
    try {
        for (std::shared_ptr<Expectation>& expectation : expectations_) {
            if (!expectation->isDropped()) continue;
            hasHandedBack = hasHandedBack || expectation->hasLetter();
            expectation->handBack(others);
        }
    } catch (...) {
        isOneDropped_->store(true);
        throw;
    }
    std::erase_if(expectations_, [](const auto& each) { return each->isComplete() && !each->hasLetter(); });
    return hasHandedBack;
}

}    // namespace ferry::detail
