#include <ferry/framework/monitor/ChromeTrace.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <ferry/tests/framework/TestTasks.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace chrometracetest {

using Kind = detail::TraceEvent::Kind;

constexpr detail::Transport::Clock::time_point traceBegin{100s};

/// The master sends two tasks in one letter, and receives their replies one by one. The slave's clock is an hour ahead.
std::vector<detail::RankTrace> someTraces() {
    const auto slaveBegin = traceBegin + 1h;
    detail::RankTrace master{
        0, {{Kind::Send, 1, 0, traceBegin + 1ms, traceBegin + 1ms}, {Kind::Send, 2, 0, traceBegin + 1ms, traceBegin + 1ms}}};
    master.events.push_back({Kind::Wait, 0, 0, traceBegin + 2ms, traceBegin + 5ms});
    master.events.push_back({Kind::TakeIn, 1, 0, traceBegin + 5ms, traceBegin + 5ms});
    master.events.push_back({Kind::TakeIn, 2, 0, traceBegin + 7ms, traceBegin + 7ms});
    detail::RankTrace slave{1, {{Kind::Task, 1, detail::classIdFor<Multiply>, slaveBegin + 2ms, slaveBegin + 4ms}}};
    slave.events.push_back({Kind::Task, 2, detail::classIdFor<Multiply>, slaveBegin + 4ms, slaveBegin + 6ms});
    slave.events.push_back({Kind::Wait, 0, 0, slaveBegin + 6ms, slaveBegin + 9ms});
    slave.clockOffset = 1h;
    slave.clockError = 1500ns;
    slave.droppedCount = 3;
    return {master, slave};
}

nlohmann::json eventsOf(const nlohmann::json& trace, const std::string& phase) {
    nlohmann::json found = nlohmann::json::array();
    for (const auto& event : trace["traceEvents"]) {
        if (event["ph"] == phase) found.push_back(event);
    }
    return found;
}

nlohmann::json parsed(const std::vector<detail::RankTrace>& traces) {
    return nlohmann::json::parse(detail::chromeTrace(traces, traceBegin, ObjectFactory::global()));
}

}    // namespace chrometracetest

using namespace chrometracetest;

TEST_CASE("chromeTrace: tasks and waits are slices of their rank, on the master's clock") {
    const auto trace = parsed(someTraces());
    const auto slices = eventsOf(trace, "X");
    REQUIRE(slices.size() == 7);    // one slice for the letter with both tasks
    CHECK(slices[0]["name"] == "send");
    CHECK(slices[1]["name"] == "wait");
    CHECK(slices[1]["dur"] == 3000.0);
    CHECK(slices[2]["name"] == "take in");
    CHECK(slices[4]["name"] == "ferry::test::Multiply");
    CHECK(slices[4]["tid"] == 1);
    CHECK(slices[4]["ts"] == 2000.0);
    CHECK(slices[4]["dur"] == 2000.0);
    CHECK(slices[5]["args"]["number"] == 2);
    const auto names = eventsOf(trace, "M");
    REQUIRE(names.size() == 2);
    CHECK(names[0]["args"]["name"] == "rank 0, master");
    CHECK(trace["otherData"]["ranks"][1]["dropped"] == 3);
    CHECK(trace["otherData"]["ranks"][1]["clockErrorMicroseconds"] == 1.5);
}

TEST_CASE("chromeTrace: arrows go from where a task was sent to where it was done, and on to where its reply was taken in") {
    const auto trace = parsed(someTraces());
    const auto begins = eventsOf(trace, "s"), ends = eventsOf(trace, "f");
    REQUIRE(begins.size() == 4);
    REQUIRE(ends.size() == 4);
    for (std::size_t i = 0; i < begins.size(); ++i) CHECK(begins[i]["id"] == ends[i]["id"]);
    CHECK(begins[0]["ts"] == 1000.0);
    CHECK(ends[0]["tid"] == 1);
    CHECK(ends[0]["ts"] == 2000.0);
    CHECK(begins[1]["tid"] == 1);
    CHECK(begins[1]["ts"] == 4000.0);
    CHECK(ends[1]["tid"] == 0);
    CHECK(ends[1]["ts"] == 5000.0);
    CHECK(ends[3]["ts"] == 7000.0);
}

TEST_CASE("chromeTrace: of a task that was sent again the arrows are those of the try; one whose messages are unknown has none") {
    detail::RankTrace master{
        0, {{Kind::Send, 1, 0, traceBegin + 1ms, traceBegin + 1ms}, {Kind::TakeIn, 1, 0, traceBegin + 3ms, traceBegin + 3ms}}};
    master.events.push_back({Kind::Send, 1, 0, traceBegin + 4ms, traceBegin + 4ms});
    master.events.push_back({Kind::TakeIn, 1, 0, traceBegin + 9ms, traceBegin + 9ms});
    const detail::RankTrace first{1, {{Kind::Task, 1, 0, traceBegin + 2ms, traceBegin + 2ms}}};
    const detail::RankTrace second{
        2, {{Kind::Task, 1, 0, traceBegin + 5ms, traceBegin + 6ms}, {Kind::Task, 7, 0, traceBegin + 6ms, traceBegin + 7ms}}};
    const auto trace = parsed({master, first, second});
    const auto begins = eventsOf(trace, "s"), ends = eventsOf(trace, "f");
    REQUIRE(begins.size() == 4);
    CHECK(ends[1]["ts"] == 3000.0);
    CHECK(begins[2]["ts"] == 4000.0);
    CHECK(ends[3]["ts"] == 9000.0);
}

TEST_CASE("chromeTrace: no time is negative, though a slave began before the master") {
    const detail::RankTrace early{1, {{Kind::Wait, 0, 0, traceBegin - 5ms, traceBegin + 1ms}}};
    const auto slices = eventsOf(parsed({{0, {{Kind::Wait, 0, 0, traceBegin, traceBegin}}}, early}), "X");
    REQUIRE(slices.size() == 2);
    CHECK(slices[0]["ts"] == 5000.0);
    CHECK(slices[1]["ts"] == 0.0);
}

TEST_CASE("TraceBuffer: keeps what it has room for, and counts the rest") {
    detail::TraceBuffer buffer(2);
    for (int i = 0; i < 5; ++i) buffer.add({Kind::Task, i, 0, traceBegin, traceBegin});
    CHECK(buffer.events().size() == 2);
    CHECK(buffer.droppedCount() == 3);
    detail::TraceBuffer off;
    off.add({});
    CHECK_FALSE(off.isOn());
    CHECK(off.events().empty());
    CHECK(off.droppedCount() == 0);
}

TEST_CASE("chromeTrace: the runs of timers are slices with their names, in the row of their rank") {
    detail::TraceBuffer buffer(10);
    buffer.addTimer("solve \"fast\"", traceBegin + 1ms, traceBegin + 4ms);
    buffer.addTimer("step", traceBegin + 2ms, traceBegin + 3ms);
    buffer.addTimer("step", traceBegin + 3ms, traceBegin + 4ms);
    CHECK(buffer.names().size() == 2);
    detail::RankTrace rank{2, buffer.events()};
    rank.names = buffer.names();
    rank.events.push_back({Kind::Timer, 7, 0, traceBegin + 5ms, traceBegin + 6ms});    // a damaged number names no timer
    const auto slices = eventsOf(parsed({rank}), "X");
    REQUIRE(slices.size() == 4);
    CHECK(slices[0]["name"] == "solve \"fast\"");
    CHECK(slices[0]["cat"] == "timer");
    CHECK(slices[0]["tid"] == 2);
    CHECK(slices[1]["name"] == "step");
    CHECK(slices[2]["ts"] == 3000.0);
    CHECK(slices[3]["name"] == "timer");
}

TEST_CASE("chromeTrace: bytes of a name that are no UTF-8 become U+FFFD, and control characters are escaped") {
    detail::TraceBuffer buffer(10);
    buffer.addTimer("torn \xff\xc3", traceBegin, traceBegin + 1ms);
    buffer.addTimer("a\tb\n\x1b[2J", traceBegin, traceBegin + 1ms);
    detail::RankTrace rank{2, buffer.events()};
    rank.names = buffer.names();
    const auto slices = eventsOf(parsed({rank}), "X");
    REQUIRE(slices.size() == 2);
    CHECK(slices[0]["name"] == "torn \xef\xbf\xbd\xef\xbf\xbd");
    CHECK(slices[1]["name"] == "a\tb\n\x1b[2J");
    const std::string text = detail::chromeTrace(std::vector{rank}, traceBegin, ObjectFactory::global());
    CHECK(text.find('\xff') == std::string::npos);
    CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("TraceBuffer: without room, and beyond the most names, runs of timers are dropped") {
    detail::TraceBuffer off;
    off.addTimer("solve", traceBegin, traceBegin);
    CHECK(off.names().empty());
    detail::TraceBuffer buffer(detail::TraceBuffer::mostNames + 5);
    for (std::size_t i = 0; i < detail::TraceBuffer::mostNames + 2; ++i) buffer.addTimer(std::to_string(i), traceBegin, traceBegin);
    CHECK(buffer.names().size() == detail::TraceBuffer::mostNames);
    CHECK(buffer.droppedCount() == 2);
}
