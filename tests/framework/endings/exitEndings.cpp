// exit() on any rank, at any time.
#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>
#include <thread>

#include <ferry/tests/framework/endings/Ways.hpp>

namespace endings {

namespace {

Way masterExits(int status) {
    return [status](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task& task) {
            task.connector().send(0, task.connector().rank());
            workAndListen(task.connector());
        });
        return application.run([status](ferry::Master& master) {
            for (int task = 0; task < 4 * master.slaveCount(); ++task) master.submit(Work(task));
            for (int slave = 1; slave <= master.slaveCount(); ++slave) master.connector().receive<int>(slave);
            std::exit(status);
        });
    };
}

Way slaveExits(int status, bool doAll) {
    return [status, doAll](ferry::Application& application) {
        prepareSlaves(application, [status, doAll](ferry::Task& task) {
            if (doAll || task.connector().rank() == lastRank(task.connector())) std::exit(status);
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        });
        return application.run(giveWorkForEver);
    };
}

int statusOfChild(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}    // namespace

void addExitWays(Ways& ways) {
    ways["masterExits0"] = masterExits(0);
    ways["masterExits5"] = masterExits(5);
    ways["slaveExits0"] = slaveExits(0, false);
    ways["slaveExits6"] = slaveExits(6, false);
    ways["slaveExits256"] = slaveExits(256, false);
    ways["allSlavesExit6"] = slaveExits(6, true);
    ways["childExits"] = [](ferry::Application& application) {
        return application.runOnAll([](ferry::Connector& connector) {
            const Sentinel sentinel("rank", connector.rank());
            const pid_t child = fork();
            if (child == 0) std::exit(7);
            xassert(statusOfChild(child) == 7);
            connector.barrier();
        });
    };
    ways["childLeavesMain"] = [](ferry::Application& application) {
        const pid_t child = fork();
        if (child == 0) return 8;
        if (statusOfChild(child) != 8) return 1;
        return application.runOnAll([](ferry::Connector& connector) {
            const Sentinel sentinel("rank", connector.rank());
            connector.barrier();
        });
    };
    ways["exitsBeforeRun"] = [](ferry::Application&) -> int { std::exit(9); };
    ways["masterExitsBeforeRun"] = [](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task&) {});
        if (application.connector().isMaster()) std::exit(9);
        return application.run(giveWorkForEver);
    };
    ways["slaveExitsBeforeRun"] = [](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task&) {});
        ferry::Connector& connector = application.connector();
        if (connector.rank() > 0 && connector.rank() == lastRank(connector)) std::exit(9);
        return application.run(giveWorkForEver);
    };
    ways["exitsAfterRun"] = [](ferry::Application& application) -> int {
        prepareSlaves(application, [](ferry::Task&) {});
        application.run([](ferry::Master& master) { master.submit(Work(1)).get(); });
        std::exit(9);
    };
    ways["exitsWithStatusOfRun"] = [](ferry::Application& application) -> int {
        prepareSlaves(application, [](ferry::Task& task) { xassert(task.number() < 0); });
        std::exit(application.run(giveWorkForEver));
    };
    ways["everyRankExits0"] = [](ferry::Application& application) {
        return application.runOnAll([](ferry::Connector& connector) {
            if (connector.rank() == lastRank(connector)) std::exit(0);
            connector.barrier();
        });
    };
    for (const int status : {0, 6}) {
        ways["slaveQuicklyExits" + std::to_string(status)] = [status](ferry::Application& application) {
            prepareSlaves(application, [status](ferry::Task& task) {
                if (task.connector().rank() == lastRank(task.connector())) std::quick_exit(status);
            });
            return application.run(giveWorkForEver);
        };
    }
    ways["slaveThreadExits6"] = [](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task& task) {
            if (task.connector().rank() == lastRank(task.connector())) std::thread([] { std::exit(6); }).join();
        });
        return application.run(giveWorkForEver);
    };
}

}    // namespace endings
