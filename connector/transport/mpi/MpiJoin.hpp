#pragma once

#include <memory>
#include <string>

#include <ferry/connector/transport/LossSource.hpp>
#include <ferry/connector/transport/Transport.hpp>

namespace ferry::detail {

/// The connection between the master of a job and processes that the master starts while the job runs. The master is rank 0 there.
///
/// Threads: the one that uses MPI. Errors: MpiError.
class MpiJoin {
public:
    /// Tells whether the master of a running job has started this process. MPI must be initialised.
    static bool isJoining();

    /// On the master: starts count processes with the program, command line and folder of this process. Waits until all of them have
    /// initialised MPI, or for ever if one ends before. Errors: UsageError when the file of the program is not there any more. MpiError
    /// when MPI cannot start the processes, for want of free slots for example.
    static MpiJoin start(int count);
    /// On a process that the master has started: joins the master.
    static MpiJoin withMaster();

    int rank() const;

    /// Gives all these processes the text of rank 0, of 4095 characters at most. All of them call it together.
    std::string textOfFirst(const std::string& text) const;

    /// Returns a transport between these processes. All of them call it together. losses: a source of losses, as in mpiTransport().
    std::unique_ptr<Transport> transport(LossSource* losses) const;

private:
    struct Processes;    ///< their communicator
    explicit MpiJoin(std::shared_ptr<const Processes> processes);

    std::shared_ptr<const Processes> processes_;
};

}    // namespace ferry::detail
