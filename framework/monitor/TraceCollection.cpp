#include <ferry/framework/monitor/TraceCollection.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/message/DeadlineScope.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry::detail {

namespace {

using TimePoint = Transport::Clock::time_point;

constexpr std::int32_t firstQuestion = 0;
constexpr std::int32_t roundTrips = 8;

void ask(Mailbox& mailbox, int slave, TraceLetter what, std::int32_t number) {
    mailbox.post(slave, Channel::Data, Envelope{JobKind::Trace, static_cast<std::int32_t>(what), number}, [](IntWriter&) {});
}

Letter answerOf(Mailbox& mailbox, int slave, TraceLetter what, std::int32_t number) {
    return mailbox.take(Filter({JobKind::Trace}, slave)
                            .withKey(static_cast<std::int32_t>(what))
                            .withNumber(number)
                            .describedBy([](const Filter&) -> std::string { return "the trace of a slave"; }));
}

/// Gets the trace of an idle slave.
RankTrace traceOf(Connector& connector, int slave) {
    Mailbox& mailbox = detail::mailboxOf(connector);
    RankTrace trace{slave};
    trace.clockError = std::chrono::nanoseconds::max();
    for (std::int32_t trip = 1; trip <= roundTrips; ++trip) {
        const TimePoint asked = connector.now();
        ask(mailbox, slave, TraceLetter::Clock, trip);
        const Letter answer = answerOf(mailbox, slave, TraceLetter::Clock, trip);
        const TimePoint answered = connector.now();
        TimePoint there{};
        IntReader in(answer.body());
        in >> there;
        in.expectEnd();
        const std::chrono::nanoseconds error = (answered - asked) / 2;
        if (error >= trace.clockError) continue;
        trace.clockError = error;
        trace.clockOffset = there - (asked + error);
    }
    ask(mailbox, slave, TraceLetter::Events, roundTrips + 1);
    const Letter answer = answerOf(mailbox, slave, TraceLetter::Events, roundTrips + 1);
    IntReader in(answer.body(), connector.factory());
    in >> trace.events >> trace.droppedCount >> trace.names;
    in.expectEnd();
    return trace;
}

}    // namespace

std::vector<RankTrace> collectTraces(Connector& connector, const std::vector<int>& slaves, std::chrono::milliseconds patience) {
    Mailbox& mailbox = detail::mailboxOf(connector);
    std::vector<RankTrace> traces;
    std::size_t slaveCount = 0;    // number of asked slaves that are not lost
    const DeadlineScope scope = connector.limitWaits(Deadline::in(patience));
    for (const int slave : slaves) {
        if (mailbox.departures().isLost(slave)) continue;
        ask(mailbox, slave, TraceLetter::Clock, firstQuestion);
        ++slaveCount;
    }
    try {
        while (traces.size() < slaveCount) {
            try {
                traces.push_back(traceOf(connector, answerOf(mailbox, AnyRank, TraceLetter::Clock, firstQuestion).from));
            } catch (const RankHasLeft& left) {    // the slave was lost meanwhile
                --slaveCount;
                if (left.rank() == AnyRank) break;
            }
        }
    } catch (const TimeoutError&) {
        logLine(spdlog::level::warn, "the trace lacks {} slaves, which had not ended their tasks", slaveCount - traces.size());
    }
    std::sort(traces.begin(), traces.end(), [](const RankTrace& left, const RankTrace& right) { return left.rank < right.rank; });
    return traces;
}

void recordTimers(Timers& timers, TraceBuffer& trace) {
    if (!trace.isOn()) return;
    timers.recordTo(
        [&trace](const std::string& name, TimePoint begin, TimePoint end) { ifMemory([&] { trace.addTimer(name, begin, end); }); });
}

void answerTraceLetter(Connector& connector, const Letter& letter, const TraceBuffer& trace) {
    Mailbox& mailbox = detail::mailboxOf(connector);
    const Envelope envelope{JobKind::Trace, letter.envelope.key, letter.envelope.number};
    switch (static_cast<TraceLetter>(letter.envelope.key)) {
        case TraceLetter::Clock: return mailbox.post(0, Channel::Data, envelope, [&](IntWriter& out) { out << connector.now(); });
        case TraceLetter::Events:
            return mailbox.post(0, Channel::Data, envelope,
                                [&](IntWriter& out) { out << trace.events() << trace.droppedCount() << trace.names(); });
    }
    throw SerializationError(fmt::format("expected a question of kind 1 or 2 about the trace, found {}", letter.envelope.key));
}

}    // namespace ferry::detail
