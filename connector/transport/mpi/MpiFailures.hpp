#pragma once

#include <algorithm>
#include <span>

#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

// Questions to an MPI with ULFM about processes that have failed. Without ULFM there is no answer.

namespace ferry::detail {

inline bool hasErrorClass(int result, int wanted) noexcept {
    int errorClass = MPI_SUCCESS;
    return MPI_Error_class(result, &errorClass) == MPI_SUCCESS && errorClass == wanted;
}

/// Tells whether the result of a call says no more than that another process has failed.
inline bool isOfLostRank([[maybe_unused]] int result) noexcept {
#if defined(MPIX_ERR_PROC_FAILED)
    if (result == MPI_SUCCESS) return false;
    int errorClass = MPI_SUCCESS;
    if (MPI_Error_class(result, &errorClass) != MPI_SUCCESS) return false;
    return errorClass == MPIX_ERR_PROC_FAILED || errorClass == MPIX_ERR_PROC_FAILED_PENDING;
#else
    return false;
#endif
}

/// Tells whether the result says that a process has failed, of a receive that another rank may still meet.
inline bool isOfAnyLostRank([[maybe_unused]] int result) noexcept {
#if defined(MPIX_ERR_PROC_FAILED)
    return hasErrorClass(result, MPIX_ERR_PROC_FAILED_PENDING);
#else
    return false;
#endif
}

/// Tells whether the result says that a communicator is of no use any more, since a rank of it is lost.
inline bool isOfRevoked([[maybe_unused]] int result) noexcept {
#if defined(MPIX_ERR_REVOKED)
    return hasErrorClass(result, MPIX_ERR_REVOKED);
#else
    return false;
#endif
}

/// Ends the calls of all ranks on the communicator, with an error that isOfRevoked() knows.
inline void revoke([[maybe_unused]] MPI_Comm communicator) noexcept {
#if defined(MPIX_ERR_REVOKED)
    static_cast<void>(MPIX_Comm_revoke(communicator));    // the call fails where the communicator is revoked already
#endif
}

/// Tells whether isOfLostRank() holds for one of several requests.
inline bool isAnyOfLostRank(std::span<const MPI_Status> statuses) noexcept {
    return std::any_of(statuses.begin(), statuses.end(), [](const MPI_Status& status) { return isOfLostRank(status.MPI_ERROR); });
}

/// Lets receives from any rank go on after failures. Otherwise each receive would report the failures.
inline void acknowledgeLosses([[maybe_unused]] MPI_Comm communicator) noexcept {
#if defined(MPIX_ERR_PROC_FAILED)
    static_cast<void>(MPIX_Comm_failure_ack(communicator));    // the call fails where no process has failed
#endif
}

}    // namespace ferry::detail
