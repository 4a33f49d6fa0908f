#include <ferry/guard/known/LaterCommunicator.hpp>

#include <ferry/guard/known/MpiMust.hpp>

namespace ferry::pmpi {

bool LaterCommunicator::goOn(MPI_Request* request) {
    Communicators& communicators = Communicators::ofProcess();
    switch (step_) {
        case Step::Making:
            step_ = Step::Numbering;
            own_ = communicators.proposedNumber();
            must(PMPI_Iallreduce(&own_, &agreed_, 1, MPI_INT32_T, MPI_MAX, made_, request), "MPI_Iallreduce");
            return true;
        case Step::Numbering:
            step_ = Step::Keeping;
            id_ = communicators.idFor(agreed_, part_);
            own_ = communicators.reserve(id_) ? 1 : 0;
            must(PMPI_Iallreduce(&own_, &agreed_, 1, MPI_INT32_T, MPI_MIN, made_, request), "MPI_Iallreduce");
            return true;
        case Step::Keeping:
            step_ = Step::Done;
            if (own_ != 0) communicators.addReserved(made_, id_, agreed_ != 0);
            return false;
        case Step::Done: break;
    }
    return false;
}

bool LaterCommunicator::drop() const {
    Communicator* const known = made_ != MPI_COMM_NULL ? Communicators::ofProcess().find(made_) : nullptr;
    if (known != nullptr) known->isFreed = true;
    return known != nullptr;
}

}    // namespace ferry::pmpi
