#include <ferry/connector/collective/course/StartedCollectives.hpp>

#include <utility>
#include <vector>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/message/Background.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/message/state/insist.hpp>

namespace ferry::detail {

namespace {

bool isStepOrNotice(const Letter& letter, const Envelope& envelope) {
    const MessageKind kind = letter.envelope.kind;
    return (kind == MessageKind::Collective || kind == MessageKind::GivenUp) && letter.envelope.key == envelope.key &&
           letter.envelope.type == envelope.type && isOfOneCollective(letter.envelope, envelope);
}

}    // namespace

void StartedCollectives::begin(const std::shared_ptr<StartedCollective>& collective, const Envelope& envelope) {
    collective->begin(*this, envelope);
    underWay_.emplace(placeOf(envelope), collective);
    const auto wants = [&envelope](const Letter& letter) { return isStepOrNotice(letter, envelope); };
    mailbox_.arrived().handOver(wants, [&collective](Letter&& letter) { collective->give(std::move(letter)); });
    mailbox_.background().begin(collective);
}

bool StartedCollectives::offer(Letter& letter) {
    const auto wanting = underWay_.find(placeOf(letter.envelope));
    if (wanting == underWay_.end()) return givenUp_.has(letter.envelope);
    if (!isStepOrNotice(letter, wanting->second->envelope())) return false;
    wanting->second->give(std::move(letter));
    return true;
}

void StartedCollectives::finish() {
    mailbox_.waitUntil([this] { return underWay_.empty(); }, [this] { return underWay_.begin()->second->awaited(); }, Waiter::Call);
}

void StartedCollectives::finishBefore(Mailbox::Clock::time_point deadline) {
    mailbox_.pumpUntil([this] { return underWay_.empty() || mailbox_.due().isStopped(); }, deadline);
}

void StartedCollectives::endThoseOf(const std::function<bool(std::int32_t region)>& isOver) {
    std::vector<std::shared_ptr<StartedCollective>> ended;    // their end may destroy objects of the user
    insist([&] { ended.reserve(underWay_.size()); });
    for (auto place = underWay_.begin(); place != underWay_.end();) {
        if (!isOver(place->first.first)) {
            ++place;
            continue;
        }
        ended.push_back(std::move(place->second));
        place = underWay_.erase(place);
    }
    if (ended.empty()) return;
    const std::exception_ptr reason =
        insist([] { return std::make_exception_ptr(Cancelled("the guarded region in which the collective was started has failed")); });
    for (const auto& collective : ended) collective->end(reason);
}

void StartedCollectives::forget(const Envelope& envelope) { underWay_.erase(placeOf(envelope)); }

void StartedCollectives::giveUp(const Envelope& envelope, const std::exception_ptr& reason) {
    forget(envelope);
    givenUp_.add(envelope);
    tellGivenUp(mailbox_, envelope, reason);
}

}    // namespace ferry::detail
