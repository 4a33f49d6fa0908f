#include <ferry/connector/Connector.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <ferry/connector/LibraryClasses.hpp>
#include <ferry/connector/message/ExceptionMessage.hpp>
#include <ferry/connector/message/GroupTransport.hpp>
#include <ferry/connector/message/RegistryCheck.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

/// The choice of one rank when groups are made.
struct GroupChoice {
    bool isMember = false;
    std::int32_t colour = 0;
    std::int32_t key = 0;
    std::int32_t nextGroup = 0;
    FERRY_FIELDS(isMember, colour, key, nextGroup)
};

}    // namespace

Connector::Connector(std::unique_ptr<Transport> transport, const ObjectFactory& factory, RegistryComparison comparison)
    : AlgorithmCalls(std::move(transport), factory) {
    detail::registerLibraryClasses();
    if (comparison == RegistryComparison::Compare) factory_.verify();
    collectives_.findHost();
    if (comparison == RegistryComparison::Skip) return;
    setRankOfThisThread(rank());
    compareRegistries(mailbox_);
}

Connector::Connector(std::unique_ptr<GroupTransport> transport, const ObjectFactory& factory)
    : AlgorithmCalls(std::move(transport), factory) {}

Connector::~Connector() = default;

void Connector::throwOn(int rank, const std::exception_ptr& exception) {
    checkRank(rank);
    if (!exception) throw UsageError("throwOn needs an exception, not a null pointer");
    const ExceptionMessage message(exception);    // Flow B: exception -> message
    mailbox_.post(rank, Channel::Control, Envelope{MessageKind::Exception, 0, 0}, [&](IntWriter& out) { out << message; });
}

std::unique_ptr<Connector> Connector::split(std::optional<int> colour, int key, Deadline deadline) {
    const DeadlineScope scope(mailbox_, deadline);
    const GroupChoice own{colour.has_value(), colour.value_or(0), key, mailbox_.nest().nextGroup()};
    const auto choices = detail::allGather<GroupChoice, std::vector<GroupChoice>>(collectives_, own, detail::AppendOne(), Operation::Split);
    std::vector<int> members;
    std::int32_t id = 0;
    for (int other = 0; other < size(); ++other) {
        const GroupChoice& choice = choices[static_cast<std::size_t>(other)];
        id = std::max(id, choice.nextGroup);    // ranks have made different numbers of groups where a region has failed
        if (choice.isMember && choice.colour == colour) members.push_back(other);
    }
    const auto keyOf = [&choices](int other) { return choices[static_cast<std::size_t>(other)].key; };
    std::stable_sort(members.begin(), members.end(), [&keyOf](int one, int other) { return keyOf(one) < keyOf(other); });
    std::unique_ptr<Connector> group;
    if (colour) group.reset(new Connector(std::make_unique<GroupTransport>(mailbox_, id, std::move(members)), factory_));
    mailbox_.nest().setNextGroup(id + 1);
    return group;
}

std::unique_ptr<Connector> Connector::splitByHost(Deadline deadline) {
    const DeadlineScope scope(mailbox_, deadline);
    const std::string own = Origin::here("", 0).host;
    const auto hosts = detail::allGather<std::string, std::vector<std::string>>(collectives_, own, detail::AppendOne(), Operation::Split);
    return split(static_cast<int>(std::find(hosts.begin(), hosts.end(), own) - hosts.begin()));
}

Measurements Connector::measurements(int root, Deadline deadline) {
    const auto byRank = gather(std::vector<std::vector<detail::MeasuredEntry>>{timers_.measured()}, root, deadline);
    return rank() == root ? Measurements(byRank) : Measurements();
}

void Connector::close() {
    barrier();
    finishStarted();
    flush();
    findDeadlocksAfter(std::chrono::microseconds::max());    // all have come here, and nothing may come later than the next barrier
    barrier();
    flush();
    transport_->finishTogether();
}

void Connector::refuseBase() {
    throw UsageError(
        "throwOn knows only a base class of the exception, and its own class would be lost: call throwOn() in the handler of the "
        "exception, or pass a std::exception_ptr");
}

}    // namespace ferry
