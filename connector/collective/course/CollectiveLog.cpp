#include <ferry/connector/collective/course/CollectiveLog.hpp>

#include <string>

#include <fmt/format.h>

#include <ferry/connector/collective/course/Operation.hpp>
#include <ferry/connector/message/letter/ValueName.hpp>
#include <ferry/connector/message/state/Regions.hpp>

namespace ferry::detail {

namespace {

bool isStepOf(const Envelope& step, const Envelope& entered) noexcept { return step.key == entered.key && step.type == entered.type; }

std::string describeTyped(const Envelope& call) { return fmt::format("{} of {}", describeCall(call.key), detail::nameOfValue(call.type)); }

}    // namespace

std::optional<CollectiveLog::Step> CollectiveLog::enter(const Envelope& entered) {
    latest_ = entered;
    entryOf(entered.number) = entered;
    const auto place = ahead_.extract(Place(entered.region, entered.number));
    if (place.empty()) return std::nullopt;
    const Ahead& ahead = place.mapped();
    if (!isStepOf(ahead.first.envelope, entered)) return ahead.first;
    return ahead.other;
}

bool CollectiveLog::noteArrival(const Step& step) {
    if (hasEntered(step.envelope)) return !isStepOf(step.envelope, entryOf(step.envelope.number));
    if (!isToCome(step.envelope)) return false;
    const auto [place, isNew] = ahead_.try_emplace(Place(step.envelope.region, step.envelope.number), Ahead{step});
    Ahead& ahead = place->second;
    if (!isNew && !ahead.other && !isStepOf(step.envelope, ahead.first.envelope)) ahead.other = step;
    return false;
}

bool CollectiveLog::hasEntered(const Envelope& step) const noexcept {
    const Envelope& own = entryOf(step.number);
    return own.kind == MessageKind::Collective && own.number == step.number && own.region == step.region;
}

/// Tells whether this rank has yet to enter the step's collective. Collectives that are too old to be remembered are not to come.
bool CollectiveLog::isToCome(const Envelope& step) const noexcept {
    return step.region != latest_.region || comesBefore(latest_.number, step.number);
}

CollectiveMismatch CollectiveLog::mismatch(int rank, const Step& step) const {
    const Envelope& own = entryOf(step.envelope.number);
    const auto describe = [&](const Envelope& call) { return own.key == step.envelope.key ? describeTyped(call) : describeCall(call.key); };
    return CollectiveMismatch({rank, describe(own)}, {step.from, describe(step.envelope)});
}

}    // namespace ferry::detail
