#include <ferry/connector/message/letter/LetterQueue.hpp>

#include <iterator>

namespace ferry::detail {

void LetterQueue::addOldest(std::vector<Letter> letters) {
    letters_.insert(letters_.begin(), std::make_move_iterator(letters.begin()), std::make_move_iterator(letters.end()));
}

}    // namespace ferry::detail
