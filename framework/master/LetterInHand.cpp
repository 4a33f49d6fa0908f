#include <ferry/framework/master/LetterInHand.hpp>

#include <algorithm>

namespace ferry {

const std::shared_ptr<const Letter>& LetterInHand::shared() {
    if (!shared_) shared_ = std::make_shared<const Letter>(std::move(*unshared_));
    return shared_;
}

void LetterInHand::cut() {
    parcels_ = parcelsIn(*shared());
    areNew_ = !areReplies() && !parcels_.empty() && parcels_.front().number == newCall;
    if (areGivenBack()) std::reverse(parcels_.begin(), parcels_.end());
    isCut_ = true;
}

}    // namespace ferry
