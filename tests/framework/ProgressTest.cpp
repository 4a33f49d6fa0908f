#include <ferry/framework/monitor/Progress.hpp>

#include <chrono>
#include <string>

#include <doctest/doctest.h>

using namespace ferry;
using namespace std::chrono_literals;

namespace progresstest {

constexpr detail::JobStatistics::TimePoint shownFrom{100s};

detail::JobStatistics statisticsOf(int total, int ended, int failed) {
    detail::JobStatistics statistics(1, shownFrom);
    for (int task = 0; task < total; ++task) statistics.added();
    for (int task = 0; task < ended; ++task) statistics.ended(task < failed);
    return statistics;
}

}    // namespace progresstest

using namespace progresstest;

TEST_CASE("Progress: the text has tasks, rate, time left and failures") {
    CHECK(detail::Progress::text(statisticsOf(400, 100, 0), shownFrom + 10s) == "100 of 400 tasks (25 %), 10/s, 30 s left");
    CHECK(detail::Progress::text(statisticsOf(400, 20, 3), shownFrom + 10s) == "20 of 400 tasks (5 %), 2.0/s, 3 min left, 3 failed");
    CHECK(detail::Progress::text(statisticsOf(400, 399, 0), shownFrom + 10s) == "399 of 400 tasks (99 %), 40/s, 0.0 s left");
    CHECK(detail::Progress::text(statisticsOf(7, 7, 7), shownFrom + 1s) == "7 of 7 tasks (100 %), 7.0/s, 7 failed");
    CHECK(detail::Progress::text(statisticsOf(9000, 1, 0), shownFrom + 1s) == "1 of 9000 tasks (0 %), 1.0/s, 2.5 h left");
    CHECK(detail::Progress::text(statisticsOf(5, 0, 0), shownFrom) == "0 of 5 tasks (0 %), 0.0/s");
    CHECK(detail::Progress::text(statisticsOf(0, 0, 0), shownFrom) == "0 of 0 tasks (100 %), 0.0/s");
}

TEST_CASE("Progress: on a terminal one line is written again, ten times a second at most") {
    const detail::JobStatistics statistics = statisticsOf(400, 100, 0);
    detail::Progress progress(detail::Progress::Place::Terminal, shownFrom);
    CHECK(progress.next() == shownFrom + 500ms);
    CHECK_FALSE(progress.due(statistics, shownFrom + 499ms).has_value());
    CHECK(progress.ending(statistics, shownFrom + 499ms).empty());
    CHECK(progress.due(statistics, shownFrom + 500ms) == "\r\x1b[K[#####...............] 100 of 400 tasks (25 %), 200/s, 1.5 s left");
    CHECK_FALSE(progress.due(statistics, shownFrom + 599ms).has_value());
    CHECK(progress.due(statistics, shownFrom + 600ms).has_value());
    CHECK(progress.ending(statistics, shownFrom + 1s) == "\r\x1b[K" + statistics.table(shownFrom + 1s));
}

TEST_CASE("Progress: in a file there are whole lines, now and then") {
    const detail::JobStatistics statistics = statisticsOf(400, 100, 0);
    detail::Progress progress(detail::Progress::Place::File, shownFrom);
    CHECK_FALSE(progress.due(statistics, shownFrom + 29s).has_value());
    CHECK(progress.due(statistics, shownFrom + 50s) == "ferry: 100 of 400 tasks (25 %), 2.0/s, 2 min left\n");
    CHECK(progress.next() == shownFrom + 80s);
    CHECK(progress.ending(statistics, shownFrom + 60s) == statistics.table(shownFrom + 60s));
}

TEST_CASE("Progress: without a target no line is ever due") {
    const detail::JobStatistics statistics = statisticsOf(400, 100, 0);
    detail::Progress progress(detail::Progress::Place::Nowhere, shownFrom);
    CHECK_FALSE(progress.due(statistics, shownFrom + 1h).has_value());
    CHECK(progress.next() == detail::JobStatistics::TimePoint::max());
    CHECK(progress.ending(statistics, shownFrom + 1h).empty());
}
