#include <ferry/connector/communicatorOf.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/transport/mpi/MpiBases.hpp>
#include <ferry/connector/transport/mpi/MpiFailures.hpp>
#include <ferry/connector/transport/mpi/calls/MpiCheck.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

[[noreturn]] void failWithoutProcesses(const Connector& connector) {
    throw UsageError(fmt::format(
        "the {} ranks of this connector are not the processes of a communicator: they are threads, simulated, or have joined later",
        connector.size()));
}

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

/// A new communicator, freed unless it is handed on.
class NewCommunicator {
public:
    NewCommunicator() = default;
    NewCommunicator(const NewCommunicator&) = delete;
    NewCommunicator& operator=(const NewCommunicator&) = delete;
    ~NewCommunicator() { free(); }
    void free() noexcept {
        if (handle != MPI_COMM_NULL) MPI_Comm_free(&handle);
        handle = MPI_COMM_NULL;
    }
    MPI_Comm handOn() noexcept { return std::exchange(handle, MPI_COMM_NULL); }

    MPI_Comm handle = MPI_COMM_NULL;
};

/// The base of a group's ranks.
struct BaseChoice {
    std::int32_t base = 0;         ///< 0: the ranks have none
    std::int32_t newNumber = 0;    ///< the number of a base that has to be made
    FERRY_FIELDS(base, newNumber)
};

/// A base that one rank has dropped is of no use to the others.
BaseChoice combineChoices(const BaseChoice& one, const BaseChoice& other) {
    return {one.base == other.base ? one.base : 0, std::max(one.newNumber, other.newNumber)};
}

/// The results of the two calls of MPI that make a communicator of a new base.
struct Results {
    int ofBase = MPI_SUCCESS;
    int ofCommunicator = MPI_SUCCESS;
    FERRY_FIELDS(ofBase, ofCommunicator)
};

Results combineResults(const Results& one, const Results& other) {
    return {std::max(one.ofBase, other.ofBase), std::max(one.ofCommunicator, other.ofCommunicator)};
}

/// Makes a communicator of a base. After each try the ranks agree whether all have the communicator.
MPI_Comm ofBase(Connector& group, MPI_Comm around, detail::MpiBases& bases, const std::vector<int>& ranks, int tag) {
    const BaseChoice own{bases.baseOf(ranks), bases.proposeNumber()};
    const BaseChoice choice = group.allReduce(own, combineChoices);    // all have come
    NewCommunicator made;
    if (choice.base != 0) {
        const int result = bases.make(choice.base, ranks, tag, &made.handle);
        if (group.allReduce(result, Max{}) == MPI_SUCCESS) return made.handOn();
        made.free();
        bases.drop(choice.base);
    }
    Results results{bases.add(ranks, choice.newNumber), MPI_SUCCESS};
    if (results.ofBase == MPI_SUCCESS) results.ofCommunicator = bases.make(choice.newNumber, ranks, tag, &made.handle);
    results = group.allReduce(results, combineResults);
    if (results.ofBase != MPI_SUCCESS || results.ofCommunicator != MPI_SUCCESS) bases.drop(choice.newNumber);
    detail::checkMpi(results.ofBase, detail::MpiBases::callOfAdd, around);
    detail::checkMpi(results.ofCommunicator, "MPI_Comm_create_group", around);
    return made.handOn();
}

MPI_Comm ofRanks(Connector& connector, MPI_Comm around) {
    const detail::GroupNest& nest = detail::mailboxOf(connector).nest();
    detail::MpiBases& bases = *detail::basesOf(nest.outermost().transport());
    std::vector<int> ranks;
    for (int rank = 0; rank < connector.size(); ++rank) ranks.push_back(connector.rankInJob(rank));
    const int tag = nest.group() != nullptr ? nest.group()->id() : 0;    // tells calls apart that different threads make at the same time
    if (bases.areUsed()) return ofBase(connector, around, bases, ranks, tag);
    connector.barrier();    // all have come: no rank waits in MPI for one that has failed
    MPI_Comm made = MPI_COMM_NULL;
    if (nest.group() != nullptr) {
        detail::checkMpi(bases.make(0, ranks, tag, &made), "MPI_Comm_create_group", around);
    } else {
        detail::checkMpi(MPI_Comm_dup(around, &made), "MPI_Comm_dup", around);
    }
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
    const ReturnedErrors errors(around);
    MPI_Comm made = ofRanks(connector, around);
    errors.setFor(made);
    return made;
}

}    // namespace ferry
