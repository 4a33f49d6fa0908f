#pragma once

#include <functional>

#include <mpi.h>

namespace ferry {

/// Runs the function as a guarded region of plain MPI code. All ranks of the communicator enter and leave the region together. Either all
/// return normally, or all throw the same ExceptionList of the failures of the ranks.
///
/// The program is linked with ferry_pmpi, which intercepts the MPI calls inside of the region. When another rank fails, a rank that waits
/// in such a call is woken with RegionFailed. In a destructor, or another function that no exception can leave, calls return with nothing
/// done, and the next call after that function throws.
/// All ranks meet before any exception is thrown, and before the stack of a throwing rank is unwound. Receives under way are cancelled,
/// unreceived messages are dropped, and the communicators are as before; the same region can run again. docs/existing-mpi.md lists the
/// supported and the refused calls.
/// Requests that were started inside are over when the region fails. Request handles that live outside of the region are then invalid.
/// The first call for a communicator is collective and duplicates it; the duplicate lives until the communicator is freed.
///
/// Regions can be nested, on one communicator or on one with some of its ranks. All ranks of an inner region enter it together. The
/// exception of an inner region leaves the outer one only if it is not caught there. A rank in an inner region notices a failure outside of
/// it at the inner region's end.
///
/// Threads: one thread at a time may call MPI or enter a region. Where MPI was initialised for MPI_THREAD_MULTIPLE, calls of several
/// threads at the same time are made, too; a failure after that ends the job by force. Errors: ExceptionList, on every rank. UsageError
/// before the region is entered, if MPI is not initialised, for an intercommunicator, and if MPI calls do not pass through ferry_pmpi.
/// UsageError for an inner region also if the communicator has ranks outside of the outer region, or if a non-blocking collective or a
/// receive from any tag is under way there. An error of MPI in the guard itself ends the job (MPI_Abort).
void guarded(MPI_Comm communicator, const std::function<void()>& function);

}    // namespace ferry
