#include <ferry/framework/schedule/BatchPace.hpp>

#include <chrono>

#include <doctest/doctest.h>

using namespace ferry;
using namespace std::chrono_literals;

namespace batchpacetest {

/// A pace with its own clock. decideAfter() ends a period in which the master has waited for the given time.
struct Clocked {
    detail::BatchPace::Duration decideAfter(detail::BatchPace::Duration waited, bool areSlavesIdle) {
        pace.waited(waited);
        pace.sent(3);
        now += detail::BatchPace::period;
        return pace.decide(now, areSlavesIdle);
    }
    detail::BatchPace pace{1ms};
    detail::BatchPace::TimePoint now{};
};

}    // namespace batchpacetest

using namespace batchpacetest;

TEST_CASE("BatchPace: batches grow while the master never waits and slaves have nothing to do, up to a limit, and shrink when it waits") {
    Clocked clocked;
    for (const auto expected : {2ms, 4ms, 8ms, 16ms, 32ms, 64ms, 64ms}) CHECK(clocked.decideAfter(0ns, true) == expected);
    CHECK(clocked.decideAfter(detail::BatchPace::period / 10, true) == 64ms);    // the master waits a little, so nothing changes
    for (const auto expected : {32ms, 16ms, 8ms, 4ms, 2ms, 1ms, 1ms})
        CHECK(clocked.decideAfter(detail::BatchPace::period / 2, true) == expected);
}

TEST_CASE("BatchPace: a master that is busy while its slaves are, too, changes nothing") {
    Clocked clocked;
    CHECK(clocked.decideAfter(0ns, false) == 1ms);
    CHECK(clocked.decideAfter(0ns, true) == 2ms);
    CHECK(clocked.decideAfter(0ns, false) == 2ms);
    CHECK(clocked.decideAfter(detail::BatchPace::period, false) == 1ms);
}

TEST_CASE("BatchPace: letters of many tasks stay as they are") {
    Clocked clocked;
    for (int i = 0; i < 10; ++i) clocked.pace.sent(1000);
    CHECK(clocked.decideAfter(0ns, true) == 1ms);
    CHECK(clocked.decideAfter(0ns, true) == 2ms);    // the next period counts its own letters
}

TEST_CASE("BatchPace: it decides once in a period") {
    detail::BatchPace pace(1ms);
    const detail::BatchPace::TimePoint begin{1h};
    CHECK(pace.isDue(begin));
    static_cast<void>(pace.decide(begin, false));
    CHECK_FALSE(pace.isDue(begin + detail::BatchPace::period / 2));
    CHECK(pace.isDue(begin + detail::BatchPace::period));
}
