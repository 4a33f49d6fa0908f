// The classes of this room in a Ferry that is built without MPI (FERRY_WITH_MPI=OFF). Ranks are threads or simulated then.

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/connector/transport/mpi/MpiJoin.hpp>
#include <ferry/connector/transport/mpi/calls/MpiError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

FERRY_EXCEPTION_DEFINED(ferry::MpiError)    // files of other programs may hold one

namespace ferry {

MpiError::MpiError(std::string call, int code, int errorClass, const std::string& explanation, detail::MpiPlace place)
    : Exception(fmt::format("{} failed: {} (code {}, class {})", call, explanation, code, errorClass)),
      call_(std::move(call)),
      code_(code),
      errorClass_(errorClass),
      place_(std::move(place)) {}

std::string_view MpiError::errorClassName() const noexcept { return {}; }

namespace detail {

namespace {

[[noreturn]] void refuseProcesses() {
    throw UsageError(
        "a launcher has started several processes of this program, and Ferry was built without MPI (FERRY_WITH_MPI=OFF): start the program "
        "alone, with threads as ranks, or build Ferry with MPI");
}

}    // namespace

struct MpiJoin::Processes {};

bool MpiEnvironment::isLaunched() { return false; }

bool MpiEnvironment::isPresent() {
    for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
        const char* count = std::getenv(variable);
        if (count != nullptr && std::string_view(count) != "1") return true;
    }
    return false;
}

MpiEnvironment::MpiEnvironment(int& /*argc*/, char**& /*argv*/) { refuseProcesses(); }
std::unique_ptr<Transport> MpiEnvironment::worldTransport(LossSource* /*losses*/) const { refuseProcesses(); }
std::string MpiEnvironment::textOfFirst(const std::string& text) const { return text; }
std::vector<std::string> MpiEnvironment::textsOfAll(const std::string& text) const { return {text}; }
bool MpiEnvironment::isRecoveryOn() { return false; }
bool MpiEnvironment::isElastic() { return false; }
std::string MpiEnvironment::libraryName() { return "no MPI"; }
void MpiEnvironment::leaveLauncher() noexcept {}
void MpiEnvironment::endAlone(int exitStatus) noexcept { std::_Exit(exitStatus); }
void MpiEnvironment::finalize() {}

bool MpiJoin::isJoining() { return false; }
MpiJoin MpiJoin::start(int /*count*/) { refuseProcesses(); }
MpiJoin MpiJoin::withMaster() { refuseProcesses(); }
int MpiJoin::rank() const { return 0; }
std::string MpiJoin::textOfFirst(const std::string& text) const { return text; }
std::unique_ptr<Transport> MpiJoin::transport(LossSource* /*losses*/) const { refuseProcesses(); }

}    // namespace detail

}    // namespace ferry
