#include <ferry/framework/watch/SilenceJudge.hpp>

#include <unistd.h>
#include <chrono>

#include <doctest/doctest.h>

using namespace ferry;
using namespace std::chrono_literals;

namespace silencejudgetest {

const detail::SilenceJudge::TimePoint begin{1h};

/// Looks every 50 ms, as planned, for the given time.
void look(detail::SilenceJudge& judge, detail::SilenceJudge::TimePoint& now, detail::SilenceJudge::Duration time) {
    for (const auto end = now + time; now < end;) judge.looked(now += 50ms, 50ms);
}

}    // namespace silencejudgetest

using namespace silencejudgetest;

TEST_CASE("SilenceJudge: a slave is lost when it has been silent for the limit, and not before") {
    detail::SilenceJudge judge(800ms, begin);
    auto now = begin;
    look(judge, now, 750ms);
    CHECK_FALSE(judge.isLost(detail::ProcessState::Unknown));
    CHECK_FALSE(judge.isLost(detail::ProcessState::Stopped));
    look(judge, now, 50ms);
    CHECK(judge.isLost(detail::ProcessState::Unknown));
    CHECK(judge.isLost(detail::ProcessState::Stopped));
}

TEST_CASE("SilenceJudge: a sign of life begins the silence anew") {
    detail::SilenceJudge judge(800ms, begin);
    auto now = begin;
    for (int i = 0; i < 100; ++i) {
        look(judge, now, 750ms);
        CHECK_FALSE(judge.isLost(detail::ProcessState::Unknown));
        judge.heard();
    }
}

TEST_CASE("SilenceJudge: time in which nobody looked counts no more than was planned twice") {
    detail::SilenceJudge judge(800ms, begin);
    judge.looked(begin + 1h, 50ms);
    CHECK(judge.silence() == 100ms);
    CHECK_FALSE(judge.isLost(detail::ProcessState::Unknown));
}

TEST_CASE("SilenceJudge: a process that runs has more time, a process in a debugger has no limit, and a process that is gone has little") {
    detail::SilenceJudge judge(800ms, begin);
    auto now = begin;
    look(judge, now, 150ms);
    CHECK_FALSE(judge.isSuspicious());
    CHECK_FALSE(judge.isLost(detail::ProcessState::Gone));
    look(judge, now, 50ms);
    CHECK(judge.isSuspicious());
    CHECK(judge.isLost(detail::ProcessState::Gone));
    look(judge, now, 7700ms);
    CHECK_FALSE(judge.isLost(detail::ProcessState::Running));
    look(judge, now, 100ms);
    CHECK(judge.isLost(detail::ProcessState::Running));
    CHECK_FALSE(judge.isLost(detail::ProcessState::Traced));
}

TEST_CASE("SilenceJudge: without a limit no silence is too long") {
    detail::SilenceJudge judge(0ms, begin);
    auto now = begin;
    look(judge, now, 1h);
    CHECK_FALSE(judge.isSuspicious());
    CHECK_FALSE(judge.isLost(detail::ProcessState::Gone));
}

TEST_CASE("ProcessState: is read from the system's line, whatever the name of the process") {
    CHECK(detail::platform::stateInLine("17 (a (b) T) S 1 17") == detail::ProcessState::Running);
    CHECK(detail::platform::stateInLine("17 (program) T 1 17") == detail::ProcessState::Stopped);
    CHECK(detail::platform::stateInLine("17 (program) t 1 17") == detail::ProcessState::Traced);
    CHECK(detail::platform::stateInLine("17 (program) Z 1 17") == detail::ProcessState::Gone);
    CHECK(detail::platform::stateInLine("17 (program)") == detail::ProcessState::Unknown);
    CHECK(detail::platform::stateInLine("") == detail::ProcessState::Unknown);
    CHECK(detail::stateOfProcess(::getpid()) == detail::ProcessState::Running);
    CHECK(detail::hostIdentity() == detail::hostIdentity());
}
