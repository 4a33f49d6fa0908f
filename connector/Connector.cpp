#include <ferry/connector/Connector.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ferry/connector/LibraryClasses.hpp>
#include <ferry/connector/message/ExceptionMessage.hpp>
#include <ferry/connector/message/RegistryCheck.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

Connector::Connector(std::unique_ptr<Transport> transport, const ObjectFactory& factory, RegistryComparison comparison)
    : transport_(std::move(transport)),
      factory_(factory),
      mailbox_(*transport_, factory_),
      collectives_(mailbox_) {
    detail::registerLibraryClasses();
    factory_.verify();
    if (comparison == RegistryComparison::Skip) return;
    setRankOfThisThread(rank());
    compareRegistries(mailbox_);
}

Connector::~Connector() = default;

std::unique_ptr<Message> Connector::receive(int from, Deadline deadline) {
    checkSource(from);
    const DeadlineScope scope(mailbox_, deadline);
    Letter letter = mailbox_.take(Filter({MessageKind::Object}, from));
    std::unique_ptr<Message> message = factory_.createAs<Message>(letter.envelope.key);    // Flow A: class ID -> object
    IntReader in(letter.body(), factory_);
    in >> *message;
    in.expectEnd();
    message->setSender(letter.from);
    mailbox_.giveBack(std::move(letter));
    return message;
}

void Connector::throwOn(int rank, const std::exception_ptr& exception) {
    checkRank(rank);
    if (!exception) throw UsageError("throwOn needs an exception, not a null pointer");
    const ExceptionMessage message(exception);    // Flow B: exception -> message
    mailbox_.post(rank, Channel::Control, Envelope{MessageKind::Exception, 0, 0}, [&](IntWriter& out) { out << message; });
}

void Connector::close() {
    barrier();
    flush();
    findDeadlocksAfter(std::chrono::microseconds::max());    // all have come here, and nothing may come later than the next barrier
    barrier();
    flush();
    transport_->finishTogether();
}

void Connector::findDeadlocksAfter(std::chrono::microseconds quietTime) {
    using Duration = Transport::Clock::duration;
    constexpr std::chrono::hours year(24 * 365);
    mailbox_.standstill().setQuietTime(quietTime >= year ? Duration::max() : std::max<Duration>(quietTime, Duration::zero()));
}

void Connector::checkRank(int rank) const {
    if (rank < 0 || rank >= size()) throw UsageError(fmt::format("rank {} does not exist: there are {}", rank, size()));
}

void Connector::checkSource(int from) const {
    if (from != AnyRank) checkRank(from);
}

void Connector::refuseBase() {
    throw UsageError("only its handler can pass on an exception that is known by a base class: its own class would be lost");
}

}    // namespace ferry
