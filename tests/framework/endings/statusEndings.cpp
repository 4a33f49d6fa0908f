// Programs that return an exit status.
#include <thread>

#include <ferry/tests/framework/endings/Ways.hpp>

namespace endings {

namespace {

Way masterReturns(int status) {
    return [status](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task&) {});
        return application.run([status](ferry::Master& master) {
            const Sentinel sentinel("master", 0);
            master.submit(Work(1)).get();
            return status;
        });
    };
}

/// The master returns 7 while every slave is in the middle of a task.
Way returnsUnder(std::function<void(ferry::Task&)> handler) {
    return [handler](ferry::Application& application) {
        prepareSlaves(application, [handler](ferry::Task& task) {
            const Sentinel sentinel("handler", task.connector().rank());
            task.connector().send(0, task.connector().rank());
            handler(task);
        });
        return application.run([](ferry::Master& master) {
            const Sentinel sentinel("master", 0);
            for (int task = 0; task < master.slaveCount(); ++task) master.submit(Work(task));
            for (int slave = 1; slave <= master.slaveCount(); ++slave) master.connector().receive<int>(slave);
            return 7;
        });
    };
}

template <class StatusOf>
Way everyRankReturns(StatusOf statusOf) {
    return [statusOf](ferry::Application& application) {
        return application.runOnAll([statusOf](ferry::Connector& connector) -> int {
            const Sentinel sentinel("rank", connector.rank());
            return statusOf(connector);
        });
    };
}

/// Works until the job is stopped, and then fails.
void workAndAssert(ferry::Task& task) {
    try {
        workAndListen(task.connector());
    } catch (const ferry::Terminated&) {
        if (task.connector().rank() != lastRank(task.connector())) throw;
    }
    xassert(task.number() < 0, "at the end");
}

}    // namespace

void addStatusWays(Ways& ways) {
    ways["masterReturns7"] = masterReturns(7);
    ways["masterReturns256"] = masterReturns(256);
    ways["masterReturnsMinus1"] = masterReturns(-1);
    ways["masterReturns7WhileTasksRun"] = returnsUnder([](ferry::Task& task) { workAndListen(task.connector()); });
    ways["masterReturns7AndSlaveAsserts"] = returnsUnder(workAndAssert);
    // The master returns 0, rank 1 returns 1, and so on. The last rank returns first.
    ways["everyRankReturnsItsNumber"] = everyRankReturns([](ferry::Connector& connector) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5 * (lastRank(connector) - connector.rank())));
        return connector.rank();
    });
    ways["lastRankReturns9"] =
        everyRankReturns([](ferry::Connector& connector) { return connector.rank() == lastRank(connector) ? 9 : 0; });
    ways["everyRankReturnsAndLastThrows"] = everyRankReturns([](ferry::Connector& connector) {
        connector.barrier();
        if (connector.rank() == lastRank(connector)) throw Overfull(12);
        return 9;
    });
}

}    // namespace endings
