#include <ferry/connector/message/LetterQueue.hpp>

#include <iterator>

#include <fmt/format.h>

namespace ferry {

std::string sourceInWords(int from) { return from == AnyRank ? "any rank" : fmt::format("rank {}", from); }

Awaited Filter::awaited() const {
    Awaited awaited;
    if (from_ != AnyRank) awaited.ranks.push_back(from_);
    awaited.what = description_ != nullptr ? description_(*this) : "a message from " + sourceInWords(from_);
    return awaited;
}

void LetterQueue::add(Letter letter) { letters_.push_back(std::move(letter)); }

void LetterQueue::addOldest(std::vector<Letter> letters) {
    letters_.insert(letters_.begin(), std::make_move_iterator(letters.begin()), std::make_move_iterator(letters.end()));
}

}    // namespace ferry
