#include <ferry/framework/Schedule.hpp>

#include <map>
#include <random>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/UsageError.hpp>

using namespace ferry;

TEST_CASE("Schedule: calls go out in order, to the slave that has the fewest, up to its window") {
    Schedule schedule(2, 2);
    for (int call = 1; call <= 6; ++call) schedule.add(call);
    std::vector<int> slaves;
    for (int call = 1; call <= 4; ++call) {
        const auto assignment = schedule.next();
        REQUIRE(assignment.has_value());
        CHECK(assignment->call == call);
        slaves.push_back(assignment->slave);
    }
    CHECK(slaves == std::vector<int>{0, 1, 0, 1});
    CHECK_FALSE(schedule.next().has_value());
    schedule.finished(1);
    CHECK(schedule.next()->slave == 1);
    CHECK(schedule.waitingCount() == 1);
}

TEST_CASE("Schedule: a call that was cancelled is never given out; one that was given out cannot be") {
    Schedule schedule(1, 1);
    schedule.add(1);
    schedule.add(2);
    schedule.add(3);
    CHECK(schedule.next()->call == 1);
    CHECK_FALSE(schedule.cancel(1));
    CHECK(schedule.cancel(2));
    CHECK_FALSE(schedule.cancel(2));
    schedule.finished(0);
    CHECK(schedule.next()->call == 3);
    schedule.finished(0);
    CHECK_FALSE(schedule.next().has_value());
}

TEST_CASE("Schedule: without slaves nothing goes out; wrong use is refused") {
    Schedule schedule(0);
    schedule.add(1);
    CHECK_FALSE(schedule.next().has_value());
    CHECK_THROWS_AS(schedule.finished(0), UsageError);
    CHECK_THROWS_AS(Schedule(2, 0), UsageError);
    CHECK_THROWS_AS(Schedule(2).finished(1), UsageError);
}

TEST_CASE("Schedule: over random additions, cancellations and endings every call goes out once or was cancelled") {
    std::mt19937 random(7);
    Schedule schedule(3, 2);
    std::set<int> cancelled;
    std::multiset<int> given;
    std::vector<int> busy;
    int last = 0;
    for (int step = 0; step < 20'000; ++step) {
        switch (random() % 4) {
            case 0: schedule.add(++last); break;
            case 1:
                if (last > 0) {
                    const int call = 1 + static_cast<int>(random() % static_cast<unsigned>(last));
                    if (schedule.cancel(call)) cancelled.insert(call);
                }
                break;
            case 2:
                if (const auto assignment = schedule.next()) {
                    given.insert(assignment->call);
                    busy.push_back(assignment->slave);
                }
                break;
            default:
                if (!busy.empty()) {
                    schedule.finished(busy.back());
                    busy.pop_back();
                }
        }
        CHECK(busy.size() <= 6);
    }
    for (;;) {
        while (const auto assignment = schedule.next()) {
            given.insert(assignment->call);
            busy.push_back(assignment->slave);
        }
        if (busy.empty()) break;
        schedule.finished(busy.back());
        busy.pop_back();
    }
    for (int call = 1; call <= last; ++call) CHECK(given.count(call) + cancelled.count(call) == 1);
}
