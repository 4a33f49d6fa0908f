// The information of a job for its watchers.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <ranges>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <ferry/framework/master/BesideJob.hpp>
#include <ferry/framework/monitor/JobMonitor.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/FileBytes.hpp>
#include <ferry/tests/support/Ranks.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace monitorjobtest {

/// The handler refuses tasks of 13.
void defineSquare(Slave& slave) {
    slave.on<Multiply>([](const Multiply& task) {
        if (task.left == 13) throw Refused(task.right);
        return Multiplied(static_cast<long>(task.left) * task.right);
    });
}

detail::MonitorSettings quietSettings(const std::filesystem::path& path) {
    detail::MonitorSettings settings;
    settings.isQuiet = true;
    settings.statisticsPath = path;
    return settings;
}

}    // namespace monitorjobtest

using namespace monitorjobtest;

TEST_CASE("JobMonitor: the statistics of a job count each task, failure and further try once") {
    runJob(defineSquare, [](Master& outer) {
        const TemporaryFolder folder;
        Connector& connector = outer.connector();
        detail::JobMonitor monitor(quietSettings(folder / "statistics"), connector.size() - 1, connector.now());
        {
            Master master(connector, detail::BesideJob{.monitor = &monitor, .groups = groupsOfThisJob()});
            const auto tasks = std::views::iota(100, 400) | std::views::transform([](int i) { return Multiply(i, 1000); });
            {
                auto replies = master.map(tasks);
                CHECK(monitor.statistics().totalCount() == 300);
                CHECK(std::ranges::distance(replies.begin(), replies.end()) == 300);
            }
            CHECK(monitor.statistics().totalCount() == 300);
            auto failing = master.submit(Multiply(13, 0), {.retry = RetryOn<Refused>{.times = 2}});
            CHECK_THROWS_AS(failing.get(Deadline::in(1min)), Refused);
        }
        monitor.end(connector.now());
        const auto json = nlohmann::json::parse(bytesOf(folder / "statistics"));
        CHECK(json["tasks"] == 301);
        CHECK(json["failed"] == 1);
        REQUIRE(json["slaves"].size() == static_cast<std::size_t>(connector.size() - 1));
        const auto sumOf = [&](const char* name) {
            std::size_t sum = 0;
            for (const auto& slave : json["slaves"]) sum += slave[name].get<std::size_t>();
            return sum;
        };
        CHECK(sumOf("tasks") == 303);
        CHECK(sumOf("failed") == 3);
        CHECK(sumOf("retried") == 2);
        CHECK(sumOf("bytesSent") > 303 * 5 * sizeof(std::int32_t));
        CHECK(sumOf("bytesReceived") > 303 * 5 * sizeof(std::int32_t));
        for (const auto& slave : json["slaves"]) {
            CHECK(slave["busy"].get<double>() >= 0);
            CHECK(slave["busy"].get<double>() <= 1);
        }
    });
}

TEST_CASE("JobMonitor: a map that is left early has no more tasks to come") {
    runJob(defineSquare, [](Master& outer) {
        Connector& connector = outer.connector();
        detail::JobMonitor monitor(quietSettings({}), connector.size() - 1, connector.now());
        Master master(connector, detail::BesideJob{.monitor = &monitor, .groups = groupsOfThisJob()});
        {
            std::vector<Multiply> tasks(5000, Multiply(2, 3));
            auto replies = master.map(tasks);
            CHECK((*replies.begin()).value == 6);
            CHECK(monitor.statistics().totalCount() == 5000);
        }
        master.waitForAll(Deadline::in(1min));
        CHECK(monitor.statistics().totalCount() < 5000);
        CHECK(monitor.statistics().totalCount() == monitor.statistics().endedCount());
    });
}
