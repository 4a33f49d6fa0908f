#include <ferry/connector/collective/CollectiveLog.hpp>

#include <ferry/connector/collective/Operation.hpp>
#include <ferry/connector/message/Regions.hpp>

namespace ferry {

std::optional<CollectiveLog::Step> CollectiveLog::enter(const Envelope& entered) {
    latest_ = entered;
    entryOf(entered.number) = entered;
    const auto place = ahead_.extract(Place(entered.region, entered.number));
    if (place.empty()) return std::nullopt;
    const Ahead& ahead = place.mapped();
    if (ahead.first.envelope.key != entered.key) return ahead.first;
    return ahead.other;
}

bool CollectiveLog::noteArrival(const Step& step) {
    if (hasEntered(step.envelope)) return entryOf(step.envelope.number).key != step.envelope.key;
    if (!isToCome(step.envelope)) return false;
    const auto [place, isNew] = ahead_.try_emplace(Place(step.envelope.region, step.envelope.number), Ahead{step});
    Ahead& ahead = place->second;
    if (!isNew && !ahead.other && ahead.first.envelope.key != step.envelope.key) ahead.other = step;
    return false;
}

bool CollectiveLog::hasEntered(const Envelope& step) const noexcept {
    const Envelope& own = entryOf(step.number);
    return own.kind == MessageKind::Collective && own.number == step.number && own.region == step.region;
}

/// Not so for what is too old to be remembered.
bool CollectiveLog::isToCome(const Envelope& step) const noexcept {
    return step.region != latest_.region || comesBefore(latest_.number, step.number);
}

CollectiveMismatch CollectiveLog::mismatch(int rank, const Step& step) const {
    return CollectiveMismatch({rank, describeCall(entryOf(step.envelope.number).key)}, {step.from, describeCall(step.envelope.key)});
}

}    // namespace ferry
