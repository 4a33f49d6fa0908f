#include <ferry/connector/message/LetterQueue.hpp>

#include <iterator>

namespace ferry {

void LetterQueue::add(Letter letter) { letters_.push_back(std::move(letter)); }

void LetterQueue::addOldest(std::vector<Letter> letters) {
    letters_.insert(letters_.begin(), std::make_move_iterator(letters.begin()), std::make_move_iterator(letters.end()));
}

}    // namespace ferry
