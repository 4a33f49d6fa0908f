#pragma once

#include <span>
#include <string>

#include <ferry/framework/monitor/Trace.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry::detail {

/// The trace of a job in the format of chrome://tracing and Perfetto. Each rank has a row with its tasks and waits. Arrows lead from the
/// master's sending of a task to its work on a slave, and from there to the taking in of the reply. Times are those of the master's clock,
/// counted from the beginning of the job or the first event, whichever is earlier. Pure logic.
std::string chromeTrace(std::span<const RankTrace> ranks, Transport::Clock::time_point begin, const ObjectFactory& factory);

}    // namespace ferry::detail
