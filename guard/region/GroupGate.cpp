#include <ferry/guard/region/GroupGate.hpp>

#include <utility>

#include <ferry/guard/known/MpiMust.hpp>

namespace ferry::pmpi {

namespace {

// On the meeting place, behind the tags of all others. MPI allows tags up to 32767 everywhere.
constexpr int firstGateTag = 100;
constexpr int gateTagCount = 8000;
constexpr int gateStepCount = 3;
constexpr int arrivalStep = 0;
constexpr int otherStep = 1;
constexpr int releaseStep = 2;

}    // namespace

GroupGate::GroupGate(const MeetingPlace& meetingPlace, std::vector<int> ranks, int tag, std::optional<int> otherLeader)
    : meetingPlace_(meetingPlace),
      ranks_(std::move(ranks)),
      gateTag_(firstGateTag + gateStepCount * (tag % gateTagCount)),
      otherLeader_(otherLeader) {
    if (!isLeader()) tell(ranks_.front(), gateTag_ + arrivalStep);
}

std::vector<Operation> GroupGate::awaited() const {
    std::vector<int> ranks{ranks_.front()};
    if (isLeader()) ranks.assign(ranks_.begin() + 1, ranks_.end());
    if (otherLeader_) ranks.push_back(*otherLeader_);
    std::vector<Operation> operations;
    for (const int rank : ranks) operations.push_back({RequestKind::Arrival, rank, MPI_ANY_TAG, meetingPlace_.communicator()});
    return operations;
}

bool GroupGate::isOver() {
    if (isOver_) return true;
    if (!isLeader()) return isOver_ = take(ranks_.front(), gateTag_ + releaseStep);
    for (; cameCount_ < ranks_.size(); ++cameCount_) {
        if (!take(ranks_[cameCount_], gateTag_ + arrivalStep)) return false;
    }
    if (otherLeader_ && !hasTold_) tell(*otherLeader_, gateTag_ + otherStep);
    hasTold_ = true;
    if (otherLeader_ && !take(*otherLeader_, gateTag_ + otherStep)) return false;
    for (std::size_t i = 1; i < ranks_.size(); ++i) tell(ranks_[i], gateTag_ + releaseStep);
    return isOver_ = true;
}

bool GroupGate::take(int from, int tag) const {
    int hasCome = 0;
    must(PMPI_Iprobe(from, tag, meetingPlace_.own(), &hasCome, MPI_STATUS_IGNORE), "MPI_Iprobe");
    if (hasCome == 0) return false;
    must(PMPI_Recv(nullptr, 0, MPI_BYTE, from, tag, meetingPlace_.own(), MPI_STATUS_IGNORE), "MPI_Recv");
    return true;
}

void GroupGate::tell(int to, int tag) const {
    MPI_Request request = MPI_REQUEST_NULL;
    must(PMPI_Isend(nullptr, 0, MPI_BYTE, to, tag, meetingPlace_.own(), &request), "MPI_Isend");
    must(PMPI_Request_free(&request), "MPI_Request_free");
}

}    // namespace ferry::pmpi
