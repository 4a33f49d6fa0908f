#include <ferry/framework/schedule/Schedule.hpp>

#include <chrono>
#include <map>

#include <doctest/doctest.h>

#include <ferry/tests/framework/ScheduledCalls.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

TEST_CASE("Schedule: a slave that has nothing is dismissed, the last one first, and given nothing any more") {
    detail::Schedule schedule = scheduleThatKnows(4, 10ms);
    add(schedule, 1);
    const auto given = schedule.next(Supply::Complete, start);
    REQUIRE(given->slave == 0);
    CHECK(schedule.dismissIdle() == 3);
    CHECK(schedule.dismissIdle() == 2);
    CHECK(schedule.liveCount() == 2);
    CHECK_FALSE(schedule.isThere(3));
    CHECK(schedule.isThere(1));
    add(schedule, 8, 2);
    const auto all = giveAll(schedule);
    CHECK(all.size() == 2);
    CHECK(all.contains(0));
    CHECK(all.contains(1));
    CHECK_FALSE(schedule.dismissIdle().has_value());
    CHECK(schedule.lose(2).empty());
    CHECK(schedule.liveCount() == 2);    // slave 2 had left before it was lost
}

TEST_CASE("Schedule: a slave that may not leave is not dismissed") {
    detail::Schedule schedule(3);
    CHECK(schedule.dismissIdle([](int slave) { return slave == 1; }) == 1);
    CHECK_FALSE(schedule.dismissIdle([](int slave) { return slave == 1; }).has_value());
    CHECK(schedule.liveCount() == 2);
}

TEST_CASE("Schedule: a call goes to the slave that it prefers, if that slave is there and not busy for long") {
    detail::Schedule schedule(3);
    detail::CallFacts facts{1, 0, 10};
    facts.preferred = 2;
    schedule.add(1, facts);
    schedule.add(2, facts);
    CHECK(schedule.next(Supply::Complete, start)->slave == 2);
    CHECK(schedule.next(Supply::Complete, start)->slave == 0);    // no time of the kind is known, so the call waits for no other
    schedule.finished(2, 1, 1ms, start);
    schedule.finished(0, 2, 1ms, start);
    schedule.add(3, facts);
    schedule.add(4, facts);
    CHECK(schedule.next(Supply::Complete, start)->slave == 2);
    CHECK(schedule.next(Supply::Complete, start)->slave == 2);    // behind a short one
    CHECK(schedule.lose(2).size() == 2);
    schedule.add(5, facts);
    CHECK(schedule.next(Supply::Complete, start)->slave == 0);
    facts.preferred = 99;
    schedule.add(6, facts);
    CHECK(schedule.next(Supply::Complete, start).has_value());
}

TEST_CASE("Schedule: slaves that join get calls at once, and what is known of a kind holds for them") {
    detail::Schedule schedule = scheduleThatKnows(1, 100us);
    add(schedule, 60);
    CHECK(giveAll(schedule).size() == 1);
    schedule.addSlaves(2);
    CHECK(schedule.slaveCount() == 3);
    CHECK(schedule.liveCount() == 3);
    const auto given = giveAll(schedule);
    REQUIRE(given.size() == 2);
    CHECK(given.at(1).size() > 1);    // a batch of calls
    CHECK(given.at(2).size() > 1);
    CHECK(schedule.wantedCount(small()) == 3 * scheduleThatKnows(1, 100us).wantedCount(small()));
}

TEST_CASE("Schedule: in a job without slaves the first that joins does everything") {
    detail::Schedule schedule(0);
    add(schedule, 2);
    CHECK_FALSE(schedule.next(Supply::Complete, start).has_value());
    schedule.addSlaves(1);
    CHECK(giveAll(schedule) == std::map<int, Calls>{{0, {1}}});
}

TEST_CASE("Schedule: when batches are to be longer than usual, a slave that has nothing waits for a full one while more calls are coming") {
    detail::Schedule schedule = scheduleThatKnows(2, 1ms);
    schedule.setBatchTime(8ms);
    add(schedule, 7);
    CHECK_FALSE(schedule.next(Supply::MoreComing, start).has_value());
    add(schedule, 1, 8);
    const auto batch = schedule.next(Supply::MoreComing, start);
    REQUIRE(batch.has_value());
    CHECK(batch->calls.size() == 8);
    add(schedule, 4, 9);
    CHECK_FALSE(schedule.next(Supply::MoreComing, start).has_value());
    CHECK(giveAll(schedule) == std::map<int, Calls>{{1 - batch->slave, {9, 10, 11, 12}}});    // no further calls follow
}
