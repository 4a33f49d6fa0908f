// Ways in which a slave fails in the middle of the job. The last rank is the one that fails.
#include <stdexcept>
#include <thread>

#include <ferry/tests/framework/endings/Ways.hpp>

namespace endings {

namespace {

/// The last slave calls the function in the middle of the job. The others work on.
template <class Failure>
Way whereLastSlave(Failure failure) {
    return [failure](ferry::Application& application) {
        prepareSlaves(application, [failure](ferry::Task& task) {
            const Sentinel sentinel("handler", task.connector().rank());
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            if (task.connector().rank() == lastRank(task.connector())) failure(task);
        });
        return application.run(giveWorkForEver);
    };
}

void fail() { throw std::logic_error("out of a noexcept function"); }

void breakPromise() noexcept { fail(); }

struct ThrowsWhenDestroyed {
    ~ThrowsWhenDestroyed() noexcept(false) { throw std::runtime_error("out of a destructor"); }
};

}    // namespace

void addSlaveWays(Ways& ways) {
    ways["slaveAsserts"] = whereLastSlave([](ferry::Task& task) { xassert(task.number() < 0, "from a slave"); });
    ways["slaveBreaksNoexcept"] = whereLastSlave([](ferry::Task&) { breakPromise(); });
    ways["slaveThreadThrows"] = whereLastSlave([](ferry::Task&) { std::thread([] { throw Overfull(12); }).join(); });
    ways["slaveThrowsUnasked"] = [](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task&) { throw Overfull(30); });
        return application.run([](ferry::Master& master) {
            const Sentinel sentinel("master", 0);
            {
                const ferry::Future<ferry::Done> unasked = master.submit(Work(1));
                while (!unasked.ready()) std::this_thread::yield();
            }
            try {
                master.submit(Work(2)).get();
            } catch (const Overfull&) {
                say("caught");
            }
        });
    };
    ways["slaveSetUpThrows"] = [](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task&) {});
        application.slave().setUp([](ferry::Connector& connector) {
            if (connector.rank() == lastRank(connector)) throw std::runtime_error("cannot set up");
            return std::make_shared<Sentinel>("slave", connector.rank());
        });
        return application.run(giveWorkForEver);
    };
    ways["slaveStateThrowsWhenDestroyed"] = [](ferry::Application& application) {
        application.slave().on<Work>([](const Work&) { return ferry::Done(); });
        application.slave().setUp([](ferry::Connector& connector) {
            return connector.rank() == lastRank(connector) ? std::make_shared<ThrowsWhenDestroyed>()
                                                           : std::shared_ptr<ThrowsWhenDestroyed>();
        });
        return application.run([](ferry::Master& master) {
            const Sentinel sentinel("master", 0);
            master.submit(Work(1)).get();
        });
    };
    ways["allSlavesAssert"] = [](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task& task) { xassert(task.number() < 0, "all at once"); });
        return application.run(giveWorkForEver);
    };
    ways["slaveSkipsRun"] = [](ferry::Application& application) {
        prepareSlaves(application, [](ferry::Task&) {});
        ferry::Connector& connector = application.connector();
        if (connector.rank() > 0 && connector.rank() == lastRank(connector)) return 0;
        return application.run(giveWorkForEver);
    };
    ways["slaveAssertsUnderFreight"] = [](ferry::Application& application) {
        // Large tasks are under way to slaves that will never take them.
        prepareSlaves(application, [](ferry::Task& task) {
            if (task.connector().rank() == lastRank(task.connector())) xassert(task.number() < 0, "under freight");
            workAndListen(task.connector());
        });
        return application.run([](ferry::Master& master) {
            const Sentinel sentinel("master", 0);
            std::vector<ferry::Future<ferry::Done>> futures;
            for (int task = 0; task < 6 * master.slaveCount(); ++task) futures.push_back(master.submit(Freight(300'000)));
            for (auto& future : futures) future.get();
        });
    };
}

}    // namespace endings
