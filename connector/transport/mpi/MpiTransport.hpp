#pragma once

#include <memory>

#include <mpi.h>

#include <ferry/connector/transport/LossSource.hpp>
#include <ferry/connector/transport/Transport.hpp>

namespace ferry {

/// A transport over MPI, made by all ranks of the communicator together.
///
/// The communicator stays the user's. Ferry works on duplicates of it (data, large data, control), so its traffic never meets the user's
/// own. The errors of the duplicates are returned and checked. MPI must be initialised. The code that initialised MPI finalizes it after
/// the transport is destroyed. Threads: only one thread uses the transport. When that thread initialised MPI, any level will do
/// (MPI_THREAD_SINGLE, when the program has no other thread). Any other thread needs MPI_THREAD_SERIALIZED. Errors: MpiError. UsageError
/// when MPI is not initialised or already finalized, for a level that is too low, for MPI_COMM_NULL, and for an intercommunicator.
///
/// With a source of losses, which must outlive the transport, the transport survives losses. Errors of MPI that only say that a rank has
/// failed are left to the source. No arrays are fetched from where they lie, since a rank may die meanwhile. abort() ends this process
/// alone, as MPI_Abort may not return after a death.
std::unique_ptr<detail::Transport> mpiTransport(MPI_Comm communicator, detail::LossSource* losses = nullptr);

namespace detail {

class MpiBases;

/// The communicator that mpiTransport() was given, for the transport or for the one inside. MPI_COMM_NULL when there is none.
MPI_Comm communicatorOf(const Transport& transport) noexcept;

/// The bases for communicators of some ranks, which belong to that transport; null where communicatorOf() has no communicator.
MpiBases* basesOf(const Transport& transport) noexcept;

}    // namespace detail

}    // namespace ferry
