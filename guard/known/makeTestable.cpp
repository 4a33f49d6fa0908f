#include <ferry/guard/known/makeTestable.hpp>

#include <memory>

namespace ferry::pmpi {

#if defined(MPICH_VERSION) || defined(MPI_ABI_VERSION)    // the library of the standard ABI may be that of MPICH

namespace {

/// The outcome of a call that is over.
struct Outcome {
    MPI_Status status;
    int result = MPI_SUCCESS;
};

int tellOutcome(void* outcome, MPI_Status* status) {
    *status = static_cast<const Outcome*>(outcome)->status;
    return static_cast<const Outcome*>(outcome)->result;
}

int dropOutcome(void* outcome) {
    delete static_cast<Outcome*>(outcome);
    return MPI_SUCCESS;
}

int cancelNoOutcome(void* /*outcome*/, int /*isComplete*/) { return MPI_SUCCESS; }

}    // namespace

int makeTestable(MPI_Request* request) {
    auto outcome = std::make_unique<Outcome>();
    outcome->result = PMPI_Wait(request, &outcome->status);
    const int result = PMPI_Grequest_start(tellOutcome, dropOutcome, cancelNoOutcome, outcome.get(), request);
    if (result != MPI_SUCCESS) return result;
    outcome.release();    // dropOutcome() deletes it, when MPI frees the request
    return PMPI_Grequest_complete(*request);
}

#else

int makeTestable(MPI_Request* /*request*/) { return MPI_SUCCESS; }

#endif

}    // namespace ferry::pmpi
