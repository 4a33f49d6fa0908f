// Ways in which the program of the master, or main() around it, ends.
#include <stdexcept>
#include <thread>

#include <ferry/tests/framework/endings/Ways.hpp>

namespace endings {

namespace {

template <class Program>
Way withIdleSlaves(Program program) {
    return [program](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task&) {});
        return application.run([&](ferry::Master& master) {
            const Sentinel sentinel("master", 0);
            master.submit(Work(1)).get();
            program(master);
        });
    };
}

/// Runs the program while every slave is in the middle of a task and further tasks wait.
template <class Program>
Way withBusySlaves(Program program) {
    return [program](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task& task) {
            const Sentinel sentinel("handler", task.connector().rank());
            task.connector().send(0, task.connector().rank());
            workAndListen(task.connector());
        });
        return application.run([&](ferry::Master& master) {
            const Sentinel sentinel("master", 0);
            for (int task = 0; task < 4 * master.slaveCount(); ++task) master.submit(Work(task));
            for (int slave = 1; slave <= master.slaveCount(); ++slave) master.connector().receive<int>(slave);
            program(master);
        });
    };
}

int serve(ferry::Application& application) {
    return application.run([](ferry::Master& master) { giveWorkForEver(master); });
}

}    // namespace

void addMasterWays(Ways& ways) {
    ways["masterReturns"] = withIdleSlaves([](ferry::Master&) {});
    ways["masterReturnsAtOnce"] = [](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task&) {});
        return application.run([](ferry::Master&) { const Sentinel sentinel("master", 0); });
    };
    ways["masterReturnsWhileTasksRun"] = withBusySlaves([](ferry::Master&) {});
    ways["masterThrowsStandard"] = withBusySlaves([](ferry::Master&) { throw std::out_of_range("no such room"); });
    ways["masterThrowsOwn"] = withBusySlaves([](ferry::Master&) { throw Overfull(30); });
    ways["masterThrowsInt"] = withBusySlaves([](ferry::Master&) { throw 42; });
    ways["masterAsserts"] = withBusySlaves([](ferry::Master& master) { xassert(master.slaveCount() < 0, "from the master"); });
    ways["masterSwallows"] = [](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task& task) { xassert(task.number() < 0, "swallowed"); });
        return application.run([](ferry::Master& master) {
            const Sentinel sentinel("master", 0);
            try {
                master.submit(Work(1)).get();
            } catch (const std::exception& exception) {
                say("swallowed");
            }
        });
    };
    ways["masterSkipsRun"] = [](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task&) {});
        if (application.connector().isMaster()) return 0;
        return serve(application);
    };
    ways["masterSkipsRunWithStatus"] = [](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task&) {});
        if (application.connector().isMaster()) return 9;
        return serve(application);
    };
    ways["mainThrowsOnMaster"] = [](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task&) {});
        if (application.connector().isMaster()) throw std::runtime_error("before the job");
        return serve(application);
    };
    ways["mainThrowsOnSlave"] = [](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task&) {});
        if (application.connector().rank() == lastRank(application.connector())) throw std::runtime_error("before the job");
        return serve(application);
    };
    ways["mainThrowsOnAll"] = [](ferry::Application&) -> int { throw std::runtime_error("before the job"); };
    ways["mainThrowsAfterRun"] = [](ferry::Application& application) -> int {
        prepareSlaves(application, [](ferry::Task&) {});
        application.run([](ferry::Master&) {});
        if (application.connector().isMaster()) throw std::runtime_error("when all is done");
        return 0;
    };
    ways["mainThrowsAndCatches"] = ways["mainThrowsOnMaster"];
    ways["nobodyRuns"] = [](ferry::Application& application) {
        ferry::Connector& connector = application.connector();
        if (connector.size() == 1) return 0;
        // The master ends its program first, while the other ranks still exchange messages.
        if (connector.rank() > 0) {
            const int next = connector.rank() % lastRank(connector) + 1;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            connector.send(next, connector.rank());
            connector.receive<int>();
        }
        return 0;
    };
}

}    // namespace endings
