#pragma once

#include <memory>
#include <string>

#include <ferry/connector/transport/LossSource.hpp>
#include <ferry/connector/transport/Transport.hpp>

namespace ferry {

/// MPI for the life of a program: initialises it unless the user has, and finalizes it only when it was initialised here.
///
/// Errors: MpiError; UsageError when the MPI library offers less than MPI_THREAD_FUNNELED.
class MpiEnvironment {
public:
    /// Whether this process was started as one of several by mpirun, srun or anything else that speaks PMI or PMIx, or uses MPI already.
    static bool isPresent();

    /// The arguments may be changed by MPI.
    MpiEnvironment(int& argc, char**& argv);
    MpiEnvironment(const MpiEnvironment&) = delete;
    MpiEnvironment& operator=(const MpiEnvironment&) = delete;
    ~MpiEnvironment() = default;

    /// Whether it was initialised here.
    bool isOwn() const noexcept { return isOwn_; }

    int worldSize() const noexcept { return worldSize_; }

    int worldRank() const noexcept { return worldRank_; }

    /// A transport between all processes that were started together; with a source of losses, as mpiTransport().
    std::unique_ptr<Transport> worldTransport(LossSource* losses = nullptr) const;

    /// Gives all processes the text of rank 0, of 4095 characters at most; all call it together.
    std::string textOfFirst(const std::string& text) const;

    /// Whether the launcher lets the other processes live when one ends: what the environment says that mpirun has set.
    static bool isRecoveryOn();
    /// Whether processes may join a job that survives deaths, and leave it before its end: with Open MPI 4 alone. Others end the job then.
    static bool isElastic();
    /// The MPI library, such as "Open MPI v4.1.4".
    static std::string libraryName();

    /// Tells the launcher that this process ends in order, though without MPI_Finalize: the last thing that a process does with MPI. Waits
    /// for no other rank, and two seconds at most for the launcher. Open MPI 4 alone; its mpirun never ends when it misses that of two
    /// processes of one remote host.
    static void leaveLauncher() noexcept;

    /// Finalizes MPI if it was initialised here; waits for the other ranks to do the same. No transport may be used afterwards.
    void finalize();

private:
    bool isOwn_ = false;
    int worldSize_ = 1;
    int worldRank_ = 0;
};

}    // namespace ferry
