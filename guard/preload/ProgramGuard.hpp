#pragma once

#include <sys/types.h>
#include <exception>
#include <optional>
#include <string>
#include <thread>

#include <ferry/guard/meeting/Channel.hpp>
#include <ferry/guard/region/Region.hpp>

namespace ferry {

/// A whole program as one guarded region of plain MPI code, from its MPI_Init to its MPI_Finalize: for programs that cannot be changed.
///
/// When a rank throws what its own main() does not catch, the others are woken in their calls of MPI, all stacks are unwound, rank 0 says
/// what each has thrown, MPI is finalised, and all exit with one status (exitStatus.hpp). So they do when a rank ends, by exit() or from
/// main(), without MPI_Finalize. What regions do not support is made as ever, without protection. A rank that does not come to a call of
/// MPI within FERRY_GUARD_PATIENCE seconds (10) is not waited for: the job is ended then by MPI_Abort. Nothing changes for programs without
/// MPI, and for such as cannot be guarded, which say why.
///
/// One for a process; only the thread that runs main() takes part.
class ProgramGuard {
public:
    using Main = int(int, char**, char**);

    static ProgramGuard& ofProcess();
    ProgramGuard(const ProgramGuard&) = delete;
    ProgramGuard& operator=(const ProgramGuard&) = delete;

    /// Runs the program. The status with which it has to exit.
    int run(Main* main, int argc, char** argv, char** environment);

private:
    ProgramGuard() = default;

    void begin();
    bool finalizes();
    void noteExit(int status);
    void conclude(const std::exception_ptr& thrown) noexcept;
    void endMpi();
    static void sayUnguarded(const std::string& why);
    [[noreturn]] static void giveUp(const pmpi::Region& region);

    pid_t process_ = 0;
    std::thread::id thread_;
    pmpi::Channel* channel_ = nullptr;
    std::optional<pmpi::Region> region_;
    bool wasSeen_ = false;               ///< MPI_Init has come by
    std::optional<int> failedStatus_;    ///< of the job, when the region has ended with failures
    bool mayFinalize_ = false;           ///< nothing is under way then, on any rank
};

}    // namespace ferry
