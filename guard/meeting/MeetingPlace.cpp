#include <ferry/guard/meeting/MeetingPlace.hpp>

#include <algorithm>
#include <memory>

#include <ferry/guard/known/FilesAndWindows.hpp>
#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/known/Turn.hpp>
#include <ferry/guard/meeting/WaitWatchdog.hpp>

namespace ferry::pmpi {

namespace {

constexpr int noticeTag = 1;

std::vector<std::unique_ptr<MeetingPlace>>& channelsOfProcess() {
    static auto& channels = *new std::vector<std::unique_ptr<MeetingPlace>>;    // never destroyed: see Communicators
    return channels;
}

/// The text of an array, up to the first zero or the end of the array.
template <std::size_t size>
std::string textOf(const std::array<char, size>& characters) {
    return std::string(characters.begin(), std::find(characters.begin(), characters.end(), '\0'));
}

std::uint32_t nextSerial() {
    static std::uint32_t last = 0;
    return ++last;
}

std::vector<int> neighboursInTree(int rank, int size) {
    std::vector<int> neighbours;
    if (rank > 0) neighbours.push_back((rank - 1) / 2);
    for (const int child : {2 * rank + 1, 2 * rank + 2}) {
        if (child < size) neighbours.push_back(child);
    }
    return neighbours;
}

}    // namespace

MeetingPlace& MeetingPlace::of(MPI_Comm communicator) {
    auto& channels = channelsOfProcess();
    for (const auto& meetingPlace : channels) {
        if (meetingPlace->communicator() == communicator && !meetingPlace->isInRegion_) return *meetingPlace;
    }
    return *channels.emplace_back(std::make_unique<MeetingPlace>(communicator, WaitWatchdog::secondsOfEnvironment()));
}

void MeetingPlace::close(MPI_Comm communicator) {
    std::erase_if(channelsOfProcess(), [communicator](const auto& meetingPlace) {
        if (meetingPlace->communicator() != communicator) return false;
        meetingPlace->end();
        return true;
    });
}

void MeetingPlace::closeAll() {
    for (const auto& meetingPlace : channelsOfProcess()) meetingPlace->end();
    channelsOfProcess().clear();
}

MeetingPlace::MeetingPlace(MPI_Comm communicator, double watchSeconds) : communicator_(communicator), serial_(nextSerial()) {
    must(PMPI_Comm_dup(communicator, &own_), "MPI_Comm_dup");
    must(PMPI_Comm_set_errhandler(own_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    must(PMPI_Comm_rank(own_, &rank_), "MPI_Comm_rank");
    must(PMPI_Comm_size(own_, &size_), "MPI_Comm_size");
    neighbours_ = neighboursInTree(rank_, size_);
    postReceive();
    const std::array<double, 2> wishes{watchSeconds, Turn::areNeeded() ? 1.0 : 0.0};
    std::array<double, 2> greatest{};
    must(PMPI_Allreduce(wishes.data(), greatest.data(), static_cast<int>(wishes.size()), MPI_DOUBLE, MPI_MAX, own_), "MPI_Allreduce");
    watchSeconds_ = greatest[0];
    mayThreadsMeet_ = greatest[1] > 0;
    hostPeers_ = std::make_unique<HostPeers>(own_, rank_, size_);
    entryTree_ = std::make_unique<EntryTree>(own_, size_);
    rollCall_ = std::make_unique<RollCall>(own_, rank_, size_, *entryTree_);
    joinedCalls_ = std::make_unique<JoinedCalls>(own_, rank_, size_);
    census_ = std::make_unique<Census>(own_, rank_, size_);
}

void MeetingPlace::beginRegion() {
    ++number_;
    heardCount_ = earlyCount_;
    failedRank_ = early_.failedRank;
    failedText_ = textOf(early_.thrown);
    earlyCount_ = 0;
    early_ = {};
    rollCall_->beginRegion(number_);
    entryTree_->beginRegion(number_);
    joinedCalls_->beginRegion(number_);
    census_->beginRegion(number_);
    isInRegion_ = true;
}

bool MeetingPlace::look() {
    int hasCome = 0;
    must(PMPI_Test(&arrival_, &hasCome, MPI_STATUS_IGNORE), "MPI_Test");
    if (hasCome != 0) take();
    if (failedRank_ < 0 && rollCall_->failure()) {
        failedRank_ = rollCall_->failure()->rank;
        failedText_ = rollCall_->failure()->text;
    }
    return heardCount_ > 0 || rollCall_->failure();
}

void MeetingPlace::take() {
    if (arriving_.region == number_) {
        ++heardCount_;
        const std::string text = textOf(arriving_.thrown);
        const bool isWhole = failedRank_ == arriving_.failedRank && text.size() > failedText_.size();    // a side message has the beginning
        if (failedRank_ < 0 || isWhole) {
            failedRank_ = arriving_.failedRank;
            failedText_ = text;
        }
    } else {
        ++earlyCount_;
        early_ = arriving_;
    }
    postReceive();
}

void MeetingPlace::tell(int failedRank, const std::string& thrown) {
    if (failedRank_ < 0) {
        failedRank_ = failedRank;
        failedText_ = thrown;
    }
    if (!tellings_.empty() || neighbours_.empty()) return;
    told_ = {number_, failedRank};
    thrown.copy(told_.thrown.data(), told_.thrown.size() - 1);
    for (const int neighbour : neighbours_) {
        MPI_Request& telling = tellings_.emplace_back();
        must(PMPI_Isend(&told_, sizeof told_, MPI_BYTE, neighbour, noticeTag, own_, &telling), "MPI_Isend");
    }
    if (failedRank == rank_ && FilesAndWindows::ofProcess().isAnyWindow()) rollCall_->tellFailure(thrown);    // for waits in locks
}

void MeetingPlace::awaitNotices() {
    while (heardCount_ < neighbours_.size()) {
        must(PMPI_Wait(&arrival_, MPI_STATUS_IGNORE), "MPI_Wait");
        take();
    }
    must(PMPI_Waitall(static_cast<int>(tellings_.size()), tellings_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    tellings_.clear();
}

void MeetingPlace::startMeeting(Verdict own) {
    rollCall_->noteEnd();
    meant_ = {own.hasFailed ? 1 : 0, own.hasFreed ? 1 : 0, own.haveThreadsMet ? 1 : 0, own.haveCallsDiffered ? 1 : 0,
              own.hasStoodStill ? 1 : 0};
    must(PMPI_Iallreduce(meant_.data(), met_.data(), static_cast<int>(met_.size()), MPI_INT, MPI_MAX, own_, &meeting_), "MPI_Iallreduce");
}

bool MeetingPlace::hasMet() {
    int isDone = 0;
    must(PMPI_Test(&meeting_, &isDone, MPI_STATUS_IGNORE), "MPI_Test");
    return isDone != 0;
}

void MeetingPlace::barrier() const { must(PMPI_Barrier(own_), "MPI_Barrier"); }

void MeetingPlace::postReceive() {
    must(PMPI_Irecv(&arriving_, sizeof arriving_, MPI_BYTE, MPI_ANY_SOURCE, noticeTag, own_, &arrival_), "MPI_Irecv");
}

void MeetingPlace::end() {
    rollCall_->end();
    entryTree_->end();
    joinedCalls_->end();
    census_->end();
    must(PMPI_Cancel(&arrival_), "MPI_Cancel");
    must(PMPI_Wait(&arrival_, MPI_STATUS_IGNORE), "MPI_Wait");
    must(PMPI_Comm_free(&own_), "MPI_Comm_free");
}

}    // namespace ferry::pmpi
