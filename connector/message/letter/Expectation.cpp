#include <ferry/connector/message/letter/Expectation.hpp>

#include <utility>

#include <ferry/connector/message/letter/GraphPiece.hpp>
#include <ferry/connector/message/letter/LetterQueue.hpp>

namespace ferry::detail {

bool Expectation::wants(const Letter& letter) const {
    if (isComplete_ || isDropped() || !filter_.matches(letter)) return false;
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

void Expectation::handBack(LetterQueue& queue) {
    for (; !letters_.empty(); letters_.pop_back()) queue.putBack(std::move(letters_.back()));
    isComplete_ = true;
}

}    // namespace ferry::detail
