// Ranks that die at once, ranks that make no calls of Ferry, and jobs that wait for a signal.
#include <csignal>
#include <cstdlib>
#include <thread>

#include <unistd.h>

#include <ferry/tests/framework/endings/Ways.hpp>

namespace endings {

namespace {

template <class Death>
Way masterDies(Death death) {
    return [death](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task&) {});
        return application.run([death](ferry::Master& master) {
            master.submit(Work(1)).get();
            death();
        });
    };
}

template <class Death>
Way slaveDies(Death death) {
    return [death](ferry::Application& application) {
        prepareSlaves(application, [death](ferry::Task& task) {
            if (task.connector().rank() == lastRank(task.connector())) death();
        });
        return application.run(giveWorkForEver);
    };
}

void killSelf() { std::raise(SIGKILL); }

void touchNothing() {
    std::signal(SIGSEGV, SIG_DFL);    // a sanitizer would turn the signal into a report
    std::raise(SIGSEGV);
}

void sayReady(int rank) { say("ready " + std::to_string(rank) + " " + std::to_string(getpid())); }

}    // namespace

void addDeathWays(Ways& ways) {
    ways["masterAborts"] = masterDies([] { std::abort(); });
    ways["masterIsKilled"] = masterDies(killSelf);
    ways["masterCrashes"] = masterDies(touchNothing);
    ways["slaveAborts"] = slaveDies([] { std::abort(); });
    ways["slaveIsKilled"] = slaveDies(killSelf);
    ways["slaveCrashes"] = slaveDies(touchNothing);
    ways["slaveQuits0"] = slaveDies([] { _exit(0); });
    ways["slaveThreadQuits0"] = slaveDies([] { std::thread([] { _exit(0); }).join(); });
    ways["masterQuits0"] = masterDies([] { _exit(0); });
}

void addForcedWays(Ways& ways) {
    // Every rank waits for a signal in calls of Ferry.
    ways["listens"] = [](ferry::Application& application) {
        application.slave().on<Work>([](const Work&, ferry::Task& task) {
            const Sentinel sentinel("handler", task.connector().rank());
            sayReady(task.connector().rank());
            workAndListen(task.connector());
            return ferry::Done();
        });
        return application.run([](ferry::Master& master) {
            const Sentinel sentinel("master", 0);
            sayReady(0);
            std::vector<ferry::Future<ferry::Done>> futures;
            for (int slave = 0; slave < master.slaveCount(); ++slave) futures.push_back(master.submit(Work(slave)));
            for (auto& future : futures) future.get();
        });
    };
    // No rank makes a call of Ferry.
    ways["listensNot"] = [](ferry::Application& application) {
        return application.runOnAll([](ferry::Connector& connector) {
            sayReady(connector.rank());
            workAndNotListen();
        });
    };
    ways["slaveAssertsUnderDeafMaster"] = [](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task& task) { xassert(task.number() < 0, "unheard"); });
        return application.run([](ferry::Master& master) {
            for (int slave = 0; slave < master.slaveCount(); ++slave) master.submit(Work(slave));
            workAndNotListen();
        });
    };
    ways["slaveThrowsUnderMasterThatGoesOn"] = [](ferry::Application& application) {
        return application.runOnAll([](ferry::Connector& connector) {
            if (connector.rank() == lastRank(connector)) throw Overfull(30);
            for (;;) {
                try {
                    connector.barrier();
                } catch (const std::exception&) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(5));
                }
            }
        });
    };
    // The first slave makes no call of Ferry while the last slave fails.
    ways["slaveAssertsBesideDeafSlave"] = [](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task& task) {
            ferry::Connector& connector = task.connector();
            if (connector.rank() == 1) {
                connector.send(lastRank(connector), 1);
                connector.flush();
                workAndNotListen();
            }
            if (connector.rank() == lastRank(connector)) {
                connector.receive<int>(1);
                xassert(task.number() < 0, "beside a deaf one");
            }
        });
        return application.run([](ferry::Master& master) {
            const Sentinel sentinel("master", 0);
            std::vector<ferry::Future<ferry::Done>> futures;
            for (int slave = 0; slave < master.slaveCount(); ++slave) futures.push_back(master.submit(Work(slave)));
            for (auto& future : futures) future.get();
        });
    };
    // No slave fails, but one slave makes no call of Ferry when the master throws.
    ways["masterThrowsBesideDeafSlave"] = [](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task& task) {
            task.connector().send(0, 1);
            task.connector().flush();
            if (task.connector().rank() == 1) workAndNotListen();
        });
        return application.run([](ferry::Master& master) {
            const Sentinel sentinel("master", 0);
            for (int slave = 0; slave < master.slaveCount(); ++slave) master.submit(Work(slave));
            for (int slave = 1; slave <= master.slaveCount(); ++slave) master.connector().receive<int>(slave);
            throw Overfull(30);
        });
    };
}

}    // namespace endings
