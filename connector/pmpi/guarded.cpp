#include <ferry/connector/pmpi/guarded.hpp>

#include <exception>
#include <utility>
#include <vector>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/pmpi/Filter.hpp>
#include <ferry/connector/pmpi/regionBounds.hpp>
#include <ferry/serialization/exception/ThrowRecord.hpp>

namespace ferry {

void guarded(MPI_Comm communicator, const std::function<void()>& function) {
    pmpi::requireUsable(communicator);
    pmpi::Channel& channel = pmpi::channelForRegion(communicator);
    std::vector<FailureRecord> failures;
    {
        pmpi::Region region(channel);
        std::exception_ptr thrown;
        try {
            function();
        } catch (const pmpi::Filter&) {    // takes nothing: see there
        } catch (...) {
            thrown = std::current_exception();
        }
        failures = pmpi::endRegion(region, channel, thrown);
    }
    if (failures.empty()) return;
    const ThrowRecordingPause pause;    // where the failures were thrown is known already
    throw ExceptionList(std::move(failures));
}

}    // namespace ferry
