#include <ferry/connector/collective/CollectiveLog.hpp>

#include <ferry/connector/collective/Operation.hpp>

namespace ferry {

bool CollectiveLog::hasEntered(const Envelope& step) const noexcept {
    const Envelope& own = placeOf(step.number);
    return own.kind == MessageKind::Collective && own.number == step.number && own.region == step.region;
}

bool CollectiveLog::contradicts(const Envelope& step) const noexcept { return hasEntered(step) && placeOf(step.number).key != step.key; }

CollectiveMismatch CollectiveLog::mismatch(int rank, const Letter& step) const {
    return CollectiveMismatch({rank, describeCall(placeOf(step.envelope.number).key)}, {step.from, describeCall(step.envelope.key)});
}

}    // namespace ferry
