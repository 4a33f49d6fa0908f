#include <ferry/connector/collective/GivenUpCollectives.hpp>

#include <algorithm>

namespace ferry {

void GivenUpCollectives::add(const Envelope& envelope) {
    envelopes_.push_back(envelope);
    if (envelopes_.size() > Remembered) envelopes_.pop_front();
}

bool GivenUpCollectives::has(const Envelope& step) const noexcept {
    return std::any_of(envelopes_.rbegin(), envelopes_.rend(), [&step](const Envelope& one) { return isOfOneCollective(one, step); });
}

}    // namespace ferry
