#pragma once

#include <memory>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>

namespace ferry::detail {

/// One transport for each of rankCount ranks that are threads of this process; element r belongs to rank r.
///
/// Ownership: the transports share the inboxes, which live as long as any of them.
/// Threads: each transport is used by one thread at a time, different ones by different threads.
/// Errors: UsageError when rankCount is not positive.
std::vector<std::unique_ptr<Transport>> threadTransports(int rankCount);

}    // namespace ferry::detail
