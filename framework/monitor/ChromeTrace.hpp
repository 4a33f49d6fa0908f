#pragma once

#include <span>
#include <string>

#include <ferry/framework/monitor/Trace.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry {

/// The trace of a job as chrome://tracing and Perfetto read it: a row for each rank, with tasks and waits, and arrows from where the master
/// sent a task to where it was done, and from there to where the reply was taken in. Times are those of the master's clock, from the
/// beginning of the job, or the first event. Pure logic.
std::string chromeTrace(std::span<const RankTrace> ranks, Transport::Clock::time_point begin, const ObjectFactory& factory);

}    // namespace ferry
