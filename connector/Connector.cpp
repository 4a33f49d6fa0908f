#include <ferry/connector/Connector.hpp>

#include <chrono>

#include <ferry/connector/LibraryClasses.hpp>
#include <ferry/connector/message/ExceptionMessage.hpp>
#include <ferry/connector/message/RegistryCheck.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

Connector::Connector(std::unique_ptr<Transport> transport, const ObjectFactory& factory, RegistryComparison comparison)
    : AlgorithmCalls(std::move(transport), factory) {
    detail::registerLibraryClasses();
    factory_.verify();
    collectives_.findHost();
    if (comparison == RegistryComparison::Skip) return;
    setRankOfThisThread(rank());
    compareRegistries(mailbox_);
}

Connector::~Connector() = default;

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

void Connector::refuseBase() {
    throw UsageError("only its handler can pass on an exception that is known by a base class: its own class would be lost");
}

}    // namespace ferry
