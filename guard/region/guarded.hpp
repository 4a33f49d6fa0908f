#pragma once

#include <functional>

#include <mpi.h>

namespace ferry {

/// Runs the function as a guarded region of plain MPI code: all ranks of the communicator enter it and leave it together, all in the
/// normal way, or all with the same ExceptionList of what the ranks have thrown.
///
/// The program is linked with ferry_pmpi, which stands before the MPI library and sees the MPI calls inside of the region: a rank that
/// waits in one of them when another rank fails is woken with RegionFailed; in a destructor, or another function that no exception can
/// leave, its calls return with nothing done instead, and the next one behind it throws. Before anything is thrown, and before the stack of
/// a rank that throws is unwound, all ranks meet: receives under way are cancelled, messages that nobody has received are dropped, and the
/// communicators are as they were; the same region can run again. What is supported, and what is refused: docs/existing-mpi.md.
/// Requests that were started inside are over when the region fails; those that live outside of it hold what is not a request any more.
/// The first call for a communicator is collective and duplicates it; the duplicate lives until the communicator is freed.
///
/// Regions may be inside of others, on the same communicator or on one of some of their ranks. All its ranks enter an inner one together.
/// What it throws leaves the outer one only where nobody catches it there. A rank that is in it hears of a failure outside of it at its
/// end.
///
/// Threads: only the thread that has entered the region may call MPI; an MPI that was initialised for more than MPI_THREAD_FUNNELED is
/// refused.
/// Errors: ExceptionList, on every rank. UsageError before the region is entered: MPI is not initialised, an intercommunicator, MPI
/// calls that do not come by ferry_pmpi; for a region inside of another one also a communicator with ranks outside of that, and a
/// non-blocking collective, or a receive from any tag, that is under way there. An error of MPI in the guard itself ends the job
/// (MPI_Abort).
void guarded(MPI_Comm communicator, const std::function<void()>& function);

}    // namespace ferry
