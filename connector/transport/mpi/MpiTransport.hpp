#pragma once

#include <memory>

#include <mpi.h>

#include <ferry/connector/transport/LossSource.hpp>
#include <ferry/connector/transport/Transport.hpp>

namespace ferry {

/// A transport over MPI, made by all ranks of the communicator together.
///
/// The communicator stays the user's: Ferry works on duplicates of it (data, large data, control), whose errors are returned and
/// checked, so its traffic never meets the user's own. MPI must be initialised, and be finalized by whoever initialised it, after the
/// transport is destroyed. Threads: only one thread uses the transport. When that is the one that initialised MPI, any level does
/// (MPI_THREAD_SINGLE, when the program has no other thread); else MPI_THREAD_SERIALIZED. Errors: MpiError; UsageError when MPI is not
/// initialised or already finalized, for a level that is too low, and for an intercommunicator.
///
/// With a source of losses, which must outlive it, the transport survives these: errors of MPI that only say that a rank has failed are
/// left to the source, no arrays are fetched from where they lie, since a rank may die meanwhile, and abort() ends this process alone, as
/// MPI_Abort may not return after a death.
std::unique_ptr<Transport> mpiTransport(MPI_Comm communicator, LossSource* losses = nullptr);

}    // namespace ferry
