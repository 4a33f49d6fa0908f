#include <ferry/guard/region/guarded.hpp>

#include <exception>
#include <utility>
#include <vector>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/guard/region/Filter.hpp>
#include <ferry/guard/region/regionBounds.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>
#include <ferry/serialization/exception/ThrowRecord.hpp>

namespace ferry {

namespace {

/// Runs a region. Returns the failures of all ranks, with the ranks of the region; empty: it has succeeded.
std::vector<detail::FailureRecord> runRegion(MPI_Comm communicator, const std::function<void()>& function) {
    pmpi::Channel& channel = pmpi::channelForRegion(communicator);
    pmpi::Region region(channel);
    std::exception_ptr thrown;
    try {
        function();
    } catch (const pmpi::Filter&) {    // catches nothing: see Filter
    } catch (detail::ForcedUnwind&) {
        throw;
    } catch (...) {
        thrown = std::current_exception();
    }
    return pmpi::endRegion(region, channel, thrown);
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
