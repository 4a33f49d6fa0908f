#include <ferry/framework/master/LetterInHand.hpp>

#include <algorithm>

namespace ferry::detail {

void LetterInHand::cut() {
    parcels_ = parcelsIn(*shared());
    areNew_ = !areReplies() && !parcels_.empty() && parcels_.front().number == newCall;
    if (areGivenBack()) std::reverse(parcels_.begin(), parcels_.end());
    isCut_ = true;
}

}    // namespace ferry::detail
