#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/framework/master/BesideJob.hpp>
#include <ferry/framework/master/JobEvents.hpp>
#include <ferry/framework/master/SharedObjects.hpp>
#include <ferry/framework/parcel/Parcel.hpp>
#include <ferry/framework/schedule/Schedule.hpp>
#include <ferry/framework/schedule/SlaveGroups.hpp>

namespace ferry::detail {

/// The slaves of a job as its master knows them: their groups, and those that join, leave or are lost.
///
/// Tells each change to the schedule, to the shared objects and to the slaves that it concerns. A sub-master is one slave of the schedule.
/// The object itself knows nothing of calls.
/// Threads: the master's. Errors: those of the mailbox.
class JobSlaves {
public:
    /// Arranges the groups of `beside` in the schedule. The other arguments and the recruiter of `beside` must outlive the object.
    JobSlaves(Connector& connector, const BesideJob& beside, Schedule& schedule, SharedObjects& sharedObjects, JobEvents& events);
    JobSlaves(const JobSlaves&) = delete;
    JobSlaves& operator=(const JobSlaves&) = delete;

    /// The number of ranks that do tasks and are neither lost nor dismissed.
    int count() const noexcept { return schedule_.liveCount(); }
    /// Errors: NoSlavesLeft when the last slave was lost; UsageError when the job had no slave, or has dismissed all.
    void requireSome() const;
    /// The failure of the calls when the last slave was lost.
    std::exception_ptr noneLeft() const;

    /// Adds slaves (SlaveRecruiter::recruit). They get the shared objects. Errors: SlavesCannotJoin.
    void add(int count);
    /// Lets an idle slave leave the job, if mayLeave(rank). False: no such slave is idle.
    bool dismissIdle(const std::function<bool(int)>& mayLeave);

    /// Notes the loss of a rank. Returns the calls of the slave, which wait again. Empty: the rank is no slave of the job any more.
    std::optional<std::vector<Schedule::Orphan>> lose(const Loss& loss);
    /// Gives the other slaves what the lost slave was to give them: shared objects and, as a sub-master, tasks.
    void replaceLost(int rank);
    /// The present slaves of the group that a lost sub-master had. Empty for any other rank.
    std::vector<int> slavesServedFor(int rank) const;
    /// The last slave whose loss was noted; its rank is -1 when there is none.
    const Loss& lastLoss() const noexcept { return lastLoss_; }

    /// Whether a sub-master is there that gives the slave its tasks.
    bool hasSubMaster(int rank) const;
    bool isSubMaster(int rank) const noexcept { return groups_.isSubMaster(rank); }
    /// The slave whose replies follow this parcel in a letter of a sub-master. Errors: SerializationError for a slave of another group.
    int slaveBehind(int subMaster, const Parcel& origin) const;
    /// The slave that is lost, as its sub-master says in the letter. Errors: SerializationError for any other letter.
    int lostRankIn(const Letter& letter) const;
    /// The slave that has begun tasks, as a Begun letter tells. Errors: SerializationError when the sender cannot know.
    int begunRankIn(const Letter& letter) const;

private:
    int doerCount() const;
    void serveSlavesOf(int subMaster);

    Connector& connector_;
    Schedule& schedule_;
    SharedObjects& sharedObjects_;
    JobEvents& events_;
    SlaveRecruiter* const recruiter_;    ///< null: no slaves can join
    const SlaveGroups groups_;
    Loss lastLoss_;
};

}    // namespace ferry::detail
