#pragma once

#include <chrono>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/framework/monitor/Trace.hpp>

namespace ferry::detail {

/// The kind of a Trace letter: its key. Frozen: docs/wire-format.md.
enum class TraceLetter : std::int32_t {
    Clock = 1,     ///< from the master: asks for the time; from a slave: the time in nanoseconds
    Events = 2,    ///< from the master: asks for the events; from a slave: the events, and the number of dropped events
};

/// On the master: gets the traces of the given slaves, in ascending order, with the offsets of their clocks. Slaves that do not answer
/// within `patience` are left out. Several round trips are timed; half of the shortest is the error of the offset. A slave that works on a
/// task does not answer, and a lost slave is not asked.
std::vector<RankTrace> collectTraces(Connector& connector, const std::vector<int>& slaves, std::chrono::milliseconds patience);

/// Lets each run of a timer become an event of the trace, if the trace is on. The buffer must outlive the timers, or their next recordTo().
void recordTimers(Timers& timers, TraceBuffer& trace);

/// On a slave: answers a letter of the master. Errors: SerializationError for a letter that is no such question.
void answerTraceLetter(Connector& connector, const Letter& letter, const TraceBuffer& trace);

}    // namespace ferry::detail
