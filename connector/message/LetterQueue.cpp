#include <ferry/connector/message/LetterQueue.hpp>

#include <algorithm>
#include <utility>

namespace ferry {

void LetterQueue::add(Letter letter) { letters_.push_back(std::move(letter)); }

std::optional<Letter> LetterQueue::take(const Filter& filter) {
    const auto match = std::find_if(letters_.begin(), letters_.end(), [&](const Letter& letter) { return filter.matches(letter); });
    if (match == letters_.end()) return std::nullopt;
    std::optional<Letter> letter(std::move(*match));
    letters_.erase(match);
    return letter;
}

}    // namespace ferry
