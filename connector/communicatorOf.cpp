#include <ferry/connector/communicatorOf.hpp>

#include <fmt/format.h>

#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

MPI_Comm communicatorOf(Connector& connector) {
    detail::Mailbox& mailbox = detail::mailboxOf(connector);
    const MPI_Comm communicator = detail::communicatorOf(mailbox.transport());
    if (communicator != MPI_COMM_NULL) return communicator;
    if (mailbox.nest().group() != nullptr)
        throw UsageError(
            "a connector of a group has no communicator: MPI_Comm_create_group makes one of the communicator of the outermost connector "
            "and "
            "the ranks that rankInJob() returns");
    throw UsageError(fmt::format(
        "the {} ranks of this connector are not the processes of a communicator: they are threads, simulated, or have joined later",
        connector.size()));
}

}    // namespace ferry
