// ranks: threads(3), 3. argv[1]: exitDestructor | exitHandler | handlerExit | quickExit | waitingThread | waitingMaster | endingThread. A
// rank fails, and then ends in an unusual way: exit() in a destructor or in a catch, std::quick_exit() in a handler, a thread of its own that
// waits in the connector, or a thread that throws.
// Should end with a status that is not 0 and with a report that has "the cause". endingThread: the job goes on where it survives deaths, and
// the report of the job is that of its master. Kind: the cause of a failure is hidden by how the rank ends.
#include <ferry/ferry.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
struct Ask {
    int number = 0;
    using Reply = int;
};
struct Exits {
    ~Exits() { std::exit(7); }
};
void fail() { throw std::domain_error("the cause"); }
/// Returns when the thread waits in its receive.
void waitElsewhere(ferry::Connector& c) {
    std::thread([&c] {
        for (;;) {
            try {
                c.receive<int>(0, ferry::Tag(77));
            } catch (const ferry::UsageError&) {
                continue;    // the rank was in its poll()
            } catch (...) {
            }
            return;
        }
    }).detach();
    for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        try {
            c.poll();
        } catch (const ferry::UsageError&) {
            return;
        }
    }
}
int main(int argc, char** argv) {
    ferry::Application app(argc, argv, ferry::ThreadRanks{3});
    const std::string how = argc > 1 ? argv[1] : "exitDestructor";
    app.slave().on<Ask>([&](const Ask&) {
        if (how == "endingThread") std::thread(fail).join();
        if (how == "quickExit") std::quick_exit(5);
        try {
            fail();
        } catch (const std::domain_error&) {
            std::exit(5);
        }
        return 1;
    });
    if (how == "endingThread") {
        return app.run([](ferry::Master& master) {
            try {
                master.submit(Ask()).get();
            } catch (const ferry::PoisonTask&) {
                std::printf("the task was given up\n");
            }
        });
    }
    if (how == "handlerExit" || how == "quickExit") return app.run([](ferry::Master& master) { master.submit(Ask()).get(); });
    if (how == "waitingMaster") {
        return app.run([](ferry::Master& master) {
            waitElsewhere(master.connector());
            fail();
        });
    }
    return app.runOnAll([&](ferry::Connector& c) {
        if (c.rank() == 1 && how == "exitDestructor") {
            const Exits exits;
            fail();
        }
        if (c.rank() == 1 && how == "exitHandler") {
            try {
                fail();
            } catch (const std::exception&) {
                std::exit(6);
            }
        }
        if (c.rank() == 1 && how == "waitingThread") {
            waitElsewhere(c);
            fail();
        }
        c.barrier();
    });
}
