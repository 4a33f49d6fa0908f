// Graphs in jobs: shared objects, tasks and replies. Timers of handlers in the trace.
#include <chrono>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <ferry/framework/master/BesideJob.hpp>
#include <ferry/framework/monitor/JobMonitor.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/PartGraph.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/FileBytes.hpp>
#include <ferry/tests/support/Ranks.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

using namespace ferry;
using namespace ferry::test;

namespace graphjobtest {

struct Stop {
    int number = 0;
    std::vector<Stop*> next;
    FERRY_FIELDS(number, next)
};

class Tour : public Message {
public:
    FERRY_CLASS(graphjobtest::Tour)
    FERRY_FIELDS(start)
    using Reply = Tour;
    Graph<Stop> start;
};

/// The handler returns the task's circle with the numbers of the shared circle added.
void defineTour(Slave& slave) {
    slave.on<Tour>([](const Tour& task, Task& about) {
        const auto& shared = about.shared<Graph<Stop>>();
        Tour reply;
        reply.start = copyGraph(task.start);
        reply.start->number += shared->number;
        reply.start->next.front()->number += shared->next.front()->number;
        return reply;
    });
}

using Roads = View<&Stop::next>;
using RoadGraph = PartGraph<Roads, Stop>;

struct Look {
    RoadGraph roads;
    using Reply = RoadGraph;
};

/// The handler returns a copy of the task's roads, where they and the shared roads are circles without numbers.
void defineLook(Slave& slave) {
    slave.on<Look>([](const Look& task, Task& about) {
        const auto& shared = about.shared<RoadGraph>();
        const bool isRight = shared->next.at(0)->next.at(0) == shared.root() && shared->number + task.roads->number == 0;
        return isRight ? copyGraph(task.roads) : RoadGraph();
    });
}

struct Circle {
    Stop first;
    Stop second;
    Circle(int one, int two) {
        first.number = one;
        second.number = two;
        first.next = {&second};
        second.next = {&first};
    }
    Circle(const Circle&) = delete;
    Circle& operator=(const Circle&) = delete;
};

}    // namespace graphjobtest

using namespace graphjobtest;

TEST_CASE("Master::share: a view chosen for one call goes by shared objects, tasks and replies") {
    runJob(defineLook, [](Master& master) {
        const Circle circle(100, 200);
        master.share(graph(part<Roads>(circle.first)));
        Look task;
        task.roads = graph(part<Roads>(circle.second));
        const RoadGraph reply = master.submit(task).get();
        REQUIRE(reply);
        CHECK(reply->number == 0);
        CHECK(reply->next.at(0)->next.at(0) == reply.root());
    });
}

TEST_CASE("Master::share: a named graph is shared, and graphs are fields of tasks and replies") {
    runJob(defineTour, [](Master& master) {
        const Circle shared(100, 200);
        for (int version = 1; version <= 2; ++version) {
            CHECK(master.share(graph(&shared.first)) == version);
            for (int i = 0; i < 5 * master.slaveCount(); ++i) {
                const Circle own(i, 2 * i);
                Tour task;
                task.start = copyGraph(graph(&own.first));
                const Tour reply = master.submit(task).get();
                CHECK(reply.start->number == 100 + i);
                CHECK(reply.start->next.front()->number == 200 + 2 * i);
                CHECK(reply.start->next.front()->next.front() == reply.start.root());
            }
        }
        CHECK(master.unshare<Graph<Stop>>());
        Tour task;
        CHECK_THROWS_AS(static_cast<void>(master.submit(task).get()), UsageError);
    });
}

TEST_CASE("JobMonitor: runs of timers on all ranks are in the trace of the job") {
    const auto define = [](Slave& slave) {
        slave.on<Multiply>([](const Multiply& task, Task& about) {
            const auto run = about.connector().timers().time("multiply");
            const auto inner = about.connector().timers().time("inner part");
            return Multiplied(task.left * task.right);
        });
    };
    runUngroupedJob(define, [](Master& outer) {
        Connector& connector = outer.connector();
        const TemporaryFolder folder;
        detail::MonitorSettings settings;
        settings.isQuiet = true;
        settings.tracePath = folder / "trace";
        // The slaves of this job record no trace: only the master's row is looked at.
        detail::JobMonitor monitor(settings, connector.size() - 1, connector.now());
        {
            Master master(connector, detail::BesideJob{.monitor = &monitor});
            const auto run = connector.timers().time("the job");
            CHECK(master.submit(Multiply(6, 7)).get().value == 42);
        }
        monitor.end(connector.now());
        const nlohmann::json trace = nlohmann::json::parse(bytesOf(folder / "trace"));
        std::set<std::string> names;
        for (const auto& event : trace["traceEvents"]) {
            if (event.value("cat", "") == "timer") names.insert(event["name"].get<std::string>());
        }
        CHECK(names == std::set<std::string>{"the job"});
        connector.timers().clear();
    });
}
