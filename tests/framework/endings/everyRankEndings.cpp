// Programs that run on every rank: the last rank fails while the other ranks wait for it in some call.
#include <stdexcept>
#include <thread>

#include <ferry/tests/framework/endings/Ways.hpp>

namespace endings {

namespace {

template <class Wait>
Way whereOthers(Wait wait) {
    return [wait](ferry::Application& application) {
        return application.runOnAll([wait](ferry::Connector& connector) {
            const Sentinel sentinel("rank", connector.rank());
            connector.barrier();
            if (connector.rank() == lastRank(connector)) throw Overfull(12);
            wait(connector);
            say("not reached");
        });
    };
}

/// The last rank sends a large message and returns, while the other ranks wait for more.
template <class Wait>
Way whereLastLeaves(Wait wait) {
    return [wait](ferry::Application& application) {
        return application.runOnAll([wait](ferry::Connector& connector) {
            const Sentinel sentinel("rank", connector.rank());
            if (connector.rank() == lastRank(connector)) {
                for (int rank = 0; rank < lastRank(connector); ++rank) connector.send(rank, Freight(300'000));
                return;
            }
            connector.receive<Freight>(lastRank(connector));
            wait(connector);
        });
    };
}

}    // namespace

void addEveryRankWays(Ways& ways) {
    ways["everyRankReturns"] = [](ferry::Application& application) {
        return application.runOnAll([](ferry::Connector& connector) {
            const Sentinel sentinel("rank", connector.rank());
            // The master returns first, while the other ranks still exchange messages.
            if (connector.isMaster()) return;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            connector.send(connector.rank() % lastRank(connector) + 1, Freight(300'000));
            connector.receive<Freight>();
        });
    };
    ways["throwsUnderBarrier"] = whereOthers([](ferry::Connector& connector) { connector.barrier(); });
    ways["throwsUnderReceive"] = whereOthers([](ferry::Connector& connector) { connector.receive<int>(lastRank(connector)); });
    ways["throwsUnderBroadcast"] = whereOthers([](ferry::Connector& connector) { connector.broadcast(1, lastRank(connector)); });
    ways["throwsUnderGather"] = whereOthers([](ferry::Connector& connector) {
        connector.gather(1);
        connector.receive<int>(lastRank(connector));
    });
    ways["throwsUnderWork"] = whereOthers([](ferry::Connector& connector) { workAndListen(connector); });
    ways["throwsUnderFreight"] = whereOthers([](ferry::Connector& connector) {
        for (int parcel = 0; parcel < 5; ++parcel) connector.send(lastRank(connector), Freight(300'000));
        connector.flush();
        workAndListen(connector);
    });
    ways["receivesFromOneThatLeft"] = whereLastLeaves([](ferry::Connector& connector) { connector.receive<int>(lastRank(connector)); });
    ways["barrierWithoutOneThatLeft"] = whereLastLeaves([](ferry::Connector& connector) { connector.barrier(); });
    ways["receivesFromNobody"] = whereLastLeaves([](ferry::Connector& connector) {
        // The other ranks leave one after the other. Rank 0 leaves last.
        if (connector.isMaster()) connector.receive<int>();
    });
    ways["missesOneThatLeft"] = whereLastLeaves([](ferry::Connector& connector) {
        try {
            connector.receive<int>(lastRank(connector));
            say("not reached");
        } catch (const ferry::RankHasLeft& left) {
            if (left.rank() == lastRank(connector)) say("missed");
        }
    });
    ways["throwsOnAll"] = [](ferry::Application& application) {
        return application.runOnAll([](ferry::Connector& connector) {
            const Sentinel sentinel("rank", connector.rank());
            throw Overfull(connector.rank());
        });
    };
    ways["guardedAsserts"] = [](ferry::Application& application) {
        return application.runOnAll([](ferry::Connector& connector) {
            const Sentinel sentinel("rank", connector.rank());
            connector.guarded([&connector] {
                xassert(connector.rank() != lastRank(connector), "in a region");
                connector.barrier();
            });
            say("not reached");
        });
    };
    ways["guardedFailureIsPassedOn"] = [](ferry::Application& application) {
        return application.runOnAll([](ferry::Connector& connector) {
            const Sentinel sentinel("rank", connector.rank());
            try {
                connector.guarded([&connector] {
                    if (connector.rank() == lastRank(connector)) throw Overfull(12);
                    connector.barrier();
                });
            } catch (const ferry::ExceptionList& failures) {
                failures.front().rethrow();
            }
            say("not reached");
        });
    };
    ways["oneSkipsRunOnAll"] = [](ferry::Application& application) {
        ferry::Connector& own = application.connector();
        if (own.rank() > 0 && own.rank() == lastRank(own)) return 0;
        return application.runOnAll([](ferry::Connector& connector) {
            const Sentinel sentinel("rank", connector.rank());
            connector.barrier();
        });
    };
    ways["masterSkipsRunOnAll"] = [](ferry::Application& application) {
        if (application.connector().isMaster()) return 0;
        return application.runOnAll([](ferry::Connector& connector) {
            const Sentinel sentinel("rank", connector.rank());
            connector.barrier();
        });
    };
}

}    // namespace endings
