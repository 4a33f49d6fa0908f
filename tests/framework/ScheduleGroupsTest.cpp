#include <ferry/framework/schedule/Schedule.hpp>

#include <chrono>
#include <cstddef>
#include <map>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/framework/ScheduledCalls.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace schedulegroupstest {

/// Slave 0 is the sub-master of slaves 1 to 4. Slave 5 belongs to the master directly.
detail::Schedule groupOfFour(detail::Schedule::Duration taken) {
    detail::Schedule schedule(6);
    schedule.group(0, 4);
    schedule.add(1'000'000, small());
    const auto first = schedule.next(Supply::Complete, start);
    schedule.finished(first->slave, 1'000'000, taken, start);
    return schedule;
}

}    // namespace schedulegroupstest

using namespace schedulegroupstest;

TEST_CASE("Schedule: of unknown or long calls a sub-master gets one for each slave of its group, and these slaves get none") {
    detail::Schedule unknown(6);
    unknown.group(0, 4);
    CHECK(unknown.liveCount() == 5);
    add(unknown, 8);
    std::map<int, Calls> given = giveAll(unknown);
    CHECK(given.size() == 2);
    CHECK(given.at(0).size() == 4);
    CHECK(given.at(5).size() == 1);
    detail::Schedule longer = groupOfFour(60ms);
    add(longer, 8);
    given = giveAll(longer);
    CHECK(given.at(0).size() == 4);
    CHECK(given.at(5).size() == 1);
    CHECK(longer.waitingCount() == 3);
}

TEST_CASE("Schedule: a sub-master has as many calls ahead as all its slaves would have") {
    detail::Schedule schedule = groupOfFour(10ms);
    add(schedule, 40);
    const std::map<int, Calls> given = giveAll(schedule);
    CHECK(given.at(0).size() == 8);
    CHECK(given.at(5).size() == 2);
}

TEST_CASE("Schedule: short calls go to a sub-master in batches for its whole group") {
    detail::Schedule schedule = groupOfFour(100us);
    schedule.setBatchTime(1ms);
    add(schedule, 500);
    const auto batch = schedule.next(Supply::MoreComing, start);
    REQUIRE(batch.has_value());
    CHECK(batch->calls.size() == (batch->slave == 0 ? 40 : 10));
}

TEST_CASE("Schedule: a sub-master is asked for what its group cannot have begun, and after an answer not at once again") {
    detail::Schedule schedule = groupOfFour(10ms);
    add(schedule, 10);
    std::map<int, Calls> given = giveAll(schedule);
    for (const std::int32_t call : given.at(5)) schedule.finished(5, call, 10ms, start + 20ms);
    const auto back = schedule.recall(start + 20ms);
    REQUIRE(back.has_value());
    CHECK(back->slave == 0);
    CHECK(back->calls.size() == 2);    // half of four
    CHECK_FALSE(schedule.recall(start + 20ms).has_value());
    schedule.recallAnswered(0, start + 20ms);    // the sub-master had begun all of them
    CHECK_FALSE(schedule.recall(start + 20ms).has_value());
    CHECK(schedule.recall(start + 30ms).has_value());
}

TEST_CASE("Schedule: calls of a lost sub-master may not have run; its slaves get calls of their own") {
    detail::Schedule schedule = groupOfFour(10ms);
    add(schedule, 6);
    giveAll(schedule);
    const auto orphans = schedule.lose(0);
    CHECK(orphans.size() >= 4);
    for (const detail::Schedule::Orphan& orphan : orphans) CHECK_FALSE(orphan.mayHaveRun);
    CHECK(schedule.liveCount() == 1);
    schedule.ungroup(1);
    schedule.ungroup(3);
    CHECK(schedule.liveCount() == 3);
    const std::map<int, Calls> given = giveAll(schedule);
    CHECK(given.contains(1));
    CHECK(given.contains(3));
    CHECK_FALSE(given.contains(2));
}

TEST_CASE("Schedule: a group that loses its slaves gets less, and nothing without any") {
    detail::Schedule schedule = groupOfFour(60ms);
    schedule.shrinkGroup(0);
    add(schedule, 8);
    CHECK(giveAll(schedule).at(0).size() == 3);
    CHECK(schedule.lose(2).empty());    // slave 2 is in a group, so it has no calls of its own here
    for (int slave = 0; slave < 3; ++slave) schedule.shrinkGroup(0);
    CHECK(schedule.liveCount() == 1);
    schedule.givenBack(0, 1, start, true);
    schedule.givenBack(0, 2, start);
    const std::map<int, Calls> given = giveAll(schedule);
    CHECK_FALSE(given.contains(0));
}

TEST_CASE("Schedule: a sub-master is not dismissed, also when one slave is left to it") {
    detail::Schedule schedule(3);
    schedule.group(0, 2);
    schedule.shrinkGroup(0);
    CHECK_FALSE(schedule.dismissIdle().has_value());
    CHECK(schedule.isThere(0));
}

TEST_CASE("Schedule: a call of several tasks fills a group as the tasks would, and a task of it can become a call") {
    detail::Schedule schedule = groupOfFour(10ms);
    CHECK(schedule.bundleSize(small()) == 4);
    CHECK(schedule.bundleSize({.kind = 2}) == 1);    // not measured
    CHECK(detail::Schedule(6).bundleSize(small()) == 1);
    detail::CallFacts bundle = small();
    bundle.taskCount = 4;
    for (const std::int32_t call : {64, 128, 192}) schedule.add(call, bundle);
    const auto first = schedule.next(Supply::Complete, start);
    REQUIRE(first.has_value());
    CHECK(first->slave == 0);
    CHECK(schedule.isSubMaster(0));
    CHECK_FALSE(schedule.isSubMaster(5));
    for (int task = 0; task < 3; ++task) schedule.finishedTask(0, 64, 10ms, start + 10ms);
    schedule.splitOff(0, 64, 68, small());
    CHECK_THROWS_AS(schedule.finishedTask(0, 64, 10ms, start + 10ms), UsageError);
    CHECK_THROWS_AS(schedule.splitOff(0, 64, 67, small()), UsageError);
    schedule.takenAway(0, 64);
    schedule.givenBack(0, 68, start + 10ms);
    const auto again = schedule.next(Supply::Complete, start + 10ms);
    REQUIRE(again.has_value());
    CHECK(again->calls.front() == 68);    // ahead of the calls that have never been sent
}
