#include <ferry/guard/region/guarded.hpp>

#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/guard/region/UnwindProbe.hpp>
#include <ferry/guard/region/regionBounds.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>
#include <ferry/serialization/exception/ThrowRecord.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

/// Ends a region whose thread is unwound by pthread_exit() or pthread_cancel(). The others get a failure. Nobody finalises MPI for the main
/// thread of a process: such a process exits, so that no rank waits for it.
void endWithThread(pmpi::Region& region, const pmpi::MeetingPlace& meetingPlace) {
    const std::string text = pmpi::endOfThreadText(meetingPlace.rank());
    {
        const detail::ThrowRecordingPause pause;    // the stack is unwound
        static_cast<void>(pmpi::endRegion(region, meetingPlace, std::make_exception_ptr(UsageError(text))));
    }
    if (::gettid() != ::getpid()) return;
    fmt::print(stderr, "ferry: {}: the process exits with status {}\n", text, EXIT_FAILURE);
    std::exit(EXIT_FAILURE);
}

/// Runs a region. Returns the failures of all ranks, with the ranks of the region; empty: it has succeeded.
std::vector<detail::FailureRecord> runRegion(MPI_Comm communicator, const std::function<void()>& function) {
    pmpi::MeetingPlace& meetingPlace = pmpi::meetingPlaceForRegion(communicator);
    pmpi::Region region(meetingPlace);
    std::exception_ptr thrown;
    try {
        function();
    } catch (const pmpi::UnwindProbe&) {    // catches nothing: see UnwindProbe
    } catch (detail::ForcedUnwind&) {
        endWithThread(region, meetingPlace);
        throw;
    } catch (...) {
        thrown = std::current_exception();
    }
    return pmpi::endRegion(region, meetingPlace, thrown);
}

}    // namespace

void guarded(MPI_Comm communicator, const std::function<void()>& function) {
    pmpi::requireUsable(communicator);
    std::vector<detail::FailureRecord> failures;
    pmpi::Region* const outer = pmpi::activeRegion;
    if (outer == nullptr)
        failures = runRegion(communicator, function);
    else
        outer->runInner(communicator, [&] { failures = runRegion(communicator, function); });
    if (failures.empty()) return;
    const ExceptionList list(std::move(failures));
    if (outer != nullptr) outer->noteInner(communicator, list);
    const detail::ThrowRecordingPause pause;    // the places of the throws are known already
    throw list;
}

}    // namespace ferry
