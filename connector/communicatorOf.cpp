#include <ferry/connector/communicatorOf.hpp>

#include <vector>

#include <fmt/format.h>

#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/transport/mpi/MpiCheck.hpp>
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
    if (mailbox.nest().group() == nullptr) {
        MPI_Comm made = MPI_COMM_NULL;
        detail::checkMpi(MPI_Comm_dup(around, &made), "MPI_Comm_dup", around);
        return made;
    }
    std::vector<int> ranks;
    for (int rank = 0; rank < connector.size(); ++rank) ranks.push_back(connector.rankInJob(rank));
    return ofRanks(around, ranks, mailbox.nest().group()->id());
}

}    // namespace ferry
