#include <ferry/connector/Connector.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/connector/LibraryClasses.hpp>
#include <ferry/connector/collective/RegistryCheck.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/GroupTransport.hpp>
#include <ferry/connector/message/droppedConnectors.hpp>
#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>
#include <ferry/connector/message/state/OneThread.hpp>
#include <ferry/connector/message/state/insist.hpp>
#include <ferry/connector/region/Survivors.hpp>
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

/// The list of one rank when groups are made from lists.
struct GroupList {
    std::vector<std::int32_t> ranks;
    std::int32_t nextGroup = 0;
    FERRY_FIELDS(ranks, nextGroup)

    bool contains(int rank) const { return std::find(ranks.begin(), ranks.end(), rank) != ranks.end(); }
};

/// Checks the lists of all ranks. Every rank has the same lists, so that every rank throws the same exception.
void requireGroups(const std::vector<GroupList>& lists) {
    const int rankCount = static_cast<int>(lists.size());
    for (int rank = 0; rank < rankCount; ++rank) {
        const std::vector<std::int32_t>& ranks = lists[static_cast<std::size_t>(rank)].ranks;
        for (auto place = ranks.begin(); place != ranks.end(); ++place) {
            if (*place < 0 || *place >= rankCount)
                throw UsageError(
                    fmt::format("the group of rank {} lists rank {}, which does not exist: there are {}", rank, *place, rankCount));
            if (std::find(ranks.begin(), place, *place) != place)
                throw UsageError(fmt::format("the group of rank {} lists rank {} twice", rank, *place));
        }
        if (!lists[static_cast<std::size_t>(rank)].contains(rank)) continue;    // a rank outside of all groups may give any list
        for (const std::int32_t other : ranks) {
            const std::vector<std::int32_t>& otherRanks = lists[static_cast<std::size_t>(other)].ranks;
            if (otherRanks == ranks) continue;
            throw CollectiveMismatch({rank, fmt::format("a group of the ranks {}", fmt::join(ranks, ", "))},
                                     {other, fmt::format("a group of the ranks {}", fmt::join(otherRanks, ", "))});
        }
    }
}

Timers::Threads threadsOf(detail::Mailbox& mailbox) {
    const std::shared_ptr<detail::OneThread> thread = mailbox.thread().shared_from_this();
    return {[thread] { thread->require(); }, [thread] { return thread->isOfThisThread(); }};
}

}    // namespace

Connector::Connector(std::unique_ptr<detail::Transport> transport, const ObjectFactory& factory, RegistryComparison comparison)
    : detail::AlgorithmCalls(std::move(transport), factory),
      survivors_(std::make_shared<detail::Survivors>(mailbox_)),
      timers_(*transport_, threadsOf(mailbox_)) {
    detail::registerLibraryClasses();
    if (comparison == RegistryComparison::Compare) detail::requireNoConflicts(factory_);
    collectives_.findHost();
    if (comparison == RegistryComparison::Skip) return;
    detail::setRankOfThisThread(rank());
    detail::compareRegistries(mailbox_);
}

Connector::Connector(std::unique_ptr<detail::GroupTransport> transport, const ObjectFactory& factory,
                     std::shared_ptr<detail::Survivors> survivors)
    : detail::AlgorithmCalls(std::move(transport), factory),
      survivors_(std::move(survivors)),
      timers_(*transport_, threadsOf(mailbox_)) {
    // The last step: letters must not end with a connector that cannot be made.
    detail::insist([this] { mailbox_.nest().group()->takeOverLetters(mailbox_); });
}

/// A call that goes on in a connector that has ended could only crash: std::terminate() with an error that says so comes before.
Connector::~Connector() {
    if (mailbox_.nest().group() == nullptr) mailbox_.thread().requireNoCall();
}

void* Connector::operator new(std::size_t bytes) { return ::operator new(bytes); }
void Connector::operator delete(void* memory) noexcept { ::operator delete(memory); }

void Connector::destroy(void* connector) noexcept {
    static_cast<Connector*>(connector)->~Connector();
    ::operator delete(connector);
}

/// Destroys the connector of a group if this thread is the one that uses the rank's connectors, and is in no call. No other thread begins a
/// call meanwhile.
bool Connector::destroyNow(Connector& connector) noexcept {
    const std::shared_ptr<detail::OneThread> thread = connector.mailbox_.thread().shared_from_this();
    if (!thread->isFree()) return false;
    try {
        const detail::OneThread::Call call(*thread);
        destroy(&connector);
    } catch (...) {    // another thread has begun a call
        return false;
    }
    return true;
}

void Connector::operator delete(Connector* connector, std::destroying_delete_t) noexcept {
    const bool isOfGroup = connector->mailbox_.nest().group() != nullptr;
    if (isOfGroup && (destroyNow(*connector) || detail::keepDropped(connector->mailbox_, connector, &Connector::destroy))) return;
    destroy(connector);
}

void Connector::throwOn(int rank, const std::exception_ptr& exception) {
    checkRank(rank);
    mailbox_.departures().throwIfLost(rank);
    if (mailbox_.nest().outermost().nest().group() != nullptr) mailbox_.throwIfDue();    // the connector of the group has ended
    if (!exception) throw UsageError("throwOn needs an exception, not a null pointer");
    const ExceptionMessage message(exception);    // Flow B: exception -> message
    mailbox_.post(rank, detail::Channel::Control, detail::Envelope{detail::MessageKind::Exception, 0, 0},
                  [&](IntWriter& out) { out << message; });
}

std::unique_ptr<Connector> Connector::split(std::optional<int> colour, int key, Deadline deadline) {
    const detail::DeadlineScope scope(mailbox_, deadline);
    const GroupChoice own{colour.has_value(), colour.value_or(0), key, mailbox_.nest().nextGroup()};
    const auto choices =
        detail::allGather<GroupChoice, std::vector<GroupChoice>>(collectives_, own, detail::AppendOne(), detail::Operation::Split);
    std::vector<int> members;
    std::int32_t id = 0;
    for (int other = 0; other < size(); ++other) {
        const GroupChoice& choice = choices[static_cast<std::size_t>(other)];
        id = std::max(id, choice.nextGroup);    // ranks have made different numbers of groups where a region has failed
        if (choice.isMember && choice.colour == colour) members.push_back(other);
    }
    const auto keyOf = [&choices](int other) { return choices[static_cast<std::size_t>(other)].key; };
    std::stable_sort(members.begin(), members.end(), [&keyOf](int one, int other) { return keyOf(one) < keyOf(other); });
    if (!colour) members.clear();
    return makeGroup(std::move(members), id);
}

std::unique_ptr<Connector> Connector::group(std::vector<int> ranks, Deadline deadline) {
    const detail::DeadlineScope scope(mailbox_, deadline);
    const GroupList own{std::move(ranks), mailbox_.nest().nextGroup()};
    const auto lists =
        detail::allGather<GroupList, std::vector<GroupList>>(collectives_, own, detail::AppendOne(), detail::Operation::Split);
    requireGroups(lists);
    std::int32_t id = 0;
    for (const GroupList& list : lists) id = std::max(id, list.nextGroup);
    return makeGroup(own.contains(rank()) ? own.ranks : std::vector<int>(), id);
}

/// Makes this rank's connector of a group; null without members. The number counts as used on every rank.
std::unique_ptr<Connector> Connector::makeGroup(std::vector<int> members, std::int32_t id) {
    detail::destroyDropped(mailbox_);
    std::unique_ptr<Connector> group;
    if (!members.empty())
        group.reset(new Connector(std::make_unique<detail::GroupTransport>(mailbox_, id, std::move(members)), factory_, survivors_));
    mailbox_.nest().setNextGroup(id + 1);
    return group;
}

std::unique_ptr<Connector> Connector::splitByHost(Deadline deadline) {
    const detail::DeadlineScope scope(mailbox_, deadline);
    const std::string own = Origin::here("", 0).host;
    const auto hosts =
        detail::allGather<std::string, std::vector<std::string>>(collectives_, own, detail::AppendOne(), detail::Operation::Split);
    return split(static_cast<int>(std::find(hosts.begin(), hosts.end(), own) - hosts.begin()));
}

int Connector::rankInJob(int rank) const {
    checkRank(rank);
    return mailbox_.nest().rankInJob(rank);
}

std::unique_ptr<Connector> Connector::shrink(Deadline deadline) {
    const detail::DeadlineScope scope(mailbox_, deadline);
    mailbox_.thread().require();
    mailbox_.due().endSummons();
    mailbox_.throwIfDue();
    for (const std::int32_t region : mailbox_.nest().regionPath()) {
        if (region != 0)
            throw UsageError("shrink() is called in a guarded region, whose end needs the lost rank: call it after the region");
    }
    detail::SurvivorGroup group = survivors_->agree(mailbox_, shrinkCount_);
    ++shrinkCount_;
    detail::Mailbox& outermost = survivors_->outermost();
    detail::destroyDropped(outermost);
    const std::int32_t id = group.id;
    std::unique_ptr<Connector> rest(
        new Connector(std::make_unique<detail::GroupTransport>(outermost, id, std::move(group.members)), factory_, survivors_));
    outermost.nest().setNextGroup(id + 1);
    return rest;
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

}    // namespace ferry
