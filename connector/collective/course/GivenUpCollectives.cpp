#include <ferry/connector/collective/course/GivenUpCollectives.hpp>

#include <algorithm>

#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/connector/message/state/insist.hpp>

namespace ferry::detail {

void tellGivenUp(Mailbox& mailbox, const Envelope& collective, const std::exception_ptr& reason) {
    Envelope notice{MessageKind::GivenUp, collective.key, collective.number};
    notice.type = collective.type;
    const ExceptionMessage message = insist([&reason] { return ExceptionMessage(reason); });
    for (int rank = 0; rank < mailbox.transport().size(); ++rank) {
        if (rank == mailbox.transport().rank() || mailbox.departures().hasLeft(rank)) continue;
        insist([&] { mailbox.postNow(rank, mailbox.pack(notice, [&message](IntWriter& out) { message.writeToInts(out); })); });
    }
}

void GivenUpCollectives::add(const Envelope& envelope) {
    insist([&] { envelopes_.push_back(envelope); });
    if (envelopes_.size() > Remembered) envelopes_.pop_front();
}

bool GivenUpCollectives::has(const Envelope& step) const noexcept {
    return std::any_of(envelopes_.rbegin(), envelopes_.rend(), [&step](const Envelope& one) { return isOfOneCollective(one, step); });
}

}    // namespace ferry::detail
