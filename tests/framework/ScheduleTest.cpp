#include <ferry/framework/schedule/Schedule.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/framework/ScheduledCalls.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

TEST_CASE("Schedule: calls whose time is not known go out one by one, in order, to slaves that have nothing") {
    detail::Schedule schedule(2);
    add(schedule, 6);
    CHECK(giveAll(schedule) == std::map<int, Calls>{{0, {1}}, {1, {2}}});
    schedule.finished(1, 2, 200ms, start);
    CHECK(giveAll(schedule) == std::map<int, Calls>{{1, {3}}});
    CHECK(schedule.waitingCount() == 3);
}

TEST_CASE("Schedule: of calls that take some milliseconds a slave has one more than it works on; of long ones it has not") {
    detail::Schedule some = scheduleThatKnows(2, 10ms);
    add(some, 6);
    CHECK(giveAll(some) == std::map<int, Calls>{{0, {1, 3}}, {1, {2, 4}}});
    detail::Schedule longer = scheduleThatKnows(2, 60ms);
    add(longer, 6);
    CHECK(giveAll(longer) == std::map<int, Calls>{{0, {1}}, {1, {2}}});
}

TEST_CASE("Schedule: short calls go out in batches of the given duration; the next batch goes when less work is left") {
    detail::Schedule schedule = scheduleThatKnows(2, 100us);
    add(schedule, 200);
    const auto first = schedule.next(Supply::Complete, start);
    REQUIRE(first.has_value());
    CHECK(first->calls.size() == 10);
    const std::map<int, Calls> others = giveAll(schedule);
    CHECK(others.size() == 1);
    CHECK(others.at(1 - first->slave).size() == 10);
    schedule.finished(first->slave, first->calls.front(), 100us, start);
    CHECK(giveAll(schedule).at(first->slave).size() == 10);
}

TEST_CASE("Schedule: a call that was cancelled says nothing about how long others take") {
    detail::Schedule schedule(1);
    add(schedule, 1);
    giveAll(schedule);
    schedule.finished(0, 1, std::nullopt, start);
    add(schedule, 3, 2);
    CHECK(giveAll(schedule) == std::map<int, Calls>{{0, {2}}});
}

TEST_CASE("Schedule: a batch has a largest number of calls and of ints") {
    detail::Schedule tiny = scheduleThatKnows(1, 1ns);
    add(tiny, 5000);
    CHECK(tiny.next(Supply::Complete, start)->calls.size() == 1000);
    detail::Schedule large = scheduleThatKnows(1, 1ns);
    for (int call = 1; call <= 20; ++call) large.add(call, {.kind = 1, .ints = 6000});
    CHECK(large.next(Supply::Complete, start)->calls.size() == 2);
    large.add(21, {.kind = 1, .priority = 1, .ints = 1'000'000});
    CHECK(large.next(Supply::Complete, start)->calls == Calls{21});
}

TEST_CASE("Schedule: the last calls are shared out") {
    detail::Schedule schedule = scheduleThatKnows(4, 1us);
    add(schedule, 40);
    std::map<int, std::size_t> counts;
    for (const auto& [slave, calls] : giveAll(schedule)) counts[slave] = calls.size();
    CHECK(counts.size() == 4);
    for (const auto& [slave, count] : counts) CHECK(count < 16);
}

TEST_CASE("Schedule: while more is coming, a slave that works waits for a full batch, and one without work for nothing") {
    detail::Schedule schedule = scheduleThatKnows(1, 100us);
    add(schedule, 1);
    CHECK(schedule.next(Supply::MoreComing, start)->calls == Calls{1});
    add(schedule, 9, 2);
    CHECK_FALSE(schedule.next(Supply::MoreComing, start).has_value());
    add(schedule, 1, 11);
    CHECK(schedule.next(Supply::MoreComing, start)->calls.size() == 10);
}

TEST_CASE("Schedule: a higher priority goes first; in one priority the order is kept") {
    detail::Schedule schedule(1);
    schedule.add(1, small(0));
    schedule.add(2, small(-1));
    schedule.add(3, small(7));
    schedule.add(4, small(0));
    schedule.add(5, small(7));
    Calls order;
    while (const auto batch = schedule.next(Supply::Complete, start)) {
        order.push_back(batch->calls.front());
        schedule.finished(0, order.back(), 1s, start);
    }
    CHECK(order == Calls{3, 5, 1, 4, 2});
}

TEST_CASE("Schedule: a call goes to another slave than the one where it failed, or back there when no other has room") {
    detail::CallFacts failed = small();
    failed.avoided = 0;
    detail::Schedule schedule(2);
    schedule.add(1, failed);
    CHECK(schedule.next(Supply::Complete, start)->slave == 1);
    schedule.add(2, failed);
    CHECK(schedule.next(Supply::Complete, start)->slave == 0);
    schedule.add(3, failed);
    CHECK_FALSE(schedule.next(Supply::Complete, start).has_value());
    detail::Schedule alone(1);
    alone.add(1, failed);
    CHECK(alone.next(Supply::Complete, start)->slave == 0);
}

TEST_CASE("Schedule: a call that was cancelled is never given out; one that was given out cannot be") {
    detail::Schedule schedule(1);
    add(schedule, 3);
    CHECK(giveAll(schedule) == std::map<int, Calls>{{0, {1}}});
    CHECK_FALSE(schedule.cancel(1));
    CHECK(schedule.cancel(2));
    CHECK_FALSE(schedule.cancel(2));
    schedule.finished(0, 1, 1s, start);
    CHECK(giveAll(schedule) == std::map<int, Calls>{{0, {3}}});
    schedule.finished(0, 3, 1s, start);
    CHECK(giveAll(schedule).empty());
}

TEST_CASE("Schedule: when a slave has nothing to do, another one is asked for half of what it has") {
    detail::Schedule schedule = scheduleThatKnows(2, 10ms);
    add(schedule, 4);
    CHECK(giveAll(schedule) == std::map<int, Calls>{{0, {1, 3}}, {1, {2, 4}}});
    CHECK_FALSE(schedule.recall(start).has_value());
    schedule.finished(0, 1, 10ms, start + 10ms);
    schedule.finished(0, 3, 10ms, start + 20ms);
    const auto back = schedule.recall(start + 20ms);
    REQUIRE(back.has_value());
    CHECK(back->slave == 1);
    CHECK(back->calls == Calls{4});
    CHECK_FALSE(schedule.recall(start + 20ms).has_value());
    CHECK(schedule.nextRecall() == detail::Schedule::TimePoint::max());
    schedule.givenBack(1, 4, start + 20ms);
    schedule.recallAnswered(1, start);
    CHECK(giveAll(schedule, start + 20ms) == std::map<int, Calls>{{0, {4}}});
    schedule.finished(1, 2, 20ms, start + 20ms);
    CHECK_THROWS_AS(schedule.finished(1, 4, 1ms, start), UsageError);
}

TEST_CASE("Schedule: little work is taken back only from a silent slave, which gets no more meanwhile") {
    detail::Schedule schedule = scheduleThatKnows(2, 1us);
    add(schedule, 4);
    giveAll(schedule);
    schedule.finished(0, 1, 1us, start);
    schedule.finished(0, 2, 1us, start);
    CHECK_FALSE(schedule.recall(start).has_value());
    CHECK(schedule.nextRecall() == start + 2ms);
    const auto back = schedule.recall(start + 2ms);
    REQUIRE(back.has_value());
    CHECK(back->calls == Calls{4});
    schedule.recallAnswered(1, start);
    add(schedule, 4, 5);
    CHECK(giveAll(schedule, start + 3ms).count(1) == 0);
}

TEST_CASE("Schedule: a slave that is silent for long gets no more calls until it is heard of") {
    detail::Schedule schedule = scheduleThatKnows(3, 10ms);
    add(schedule, 3);
    CHECK(giveAll(schedule).size() == 3);
    add(schedule, 4, 4);
    const auto late = start + 2 * 10ms + 2ms + 1ns;
    schedule.finished(1, 2, 10ms, start + 10ms);
    CHECK(giveAll(schedule, start + 10ms) == std::map<int, Calls>{{0, {5}}, {1, {4, 6}}, {2, {7}}});
    add(schedule, 2, 8);
    schedule.finished(0, 1, 10ms, start + 10ms);
    schedule.finished(2, 3, 10ms, start + 10ms);
    CHECK(giveAll(schedule, start + 10ms + (late - start)).empty());
    schedule.finished(2, 7, 30ms, late + 10ms);
    CHECK(giveAll(schedule, late + 10ms) == std::map<int, Calls>{{2, {8, 9}}});
}

TEST_CASE("Schedule: a slave on which calls of the kind were never measured counts by what they took on others") {
    detail::Schedule schedule(2);
    schedule.add(1, {.kind = 1});
    schedule.add(2, {.kind = 2});
    giveAll(schedule);    // one call for each slave
    schedule.finished(0, 1, 10ms, start);
    schedule.add(3, {.kind = 1});
    schedule.add(4, {.kind = 1});
    schedule.add(5, {.kind = 1});
    CHECK(giveAll(schedule) == std::map<int, Calls>{{0, {3, 5}}, {1, {4}}});
    schedule.finished(1, 2, 1s, start);
    schedule.add(6, {.kind = 2});
    CHECK(giveAll(schedule).empty());    // long calls wait for an idle slave, whichever slave has measured their kind
}

TEST_CASE("Schedule: the number of wanted calls grows with the size of a batch") {
    detail::Schedule unknown(3);
    CHECK(unknown.wantedCount(small()) == 12);
    detail::Schedule schedule = scheduleThatKnows(3, 100us);
    CHECK(schedule.wantedCount(small()) == 120);
    CHECK(schedule.wantedCount({.kind = 1, .ints = 1'000'000}) == 12);
}

TEST_CASE("Schedule: without slaves nothing goes out; wrong use is refused") {
    detail::Schedule schedule(0);
    add(schedule, 1);
    CHECK_FALSE(schedule.next(Supply::Complete, start).has_value());
    CHECK_THROWS_AS(schedule.finished(0, 1, 1ms, start), UsageError);
    CHECK_THROWS_AS(detail::Schedule(2).finished(1, 1, 1ms, start), UsageError);
}

namespace scheduletest {

/// Simulates slaves on virtual time, and a schedule that feeds them.
class Model {
public:
    Model(int slaveCount, unsigned seed) : schedule_(slaveCount), slaves_(static_cast<std::size_t>(slaveCount)), random_(seed) {}

    /// Runs calls of the given durations. Returns the time when the last call is done. Checks that each call ran once.
    detail::Schedule::Duration run(const std::vector<detail::Schedule::Duration>& times) {
        for (std::size_t i = 0; i < times.size(); ++i) schedule_.add(static_cast<std::int32_t>(i + 1), small());
        std::vector<int> runs(times.size() + 1, 0);
        for (std::size_t done = 0; done < times.size();) {
            for (const auto& [slave, calls] : giveAll(schedule_, now_)) {
                ModelSlave& one = slaves_[static_cast<std::size_t>(slave)];
                if (one.calls.empty()) one.free = now_ + times[static_cast<std::size_t>(calls.front()) - 1];
                one.calls.insert(one.calls.end(), calls.begin(), calls.end());
            }
            while (const auto back = schedule_.recall(now_)) answer(*back);
            const auto next = std::min_element(slaves_.begin(), slaves_.end(), [](const ModelSlave& a, const ModelSlave& b) {
                return (a.calls.empty() ? detail::Schedule::TimePoint::max() : a.free) <
                       (b.calls.empty() ? detail::Schedule::TimePoint::max() : b.free);
            });
            REQUIRE_FALSE(next->calls.empty());
            const auto look = schedule_.nextRecall();
            if (look > now_ && look < next->free) {
                now_ = look;
                continue;
            }
            now_ = next->free;
            const std::int32_t call = next->calls.front();
            next->calls.erase(next->calls.begin());
            ++runs[static_cast<std::size_t>(call)];
            ++done;
            schedule_.finished(static_cast<int>(next - slaves_.begin()), call, times[static_cast<std::size_t>(call) - 1], now_);
            if (!next->calls.empty()) next->free = now_ + times[static_cast<std::size_t>(next->calls.front()) - 1];
        }
        for (std::size_t call = 1; call < runs.size(); ++call) CHECK(runs[call] == 1);
        return now_ - start;
    }

private:
    struct ModelSlave {
        Calls calls;
        detail::Schedule::TimePoint free{};
    };

    /// The slave gives back the calls that it has not begun. Sometimes it keeps some, as if it had begun them meanwhile.
    void answer(const detail::Schedule::Assignment& back) {
        Calls& own = slaves_[static_cast<std::size_t>(back.slave)].calls;
        for (auto call = back.calls.rbegin(); call != back.calls.rend(); ++call) {
            if (call + 1 == back.calls.rend() && random_() % 4 == 0) break;
            own.erase(std::find(own.begin(), own.end(), *call));
            schedule_.givenBack(back.slave, *call, now_);
        }
        schedule_.recallAnswered(back.slave, now_);
    }

    detail::Schedule schedule_;
    std::vector<ModelSlave> slaves_;
    std::mt19937 random_;
    detail::Schedule::TimePoint now_ = start;
};

}    // namespace scheduletest

using namespace scheduletest;

TEST_CASE("Schedule: in virtual time every call runs once, and slow ones hold nobody back") {
    for (const unsigned seed : {1u, 2u, 3u}) {
        for (const int slaveCount : {1, 2, 5}) {
            std::mt19937 random(seed);
            std::vector<detail::Schedule::Duration> times;
            for (int i = 0; i < 3000; ++i) times.emplace_back(random() % 100 == 0 ? 20ms : detail::Schedule::Duration(50us));
            const auto all = std::accumulate(times.begin(), times.end(), detail::Schedule::Duration{0});
            const detail::Schedule::Duration taken = Model(slaveCount, seed).run(times);
            CHECK(taken >= all / slaveCount);
            CHECK(taken <= all / slaveCount + 45ms);    // two slow calls at the end, and a margin
        }
    }
}

TEST_CASE("Schedule: the calls of a slave that is lost go to others first, in their order and each alone") {
    detail::Schedule schedule = scheduleThatKnows(2, 100us);
    add(schedule, 60);
    const auto first = schedule.next(Supply::Complete, start);
    const auto second = schedule.next(Supply::Complete, start);
    REQUIRE(first->slave != second->slave);
    schedule.finished(first->slave, first->calls.front(), 100us, start);
    const auto ahead = schedule.next(Supply::Complete, start);
    REQUIRE(ahead->slave == first->slave);
    const std::vector<detail::Schedule::Orphan> orphans = schedule.lose(first->slave);
    REQUIRE(orphans.size() == first->calls.size() - 1 + ahead->calls.size());
    CHECK(schedule.liveCount() == 1);
    for (const detail::Schedule::Orphan& orphan : orphans) CHECK(orphan.mayHaveRun);    // the replies to its first letter may be under way
    CHECK(schedule.callsAt(first->slave).empty());
    CHECK(giveAll(schedule).empty());    // the other slave has work, and a suspect call travels alone
    for (const std::int32_t call : second->calls) schedule.finished(second->slave, call, 100us, start);
    CHECK(schedule.next(Supply::Complete, start)->calls == Calls{first->calls[1]});
    CHECK(schedule.lose(first->slave).empty());
}

TEST_CASE("Schedule: a slave that is lost is given nothing, asked for nothing, and not waited for") {
    detail::Schedule schedule = scheduleThatKnows(2, 10ms);
    schedule.lose(0);
    add(schedule, 4);
    CHECK(giveAll(schedule) == std::map<int, Calls>{{1, {1, 2}}});
    schedule.finished(1, 1, 10ms, start);
    CHECK_FALSE(schedule.recall(start + 1s).has_value());
    CHECK(schedule.wantedCount(small()) == 4);
    detail::CallFacts failed = small();
    failed.avoided = 0;
    schedule.add(9, failed);
    schedule.lose(1);
    CHECK_FALSE(schedule.next(Supply::Complete, start).has_value());
}
