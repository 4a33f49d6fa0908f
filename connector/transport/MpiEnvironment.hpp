#pragma once

#include <memory>

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

    int worldSize() const noexcept { return worldSize_; }

    /// A transport between all processes that were started together.
    std::unique_ptr<Transport> worldTransport() const;

    /// Finalizes MPI if it was initialised here; waits for the other ranks to do the same. No transport may be used afterwards.
    void finalize();

private:
    bool isOwn_ = false;
    int worldSize_ = 1;
};

}    // namespace ferry
