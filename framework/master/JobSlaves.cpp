#include <ferry/framework/master/JobSlaves.hpp>

#include <fmt/format.h>

#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/exception/NoSlavesLeft.hpp>
#include <ferry/framework/exception/SlavesCannotJoin.hpp>
#include <ferry/framework/master/SlaveRecruiter.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/parcel/TaskNotice.hpp>
#include <ferry/framework/schedule/slaveNumbers.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

JobSlaves::JobSlaves(Connector& connector, const BesideJob& beside, Schedule& schedule, SharedObjects& sharedObjects, JobEvents& events)
    : connector_(connector),
      schedule_(schedule),
      sharedObjects_(sharedObjects),
      events_(events),
      recruiter_(beside.recruiter),
      groups_(beside.groups) {
    for (const int subMaster : groups_.subMasters()) {
        const int slaveCount = static_cast<int>(groups_.slavesOf(subMaster).size());
        schedule_.group(slaveOfRank(subMaster), slaveCount);
        events_.grouped(subMaster, slaveCount);
    }
}

void JobSlaves::requireSome() const {
    if (count() > 0) return;
    if (schedule_.slaveCount() == 0) throw UsageError("there is no slave to do the task");
    if (lastLoss_.rank < 0) throw UsageError("there is no slave to do the task: all have been dismissed (Master::dismissSlaves)");
    throw NoSlavesLeft(doerCount(), lastLoss_.text());
}

std::exception_ptr JobSlaves::noneLeft() const { return std::make_exception_ptr(NoSlavesLeft(doerCount(), lastLoss_.text())); }

/// The number of ranks that do tasks or did tasks before they were lost or dismissed. Sub-masters are not counted.
int JobSlaves::doerCount() const { return schedule_.slaveCount() - static_cast<int>(groups_.subMasters().size()); }

void JobSlaves::add(int count) {
    if (recruiter_ == nullptr) throw SlavesCannotJoin("only an Application can start slaves, and this master was made without one");
    const int firstRank = connector_.size();
    recruiter_->recruit(count);
    schedule_.addSlaves(count);
    sharedObjects_.join(firstRank);
    events_.joined(count);
    logLine(spdlog::level::info, "{} slaves have joined: there are {} now", count, this->count());
}

bool JobSlaves::dismissIdle(const std::function<bool(int)>& mayLeave) {
    const std::optional<int> slave = schedule_.dismissIdle([&mayLeave](int idle) { return mayLeave(rankOfSlave(idle)); });
    if (!slave) return false;
    const int rank = rankOfSlave(*slave);
    sharedObjects_.dismiss(rank);
    events_.leaving(rank);
    sendNotice(detail::mailboxOf(connector_), rank, TaskNotice::Leave, {});
    logLine(spdlog::level::info, "rank {} has nothing to do, and leaves", rank);
    return true;
}

std::optional<std::vector<Schedule::Orphan>> JobSlaves::lose(const Loss& loss) {
    if (loss.rank < 1 || !schedule_.isThere(slaveOfRank(loss.rank))) return std::nullopt;
    lastLoss_ = loss;
    std::vector<Schedule::Orphan> orphans = schedule_.lose(slaveOfRank(loss.rank));
    events_.lost(loss.rank, loss.reason, orphans.size());
    return orphans;
}

void JobSlaves::replaceLost(int rank) {
    sharedObjects_.lose(rank);
    if (isSubMaster(rank)) return serveSlavesOf(rank);
    if (hasSubMaster(rank)) schedule_.shrinkGroup(slaveOfRank(groups_.masterOf(rank)));
}

std::vector<int> JobSlaves::slavesServedFor(int rank) const {
    if (!isSubMaster(rank)) return {};
    std::vector<int> slaves = groups_.slavesOf(rank);
    std::erase_if(slaves, [this](int slave) { return !schedule_.isThere(slaveOfRank(slave)); });
    return slaves;
}

/// Gives the slaves of a lost sub-master their tasks directly from now on.
void JobSlaves::serveSlavesOf(int subMaster) {
    for (const int rank : slavesServedFor(subMaster)) {
        sendNotice(detail::mailboxOf(connector_), rank, TaskNotice::Serve, {});
        schedule_.ungroup(slaveOfRank(rank));
        sharedObjects_.serve(rank);
    }
}

bool JobSlaves::hasSubMaster(int rank) const {
    const int subMaster = groups_.masterOf(rank);
    return subMaster != 0 && schedule_.isThere(slaveOfRank(subMaster));
}

int JobSlaves::slaveBehind(int subMaster, const Parcel& origin) const {
    if (groups_.masterOf(origin.detail) == subMaster) return origin.detail;
    throw SerializationError(fmt::format("rank {} has replies of rank {}, which is not in its group", subMaster, origin.detail));
}

int JobSlaves::begunRankIn(const Letter& letter) const {
    const int rank = letter.envelope.number;
    const bool isOfGroup = isSubMaster(letter.from) && groups_.masterOf(rank) == letter.from;
    if (rank == letter.from || isOfGroup) return rank;
    throw SerializationError(fmt::format("rank {} says that rank {}, which is not in its group, has begun a task", letter.from, rank));
}

int JobSlaves::lostRankIn(const Letter& letter) const {
    const int lostRank = letter.envelope.number;
    if (noticeIn(letter) == TaskNotice::Orphaned && groups_.masterOf(lostRank) == letter.from) return lostRank;
    throw SerializationError(fmt::format("rank {} says something of tasks that only a sub-master of the lost rank can say", letter.from));
}

}    // namespace ferry::detail
