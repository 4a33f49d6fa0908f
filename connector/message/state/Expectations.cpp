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

void Expectations::settle(LetterQueue& others) {
    for (const std::shared_ptr<Expectation>& expectation : expectations_) {
        if (expectation->isDropped()) expectation->handBack(others);
    }
    std::erase_if(expectations_, [](const auto& each) { return each->isDropped() || (each->isComplete() && !each->hasLetter()); });
}

}    // namespace ferry::detail
