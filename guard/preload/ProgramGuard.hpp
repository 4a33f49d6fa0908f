#pragma once

#include <sys/types.h>
#include <exception>
#include <optional>
#include <string>
#include <thread>

#include <ferry/guard/known/LauncherLine.hpp>
#include <ferry/guard/meeting/MeetingPlace.hpp>
#include <ferry/guard/preload/PythonProgram.hpp>
#include <ferry/guard/region/Region.hpp>

namespace ferry::detail {

/// Treats a whole program as one guarded region of plain MPI code, from MPI_Init to MPI_Finalize: for programs that cannot be changed.
///
/// When an exception leaves main() on a rank, the other ranks are woken in their MPI calls, and all stacks are unwound. Rank 0 reports what
/// each rank has thrown, MPI is finalised, and all ranks exit with one status (exitStatus.hpp). The job ends in the same way when a rank
/// ends without MPI_Finalize, by exit() or by returning from main(). Handlers of exit() and destructors of static objects may still call
/// MPI: MPI is finalised behind them.
/// Calls that regions do not support are made without protection. A rank that does not reach an MPI call within FERRY_GUARD_PATIENCE
/// seconds (10) is not waited for: MPI_Abort ends the job. A rank that goes on to call MPI for so long after the failure is ended. A rank
/// that cleans up for six times as long is not waited for either. Nothing changes for programs without MPI. Nothing changes either for
/// programs that cannot be guarded; they print the reason.
///
/// One object for a process; only the thread that runs main() takes part.
class ProgramGuard {
public:
    using Main = int(int, char**, char**);

    static ProgramGuard& ofProcess();
    ProgramGuard(const ProgramGuard&) = delete;
    ProgramGuard& operator=(const ProgramGuard&) = delete;

    /// Runs the program. Returns the status with which the process has to exit.
    int run(Main* main, int argc, char** argv, char** environment);
    /// Notes that the program calls exit().
    void noteExitCall(int status) noexcept;
    /// Ends MPI when the destructors of the program's static objects have run.
    void endBehindObjects() noexcept;
    /// Gives the process the status of the failure, when all libraries have ended.
    void endBehindLibraries() noexcept;
    /// Notes that the program calls quick_exit().
    void noteQuickExitCall(int status) noexcept;
    /// Notes that pthread_exit() or pthread_cancel() ends the thread of main(). Exits in the middle of MPI.
    void noteEndOfThread() noexcept;

private:
    ProgramGuard() = default;

    void expectOneMpi(const void* caller) const;
    void begin();
    bool noteEndOfPython(const PythonProgram::End& end);
    bool finalizes();
    void finishLate();
    void noteExit(int status);
    std::exception_ptr endOfProgram() const;
    void tellAtEnd(const std::exception_ptr& thrown) noexcept;
    void endQuickly() noexcept;
    void abort(int status) noexcept;
    void noteTerminate() noexcept;
    void endGoingOn() noexcept;
    std::exception_ptr untoldFailure() const;
    void conclude(const std::exception_ptr& thrown) noexcept;
    void tell(const std::exception_ptr& thrown) noexcept;
    void assemble();
    [[noreturn]] void endByForce(const pmpi::Region& region, const std::string& why) const noexcept;
    void endMpi();
    void endRegion() noexcept;
    void meetForTheEnd();
    static void sayUnguarded(const std::string& why);

    char** arguments_ = nullptr;
    pid_t process_ = 0;
    std::thread::id thread_;
    pmpi::MeetingPlace* meetingPlace_ = nullptr;
    std::optional<pmpi::Region> region_;
    pmpi::LauncherLine launcherLine_;
    bool isPutOff_ = false;                         ///< MPI_Finalize was called, and is made when the program ends
    bool wasSeen_ = false;                          ///< MPI_Init was intercepted
    std::exception_ptr thrown_;                     ///< this rank's failure, while the region ends
    bool isAborting_ = false;                       ///< the program of this rank has called MPI_Abort
    std::terminate_handler terminate_ = nullptr;    ///< the handler of std::terminate before this object's
    std::optional<int> failedStatus_;               ///< status of the job, set when the failures are told
    int endStatus_ = 0;                             ///< status of the process, as exit() or quick_exit() got it
    bool mayFinalize_ = false;                      ///< no message or collective is under way on any rank, so MPI_Finalize may be called
};

}    // namespace ferry::detail
