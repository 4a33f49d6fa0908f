#include <ferry/framework/monitor/JobStatistics.hpp>

#include <chrono>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace ferry;
using namespace std::chrono_literals;

namespace jobstatisticstest {

constexpr detail::JobStatistics::TimePoint jobBegin{100s};

/// Ten seconds of a job with two slaves. The first slave has done two tasks; one of them failed and was retried.
/// The second slave has done one task of five seconds, which is longer than a reply can express.
detail::JobStatistics someStatistics() {
    detail::JobStatistics statistics(2, jobBegin);
    for (int task = 0; task < 3; ++task) statistics.added();
    statistics.sent(0, 2, 300, jobBegin + 1s);
    statistics.sent(1, 1, 1 << 20, jobBegin + 2s);
    statistics.answered(0, 1s, true, jobBegin + 3s);
    statistics.retried(0);
    statistics.answered(0, 2s, false, jobBegin + 5s);
    statistics.ended(false);
    statistics.received(0, 1000);
    statistics.answered(1, detail::JobStatistics::Duration(0x7fffffff), false, jobBegin + 7s);
    statistics.ended(false);
    statistics.ended(true);
    statistics.received(1, 4);
    return statistics;
}

}    // namespace jobstatisticstest

using namespace jobstatisticstest;

TEST_CASE("JobStatistics: counts what each slave has done") {
    const detail::JobStatistics statistics = someStatistics();
    CHECK(statistics.slaves()[0].taskCount == 2);
    CHECK(statistics.slaves()[0].failureCount == 1);
    CHECK(statistics.slaves()[0].retryCount == 1);
    CHECK(statistics.slaves()[0].busy == 3s);
    CHECK(statistics.slaves()[0].bytesSent == 1200);
    CHECK(statistics.slaves()[1].bytesReceived == 16);
    CHECK(statistics.endedCount() == 3);
    CHECK(statistics.failedCount() == 1);
    CHECK(statistics.rate(jobBegin + 10s) == doctest::Approx(0.3));
    CHECK(statistics.rate(jobBegin) == 0);
}

TEST_CASE("JobStatistics: a task longer than replies can say counts from when its slave was heard of before") {
    CHECK(someStatistics().slaves()[1].busy == 5s);
    detail::JobStatistics idle(1, jobBegin);
    idle.sent(0, 1, 1, jobBegin + 1s);
    idle.answered(0, 1s, false, jobBegin + 2s);
    idle.sent(0, 2, 1, jobBegin + 20s);    // sent after a pause
    idle.givenBack(0);
    idle.answered(0, detail::JobStatistics::Duration(0x7fffffff), false, jobBegin + 23s);
    CHECK(idle.slaves()[0].busy == 4s);
}

TEST_CASE("JobStatistics: announced tasks count until they are there or will not come") {
    detail::JobStatistics statistics(1, jobBegin);
    statistics.announced(5);
    CHECK(statistics.totalCount() == 5);
    statistics.added();
    statistics.announced(-1);
    CHECK(statistics.totalCount() == 5);
    statistics.announced(-4);
    CHECK(statistics.totalCount() == 1);
}

TEST_CASE("JobStatistics: what was in the journal is no work of this run") {
    detail::JobStatistics statistics(1, jobBegin);
    for (int task = 0; task < 10; ++task) statistics.ended(false);
    for (int task = 0; task < 8; ++task) statistics.foundInJournal();
    CHECK(statistics.rate(jobBegin + 1s) == doctest::Approx(2));
    CHECK(statistics.table(jobBegin + 1s).find("ferry: 10 tasks in 1.0 s, 0 of them failed, 8 were in the journal\n") == 0);
}

TEST_CASE("JobStatistics: the table has a row for each slave") {
    CHECK(someStatistics().table(jobBegin + 10s) ==
          "ferry: 3 tasks in 10.0 s, 1 of them failed\n"
          "    rank      tasks   busy   failed  retried       sent   received\n"
          "       1          2   30 %        1        1    1.2 KiB    3.9 KiB\n"
          "       2          1   50 %        0        0    4.0 MiB       16 B\n");
}

TEST_CASE("JobStatistics: a sub-master has a row of its own kind, and slaves of groups may have tasks that others were given") {
    detail::JobStatistics statistics(3, jobBegin);
    statistics.grouped(0, 2);
    statistics.sent(0, 2, 256, jobBegin);
    statistics.received(0, 8);
    statistics.answered(1, 5s, false, jobBegin + 5s);
    statistics.lost(2, "was killed", 0, jobBegin + 5s);
    statistics.orphaned(2, 3);
    CHECK(statistics.table(jobBegin + 10s) ==
          "ferry: 0 tasks in 10.0 s, 0 of them failed\n"
          "    rank      tasks   busy   failed  retried       sent   received\n"
          "       1 sub-master of 2 slaves                 1.0 KiB       32 B\n"
          "       2          1   50 %        0        0        0 B        0 B\n"
          "       3          0    0 %        0        0        0 B        0 B\n"
          "  rank 3 was killed; tasks that it had: 3\n");
    CHECK(nlohmann::json::parse(statistics.json(jobBegin + 10s))["slaves"][0]["groupSize"] == 2);
}

TEST_CASE("JobStatistics: as JSON") {
    const auto json = nlohmann::json::parse(someStatistics().json(jobBegin + 10s));
    CHECK(json["seconds"] == 10.0);
    CHECK(json["tasks"] == 3);
    CHECK(json["failed"] == 1);
    CHECK(json["fromJournal"] == 0);
    CHECK(json["tasksPerSecond"].get<double>() == doctest::Approx(0.3));
    REQUIRE(json["slaves"].size() == 2);
    CHECK(json["slaves"][1] == nlohmann::json{{"rank", 2},
                                              {"groupSize", 0},
                                              {"tasks", 1},
                                              {"busy", 0.5},
                                              {"busySeconds", 5.0},
                                              {"failed", 0},
                                              {"retried", 0},
                                              {"bytesSent", 4194304},
                                              {"bytesReceived", 16},
                                              {"lost", nullptr},
                                              {"orphans", 0},
                                              {"joined", 0.0},
                                              {"dismissed", nullptr}});
}

TEST_CASE("JobStatistics: a slave that is lost has a line under the table, and its reason in the JSON") {
    detail::JobStatistics statistics = someStatistics();
    statistics.lost(1, "was killed", 3, jobBegin + 8s);
    const std::string table = statistics.table(jobBegin + 10s);
    CHECK(table.substr(table.rfind('\n', table.size() - 2) + 1) == "  rank 2 was killed; tasks that it had: 3\n");
    const auto json = nlohmann::json::parse(statistics.json(jobBegin + 10s));
    CHECK(json["slaves"][0]["lost"].is_null());
    CHECK(json["slaves"][1]["lost"] == "was killed");
    CHECK(json["slaves"][1]["orphans"] == 3);
    CHECK(json["slaves"][1]["busy"] == 0.625);    // share of the time until then
}

TEST_CASE("JobStatistics: a reason that is no UTF-8 costs one character of the JSON, and not the statistics") {
    detail::JobStatistics statistics = someStatistics();
    statistics.lost(0, "torn \xff", 0, jobBegin + 10s);
    CHECK(nlohmann::json::parse(statistics.json(jobBegin + 10s))["slaves"][0]["lost"] == "torn \xEF\xBF\xBD");
}

TEST_CASE("JobStatistics: slaves that join and leave have lines under the table, and are busy for a share of their own time") {
    detail::JobStatistics statistics = someStatistics();
    statistics.joined(1, jobBegin + 2s);
    statistics.sent(2, 1, 4, jobBegin + 2s);
    statistics.answered(2, 2s, false, jobBegin + 4s);
    statistics.dismissed(2, jobBegin + 6s);
    const std::string table = statistics.table(jobBegin + 10s);
    CHECK(table.find("       3          1   50 %        0        0       16 B        0 B\n") != std::string::npos);
    CHECK(table.ends_with("  rank 3 joined after 2.0 s\n  rank 3 left after 6.0 s\n"));
    const auto json = nlohmann::json::parse(statistics.json(jobBegin + 10s));
    CHECK(json["slaves"][2]["joined"] == 2.0);
    CHECK(json["slaves"][2]["dismissed"] == 6.0);
    CHECK(json["slaves"][0]["joined"] == 0.0);
}
