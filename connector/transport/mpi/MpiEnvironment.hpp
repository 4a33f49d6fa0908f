#pragma once

#include <memory>
#include <string>
#include <vector>

#include <ferry/connector/transport/LossSource.hpp>
#include <ferry/connector/transport/Transport.hpp>

namespace ferry::detail {

/// MPI for the life of a program. The object initialises MPI unless the user has, and finalizes MPI only when it was initialised here.
///
/// Errors: MpiError; UsageError when the MPI library offers less than MPI_THREAD_FUNNELED.
class MpiEnvironment {
public:
    /// Tells whether this process uses MPI already, or was started as one of several by mpirun, srun or anything else that speaks PMI or
    /// PMIx.
    static bool isPresent();

    /// Tells whether a launcher has started this process, so that the launcher decides on the number of ranks. Also right after
    /// MPI_Init, in which some MPI libraries set the variables of a launcher.
    static bool isLaunched();

    /// MPI may change the arguments.
    MpiEnvironment(int& argc, char**& argv);
    MpiEnvironment(const MpiEnvironment&) = delete;
    MpiEnvironment& operator=(const MpiEnvironment&) = delete;
    ~MpiEnvironment() = default;

    /// Tells whether MPI was initialised here.
    bool isOwn() const noexcept { return isOwn_; }

    int worldSize() const noexcept { return worldSize_; }

    int worldRank() const noexcept { return worldRank_; }

    /// Returns a transport between all processes that were started together. losses: a source of losses, as in mpiTransport().
    std::unique_ptr<Transport> worldTransport(LossSource* losses = nullptr) const;

    /// Gives all processes the text of rank 0, of 4095 characters at most. All processes call it together.
    std::string textOfFirst(const std::string& text) const;

    /// Returns the texts of all processes, in the order of ranks; each of 4095 characters at most. All processes call it together.
    std::vector<std::string> textsOfAll(const std::string& text) const;

    /// Tells whether the launcher lets the other processes live when one ends. The answer comes from the variables that mpirun has set.
    static bool isRecoveryOn();
    /// Tells whether processes may join a job that survives deaths, and leave it before its end. Only Open MPI 4 can do that. Other
    /// libraries end the job then.
    static bool isElastic();
    /// The name of the MPI library, such as "Open MPI v4.1.4".
    static std::string libraryName();

    /// Tells the launcher that this process ends in order, though without MPI_Finalize. The call is the last thing that a process does with
    /// MPI. The call waits for no other rank, and two seconds at most for the launcher. The call works with Open MPI 4 alone. Its mpirun
    /// never ends when it misses the call of two processes of one remote host.
    static void leaveLauncher() noexcept;

    /// Ends this process alone, in a job that survives deaths. The launcher of Open MPI 5 counts a process twice that ends by itself with a
    /// status other than 0, and might end before the job. So the process ends by a signal there.
    [[noreturn]] static void endAlone(int exitStatus) noexcept;

    /// Finalizes MPI if it was initialised here. Waits for the other ranks to do the same. No transport may be used afterwards.
    void finalize();

private:
    bool isOwn_ = false;
    int worldSize_ = 1;
    int worldRank_ = 0;
};

}    // namespace ferry::detail
