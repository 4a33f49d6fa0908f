#include <ferry/guard/region/regionBounds.hpp>

#include <dlfcn.h>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/known/Turn.hpp>
#include <ferry/guard/region/FailureExchange.hpp>
#include <ferry/guard/region/isOfThisLibrary.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::pmpi {

namespace {

/// Whether the program's calls of MPI reach this library: its functions must come before those of the MPI library.
bool isIntercepting() {
    const void* found = dlsym(RTLD_DEFAULT, "MPI_Isend");
    return found == nullptr || isOfThisLibrary(found);    // null: a static program, which has only one such function
}

/// The failures of this rank. An exception in here ends the job, since the other ranks wait for this rank.
std::vector<detail::FailureRecord> ownFailures(const std::exception_ptr& thrown, const Region& region, int rank) noexcept {
    const bool isOwn = thrown && dynamic_cast<const RegionFailed*>(detail::Thrown(thrown).own()) == nullptr;
    std::vector<detail::FailureRecord> records;
    if (region.withheld())
        records = detail::recordsOf(region.withheld(), rank, 0);
    else if (!isOwn && region.mismatch())
        records = detail::recordsOf(std::make_exception_ptr(*region.mismatch()), rank, 0);
    else if (!isOwn && region.deadlock())
        records = detail::recordsOf(std::make_exception_ptr(*region.deadlock()), rank, 0);
    else if (!isOwn && region.ended())
        records = detail::recordsOf(std::make_exception_ptr(*region.ended()), rank, 0);
    else if (!isOwn && region.missed())
        records = detail::recordsOf(std::make_exception_ptr(RankHasLeft(*region.missed())), rank, 0);    // the exception was caught inside
                                                                                                         // the region
    if (!isOwn) return records;
    // An exception that came after the notice of another rank, or after the first failure, is listed later.
    const std::int32_t clock = region.hasFailedItself() && !region.withheld() ? 0 : 1;
    std::vector<detail::FailureRecord> own = detail::recordsOf(thrown, rank, clock);
    if (const auto* list = dynamic_cast<const ExceptionList*>(detail::Thrown(thrown).own())) region.translate(*list, own);
    std::move(own.begin(), own.end(), std::back_inserter(records));
    return records;
}

/// Frees marked communicators when the stacks of all ranks are unwound.
void freeMarked(Region& region, const MeetingPlace& meetingPlace) {
    const int hasFreed = region.hasFreed() ? 1 : 0;
    int hasAnyFreed = 0;
    must(PMPI_Allreduce(&hasFreed, &hasAnyFreed, 1, MPI_INT, MPI_MAX, meetingPlace.own()), "MPI_Allreduce");
    if (hasAnyFreed != 0) region.freeMarked(meetingPlace.own());
}

}    // namespace

void requireUsable(MPI_Comm communicator) {
    int isInitialized = 0;
    int isFinalized = 0;
    PMPI_Initialized(&isInitialized);
    PMPI_Finalized(&isFinalized);
    if (isInitialized == 0 || isFinalized != 0)
        throw UsageError("a guarded region of MPI code needs MPI between MPI_Init and MPI_Finalize");
    int threads = MPI_THREAD_SINGLE;
    must(PMPI_Query_thread(&threads), "MPI_Query_thread");
    if (threads > MPI_THREAD_FUNNELED)
        Turn::need();
    else if (!Turn::areNeeded())
        Turn::noteOnlyThread();
    int isInter = 0;
    must(PMPI_Comm_test_inter(communicator, &isInter), "MPI_Comm_test_inter");
    if (isInter != 0) throw UsageError("a guarded region needs a communicator of one group, found an intercommunicator");
    if (!isIntercepting())
        throw UsageError("the program's calls of MPI do not go through ferry_pmpi: link ferry_pmpi before the MPI library, or preload it");
}

MeetingPlace& meetingPlaceForRegion(MPI_Comm communicator) {
    MeetingPlace& meetingPlace = MeetingPlace::of(communicator);
    if (detail::rankOfThisThread() < 0) detail::setRankOfThisThread(meetingPlace.rank());
    if (detail::rankOfProcess() < 0) detail::setRankOfProcess(meetingPlace.rank());
    return meetingPlace;
}

std::vector<detail::FailureRecord> endRegion(Region& region, const MeetingPlace& meetingPlace, const std::exception_ptr& thrown) {
    if (thrown) {
        region.failHere({});    // for the case that the unwinder has not asked the probe
    } else if (region.succeed()) {
        return {};
    }
    freeMarked(region, meetingPlace);
    return exchangeFailures(meetingPlace.own(), ownFailures(thrown, region, meetingPlace.rank()));
}

std::string endOfThreadText(int rank) {
    return fmt::format("pthread_exit or pthread_cancel ended the thread of rank {} in the middle of MPI", rank);
}

}    // namespace ferry::pmpi
