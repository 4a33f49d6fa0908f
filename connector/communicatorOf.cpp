#include <ferry/connector/communicatorOf.hpp>

#include <vector>

#include <fmt/format.h>

#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/transport/mpi/MpiCheck.hpp>
#include <ferry/connector/transport/mpi/MpiFailures.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

[[noreturn]] void failWithoutProcesses(const Connector& connector) {
    throw UsageError(fmt::format(
        "the {} ranks of this connector are not the processes of a communicator: they are threads, simulated, or have joined later",
        connector.size()));
}

/// A group of MPI, freed at the end.
class MpiGroup {
public:
    MpiGroup() = default;
    MpiGroup(const MpiGroup&) = delete;
    MpiGroup& operator=(const MpiGroup&) = delete;
    ~MpiGroup() {
        if (handle != MPI_GROUP_NULL) MPI_Group_free(&handle);
    }
    MPI_Group handle = MPI_GROUP_NULL;
};

/// The error handler of a communicator that makeCommunicator() has made, and of those that a library makes of it. After the loss of a rank
/// the call returns, and so do the calls of the other ranks. Any other error ends the job, as it does without this handler.
void handleError(MPI_Comm* communicator, int* result, ...) {
    if (detail::isOfRevoked(*result)) return;
    if (detail::isOfLostRank(*result)) return detail::revoke(*communicator);
    MPI_Comm_set_errhandler(*communicator, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_call_errhandler(*communicator, *result);
}

/// Lets errors on a communicator be returned for a while. The handler that it had comes back at the end.
class ReturnedErrors {
public:
    explicit ReturnedErrors(MPI_Comm communicator) : communicator_(communicator) {
        detail::checkMpi(MPI_Comm_get_errhandler(communicator, &handler_), "MPI_Comm_get_errhandler", communicator);
        detail::checkMpi(MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler", communicator);
    }
    ReturnedErrors(const ReturnedErrors&) = delete;
    ReturnedErrors& operator=(const ReturnedErrors&) = delete;
    ~ReturnedErrors() {
        MPI_Comm_set_errhandler(communicator_, handler_);
        MPI_Errhandler_free(&handler_);    // the communicators that use the handler keep it
    }

    /// Sets the handler of a communicator that was made meanwhile. Where the program handles errors in a way of its own, that way is kept.
    /// Otherwise calls return after the loss of a rank.
    void setFor(MPI_Comm made) const {
        MPI_Errhandler handler = handler_;
        if (handler_ == MPI_ERRORS_ARE_FATAL)
            detail::checkMpi(MPI_Comm_create_errhandler(handleError, &handler), "MPI_Comm_create_errhandler", made);
        detail::checkMpi(MPI_Comm_set_errhandler(made, handler), "MPI_Comm_set_errhandler", made);
        if (handler_ == MPI_ERRORS_ARE_FATAL) detail::checkMpi(MPI_Errhandler_free(&handler), "MPI_Errhandler_free", made);
    }

private:
    MPI_Comm communicator_;
    MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

/// number: tells calls apart that different threads make at the same time.
MPI_Comm ofRanks(MPI_Comm around, const std::vector<int>& ranks, int number) {
    MpiGroup all, some;
    detail::checkMpi(MPI_Comm_group(around, &all.handle), "MPI_Comm_group", around);
    detail::checkMpi(MPI_Group_incl(all.handle, static_cast<int>(ranks.size()), ranks.data(), &some.handle), "MPI_Group_incl", around);
    constexpr int tagCount = 32768;    // the tags that every MPI has
    MPI_Comm made = MPI_COMM_NULL;
    detail::checkMpi(MPI_Comm_create_group(around, some.handle, number % tagCount, &made), "MPI_Comm_create_group", around);
    return made;
}

}    // namespace

MPI_Comm communicatorOf(Connector& connector) {
    detail::Mailbox& mailbox = detail::mailboxOf(connector);
    const MPI_Comm communicator = detail::communicatorOf(mailbox.transport());
    if (communicator != MPI_COMM_NULL) return communicator;
    if (mailbox.nest().group() != nullptr)
        throw UsageError("a connector of a group has no communicator: ferry::makeCommunicator(connector) makes one");
    failWithoutProcesses(connector);
}

MPI_Comm makeCommunicator(Connector& connector) {
    detail::Mailbox& mailbox = detail::mailboxOf(connector);
    const MPI_Comm around = detail::communicatorOf(mailbox.nest().outermost().transport());
    if (around == MPI_COMM_NULL) failWithoutProcesses(connector);
    connector.barrier();    // all have come: no rank waits in MPI for one that has failed
    const ReturnedErrors errors(around);
    MPI_Comm made = MPI_COMM_NULL;
    if (mailbox.nest().group() == nullptr) {
        detail::checkMpi(MPI_Comm_dup(around, &made), "MPI_Comm_dup", around);
    } else {
        std::vector<int> ranks;
        for (int rank = 0; rank < connector.size(); ++rank) ranks.push_back(connector.rankInJob(rank));
        made = ofRanks(around, ranks, mailbox.nest().group()->id());
    }
    errors.setFor(made);
    return made;
}

}    // namespace ferry
