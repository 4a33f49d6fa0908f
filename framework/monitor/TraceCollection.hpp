#pragma once

#include <chrono>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/framework/monitor/Trace.hpp>

namespace ferry {

/// What a letter of kind Trace is: its key. Frozen: docs/wire-format.md.
enum class TraceLetter : std::int32_t {
    Clock = 1,     ///< from the master: what time is it; from a slave: the time, in nanoseconds
    Events = 2,    ///< from the master: what have you done; from a slave: that, and how many events it has dropped
};

/// On the master: gets the traces of those of these slaves that answer within the time, in ascending order, and how their clocks stand to
/// its own: half of the time of the fastest of some round trips is the error. A slave that works on a task does not answer, and one that is
/// lost is not asked.
std::vector<RankTrace> collectTraces(Connector& connector, const std::vector<int>& slaves, std::chrono::milliseconds patience);

/// On a slave: answers a letter of the master. Errors: SerializationError for one that is no such question.
void answerTraceLetter(Connector& connector, const Letter& letter, const TraceBuffer& trace);

}    // namespace ferry
