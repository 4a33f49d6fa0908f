// The dispatcher's handling of slaves in groups. A sub-master gives the tasks to the slaves of its group.
#include <ferry/framework/master/Dispatcher.hpp>

#include <cstdint>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include <ferry/framework/monitor/JobMonitor.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/schedule/slaveNumbers.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry {

void Dispatcher::arrangeGroups() {
    for (const int subMaster : groups_.subMasters()) {
        const int slaveCount = static_cast<int>(groups_.slavesOf(subMaster).size());
        schedule_.group(slaveOfRank(subMaster), slaveCount);
        if (monitor_ != nullptr) monitor_->statistics().grouped(slaveOfRank(subMaster), slaveCount);
    }
}

/// The slave whose replies follow this parcel in a letter of a sub-master.
int Dispatcher::slaveBehind(int subMaster, const Parcel& parcel) const {
    if (groups_.masterOf(parcel.detail) == subMaster) return parcel.detail;
    throw SerializationError(fmt::format("rank {} has replies of rank {}, which is not in its group", subMaster, parcel.detail));
}

/// The number of ranks that do tasks or did tasks before they were lost or dismissed. Sub-masters are not counted.
int Dispatcher::doerCount() const { return schedule_.slaveCount() - static_cast<int>(groups_.subMasters().size()); }

/// Takes in a letter of a sub-master that has lost a slave. The letter lists the calls that the lost slave may have begun.
void Dispatcher::takeInOrphaned(const Letter& letter) {
    const int lostRank = letter.envelope.number;
    if (static_cast<TaskNotice>(letter.envelope.key) != TaskNotice::Orphaned || groups_.masterOf(lostRank) != letter.from)
        throw SerializationError(
            fmt::format("rank {} says something of tasks that only a sub-master of the lost rank can say", letter.from));
    std::vector<std::int32_t> numbers;
    IntReader in(letter.body());
    in >> numbers;
    in.expectEnd();
    std::size_t givenOut = 0;
    for (const std::int32_t number : numbers) {
        if (!callAt(letter.from, number, "has lost")) continue;
        schedule_.givenBack(slaveOfRank(letter.from), number, connector_.now(), true);
        if (monitor_ != nullptr) monitor_->statistics().givenBack(slaveOfRank(letter.from));
        givenOut += takeFromLost(lostRank, {number, true}) ? 1 : 0;
    }
    if (monitor_ != nullptr) monitor_->statistics().orphaned(slaveOfRank(lostRank), numbers.size());
    logLine(spdlog::level::info, "{} tasks that rank {} had from rank {} go to others", givenOut, lostRank, letter.from);
    if (schedule_.liveCount() == 0) failAll();
}

void Dispatcher::noteGroupLoss(int rank) {
    if (groups_.isSubMaster(rank)) return serveSlavesOf(rank);
    const int subMaster = groups_.masterOf(rank);
    if (subMaster != 0 && schedule_.isThere(slaveOfRank(subMaster))) schedule_.shrinkGroup(slaveOfRank(subMaster));
}

/// Gives the slaves of a lost sub-master their tasks directly from now on.
void Dispatcher::serveSlavesOf(int subMaster) {
    for (const int rank : groups_.slavesOf(subMaster)) {
        if (!schedule_.isThere(slaveOfRank(rank))) continue;
        notify(rank, TaskNotice::Serve, {});
        schedule_.ungroup(slaveOfRank(rank));
        sharedObjects_.serve(rank);
    }
}

}    // namespace ferry
