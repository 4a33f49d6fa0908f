#include <ferry/guard/known/LaterCommunicator.hpp>

#include <ferry/guard/known/MpiMust.hpp>

namespace ferry::pmpi {

bool LaterCommunicator::goOn(MPI_Request* request) {
    Communicators& communicators = Communicators::ofProcess();
    switch (step_) {
        case Step::Making:
            if (!isInter()) {
                meeting_ = made_;
                return propose(request);
            }
            step_ = Step::MakingMeeting;
            must(PMPI_Comm_idup(parentMeeting_, &meeting_, request), "MPI_Comm_idup");
            return true;
        case Step::MakingMeeting: return propose(request);
        case Step::Numbering:
            step_ = Step::Keeping;
            id_ = communicators.idFor(agreed_, part_);
            own_ = communicators.reserve(id_) ? 1 : 0;
            must(PMPI_Iallreduce(&own_, &agreed_, 1, MPI_INT32_T, MPI_MIN, meeting_, request), "MPI_Iallreduce");
            return true;
        case Step::Keeping:
            step_ = Step::Done;
            if (own_ != 0) communicators.addReserved(made_, meeting_, id_, agreed_ != 0);
            if (isInter() && agreed_ == 0) must(PMPI_Comm_free(&meeting_), "MPI_Comm_free");
            return false;
        case Step::Done: break;
    }
    return false;
}

/// Begins to agree on the number of the communicator. Returns true: the request is under way.
bool LaterCommunicator::propose(MPI_Request* request) {
    step_ = Step::Numbering;
    own_ = Communicators::ofProcess().proposedNumber();
    must(PMPI_Iallreduce(&own_, &agreed_, 1, MPI_INT32_T, MPI_MAX, meeting_, request), "MPI_Iallreduce");
    return true;
}

bool LaterCommunicator::drop() const {
    Communicator* const known = made_ != MPI_COMM_NULL ? Communicators::ofProcess().find(made_) : nullptr;
    if (known != nullptr) known->isFreed = true;
    return known != nullptr;
}

}    // namespace ferry::pmpi
