#pragma once

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/transport/mpi/MpiTransport.hpp>

namespace ferry {

/// The communicator of MPI over which the connector was made. A rank has the same number in both. The communicator is for the program's own
/// calls of MPI, which never meet messages of Ferry. Under an Application the result is MPI_COMM_WORLD. A communicator given to
/// mpiTransport() still belongs to the caller. All ranks of the connector must make the program's collective calls of MPI; Ferry wakes no
/// rank that waits in one.
/// Errors: UsageError when the ranks are threads or simulated, for a connector of a group, and on rank 0 when ranks have joined.
MPI_Comm communicatorOf(Connector& connector);

/// Makes a new communicator of MPI for the ranks of the connector, in their order. A solver inside a group or inside a task of a team
/// (Team::connector()) may need such a communicator. All ranks of the connector call it together, and free the communicator by
/// MPI_Comm_free. A rank that fails before it calls wakes the others, in a guarded region or a team. In calls of MPI on the communicator
/// Ferry wakes no rank. Where MPI itself finds the loss of a rank (Open MPI 5), these calls return an error on all ranks, and so do calls
/// on communicators made of this one. Other errors end the job, unless the program has set another handler before. After the loss of a
/// rank, the other ranks still make communicators. Errors: UsageError when the ranks are threads or simulated, or have joined later;
/// LostRank; MpiError.
MPI_Comm makeCommunicator(Connector& connector);

}    // namespace ferry
