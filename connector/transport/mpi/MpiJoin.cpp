#include <ferry/connector/transport/mpi/MpiJoin.hpp>

#include <unistd.h>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include <ferry/connector/transport/mpi/MpiTransport.hpp>
#include <ferry/connector/transport/mpi/calls/MpiCheck.hpp>
#include <ferry/connector/transport/mpi/calls/MpiText.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

struct MpiJoin::Processes {
    MPI_Comm communicator;    ///< never freed: such a process ends without MPI_Finalize
};

namespace {

/// The command of the process, with its arguments.
struct CommandLine {
    std::string program;
    std::vector<std::string> arguments;
};

CommandLine commandLineOfThisProcess() {
    CommandLine line{platform::programFile(), platform::programArguments()};
    if (::access(line.program.c_str(), X_OK) != 0)
        throw UsageError(fmt::format("the file of this program is not there any more, and new ranks need it: {}", line.program));
    return line;
}

MPI_Comm merged(MPI_Comm between, int isBehind) {
    MPI_Comm all = MPI_COMM_NULL;
    checkMpi(MPI_Comm_set_errhandler(between, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler", between);
    checkMpi(MPI_Intercomm_merge(between, isBehind, &all), "MPI_Intercomm_merge", between);
    checkMpi(MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler", all);
    return all;
}

}    // namespace

MpiJoin::MpiJoin(std::shared_ptr<const Processes> processes) : processes_(std::move(processes)) {}

bool MpiJoin::isJoining() {
    MPI_Comm parent = MPI_COMM_NULL;
    checkMpi(MPI_Comm_get_parent(&parent), "MPI_Comm_get_parent");
    return parent != MPI_COMM_NULL;
}

MpiJoin MpiJoin::start(int count) {
    CommandLine line = commandLineOfThisProcess();
    std::vector<char*> arguments;
    for (std::string& argument : line.arguments) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    const std::string folder = std::filesystem::current_path().string();
    MPI_Comm self = MPI_COMM_NULL;
    MPI_Comm between = MPI_COMM_NULL;
    MPI_Info info = MPI_INFO_NULL;
    checkMpi(MPI_Info_create(&info), "MPI_Info_create");
    checkMpi(MPI_Info_set(info, "wdir", folder.c_str()), "MPI_Info_set");
    checkMpi(MPI_Comm_dup(MPI_COMM_SELF, &self), "MPI_Comm_dup");
    checkMpi(MPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler", self);
    const int result = MPI_Comm_spawn(line.program.c_str(), arguments.data(), count, info, 0, self, &between, MPI_ERRCODES_IGNORE);
    MPI_Info_free(&info);
    checkMpi(result, "MPI_Comm_spawn", self);
    return MpiJoin(std::make_shared<const Processes>(Processes{merged(between, 0)}));
}

MpiJoin MpiJoin::withMaster() {
    MPI_Comm parent = MPI_COMM_NULL;
    checkMpi(MPI_Comm_get_parent(&parent), "MPI_Comm_get_parent");
    return MpiJoin(std::make_shared<const Processes>(Processes{merged(parent, 1)}));
}

int MpiJoin::rank() const {
    int rank = 0;
    checkMpi(MPI_Comm_rank(processes_->communicator, &rank), "MPI_Comm_rank", processes_->communicator);
    return rank;
}

std::string MpiJoin::textOfFirst(const std::string& text) const { return mpiTextOfFirst(text, processes_->communicator); }

std::unique_ptr<Transport> MpiJoin::transport(LossSource* losses) const { return mpiTransport(processes_->communicator, losses); }

}    // namespace ferry::detail
