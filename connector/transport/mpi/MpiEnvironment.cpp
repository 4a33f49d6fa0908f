#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>

#include <dlfcn.h>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <string>

#include <mpi.h>

#include <ferry/connector/transport/mpi/MpiTransport.hpp>
#include <ferry/connector/transport/mpi/calls/MpiError.hpp>
#include <ferry/connector/transport/mpi/calls/MpiText.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

namespace {

bool isInitialized() {
    int flag = 0;
    checkMpi(MPI_Initialized(&flag), "MPI_Initialized");
    return flag != 0;
}

/// Whether the process was started with this variable. Some MPI libraries set the variables of a launcher in MPI_Init, so the environment
/// of a program that has initialised MPI does not tell.
bool wasStartedWith(const std::string& variable) {
    const bool isSetNow = std::getenv(variable.c_str()) != nullptr;
    return isInitialized() ? platform::wasStartedWith(variable).value_or(isSetNow) : isSetNow;
}

}    // namespace

bool MpiEnvironment::isLaunched() {
    // Open MPI, PMIx (Open MPI 5, srun --mpi=pmix), PMI and PMI2 (MPICH, srun --mpi=pmi2).
    constexpr std::array variables = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE", "PMI_FD"};
    for (const char* variable : variables) {
        if (wasStartedWith(variable)) return true;
    }
    // srun without any PMI: each of several tasks would become a job of its own. MPI itself says best what is missing.
    const char* taskCount = std::getenv("SLURM_STEP_NUM_TASKS");
    return taskCount != nullptr && std::string(taskCount) != "1";
}

bool MpiEnvironment::isPresent() { return isLaunched() || isInitialized(); }

MpiEnvironment::MpiEnvironment(int& argc, char**& argv) {
    int provided = MPI_THREAD_SINGLE;
    if (isInitialized()) {
        checkMpi(MPI_Query_thread(&provided), "MPI_Query_thread");
    } else {
        checkMpi(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
        isOwn_ = true;
        if (provided < MPI_THREAD_FUNNELED) throw UsageError("the MPI library offers no MPI_THREAD_FUNNELED, which Ferry needs");
    }
    checkMpi(MPI_Comm_size(MPI_COMM_WORLD, &worldSize_), "MPI_Comm_size");
    checkMpi(MPI_Comm_rank(MPI_COMM_WORLD, &worldRank_), "MPI_Comm_rank");
}

std::unique_ptr<Transport> MpiEnvironment::worldTransport(LossSource* losses) const { return mpiTransport(MPI_COMM_WORLD, losses); }

std::string MpiEnvironment::textOfFirst(const std::string& text) const { return mpiTextOfFirst(text, MPI_COMM_WORLD); }

std::vector<std::string> MpiEnvironment::textsOfAll(const std::string& text) const { return mpiTextsOfAll(text, MPI_COMM_WORLD); }

bool MpiEnvironment::isRecoveryOn() {
    // mpirun --enable-recovery of Open MPI 4, mpirun --with-ft ulfm of Open MPI 5
    for (const char* variable : {"OMPI_MCA_orte_enable_recovery", "OMPI_MCA_mpi_ft_enable"}) {
        const char* value = std::getenv(variable);
        if (value != nullptr && std::string(value) == "1") return true;
    }
    return false;
}

bool MpiEnvironment::isElastic() { return libraryName().starts_with("Open MPI v4."); }

std::string MpiEnvironment::libraryName() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    checkMpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
    const std::string all(text.data());
    return all.substr(0, all.find_first_of(",\n"));
}

void MpiEnvironment::leaveLauncher() noexcept {
    try {
        if (!isElastic()) return;
    } catch (const std::exception&) {
        return;
    }
    // MPI_Finalize ends with this call of PMIx, behind a barrier. The PMIx library is loaded when mpirun uses it.
    void* library = dlopen("libpmix.so.2", RTLD_NOW | RTLD_NOLOAD);
    if (library == nullptr) return;
    using IsInitialized = int (*)();
    using Finalize = int (*)(const void*, std::size_t);
    const auto isInitialized = reinterpret_cast<IsInitialized>(dlsym(library, "PMIx_Initialized"));
    const auto finalize = reinterpret_cast<Finalize>(dlsym(library, "PMIx_Finalize"));
    constexpr int mostUsers = 8;    // each user has initialised the library
    for (int i = 0; i < mostUsers && isInitialized != nullptr && finalize != nullptr && isInitialized() != 0; ++i) finalize(nullptr, 0);
}

void MpiEnvironment::endAlone([[maybe_unused]] int exitStatus) noexcept {
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5
    std::raise(SIGKILL);
#endif
    std::_Exit(exitStatus);
}

void MpiEnvironment::finalize() {
    if (!isOwn_) return;
    isOwn_ = false;
    checkMpi(MPI_Finalize(), "MPI_Finalize");
}

}    // namespace ferry::detail
