#include <ferry/connector/message/Expectation.hpp>

#include <algorithm>
#include <utility>

#include <ferry/connector/message/GraphPiece.hpp>

namespace ferry::detail {

bool Expectation::wants(const Letter& letter) const {
    if (isComplete_ || isDropped_ || !filter_.matches(letter)) return false;
    return wanted_ == Wanted::OneLetter || hasBegun_ || graphPlaceOf(letter).isFirst();
}

void Expectation::give(Letter&& letter) {
    letters_.push_back(std::move(letter));
    const Letter& given = letters_.back();
    isComplete_ = wanted_ == Wanted::OneLetter || graphPlaceOf(given).isEnd();
    if (!hasBegun_ && wanted_ == Wanted::WholeGraph) filter_ = filter_.narrowedTo(given);
    hasBegun_ = true;
}

Letter Expectation::take() {
    Letter letter = std::move(letters_.front());
    letters_.pop_front();
    wasTaken_ = true;
    return letter;
}

bool Expectations::offer(Letter& letter) {
    const auto wanting = std::find_if(expectations_.begin(), expectations_.end(), [&](const auto& each) { return each->wants(letter); });
    if (wanting == expectations_.end()) return false;
    (*wanting)->give(std::move(letter));
    return true;
}

void Expectations::settle(LetterQueue& others) {
    for (const std::shared_ptr<Expectation>& expectation : expectations_) {
        if (!expectation->isDropped()) continue;
        std::vector<Letter> kept;
        while (expectation->hasLetter()) kept.push_back(expectation->take());
        others.addOldest(std::move(kept));
    }
    std::erase_if(expectations_, [](const auto& each) { return each->isDropped() || (each->isComplete() && !each->hasLetter()); });
}

}    // namespace ferry::detail
