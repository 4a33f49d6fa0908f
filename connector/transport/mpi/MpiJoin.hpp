#pragma once

#include <memory>
#include <string>

#include <mpi.h>

#include <ferry/connector/transport/LossSource.hpp>
#include <ferry/connector/transport/Transport.hpp>

namespace ferry {

/// The way between the master of a job and processes that it starts while the job runs; the master is rank 0 there.
///
/// Threads: the one that uses MPI. Errors: MpiError.
class MpiJoin {
public:
    /// Whether the master of a running job has started this process. MPI must be initialised.
    static bool isJoining();

    /// On the master: starts so many processes with this one's program, command line and folder, and waits until they have initialised MPI:
    /// for ever if one ends before. Errors: UsageError when the file of the program is not there any more; MpiError when MPI cannot start
    /// them, for want of free slots for example.
    static MpiJoin start(int count);
    /// On a process that it has started.
    static MpiJoin withMaster();

    int rank() const;

    /// Gives all the text of rank 0, of 4095 characters at most; all call it together.
    std::string textOfFirst(const std::string& text) const;

    /// A transport between them; all call it together. With a source of losses, as mpiTransport().
    std::unique_ptr<Transport> transport(LossSource* losses) const;

private:
    explicit MpiJoin(MPI_Comm communicator) : communicator_(communicator) {}

    MPI_Comm communicator_;    ///< never freed: such a process ends without MPI_Finalize
};

}    // namespace ferry
