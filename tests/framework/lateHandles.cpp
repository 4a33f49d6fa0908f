// Handles in static objects: they are used after the job and after the Application, and destroyed after main(). A second Application is
// refused while the first one exists.
#include <cstdio>
#include <string>

#include <ferry/ferry.hpp>

struct Work {
    int number = 0;
    using Reply = int;
};

namespace {

ferry::Future<int> come;
ferry::Future<int> open;
ferry::Future<int> then;
ferry::Ref<int> ref;
ferry::Pending<int> expected;

int failures = 0;

void require(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "lateHandles: %s\n", what);
    ++failures;
}

template <class Call>
void requireRefused(const Call& call, const std::string& part) {
    try {
        call();
        require(false, "a call was not refused");
    } catch (const ferry::UsageError& error) {
        require(std::string(error.what()).find(part) != std::string::npos, error.what());
    }
}

void checkHandles(bool isMaster) {
    if (!isMaster) return;
    require(come.ready() && come.hasArrived(), "the reply that had come is gone");
    requireRefused([] { static_cast<void>(open.get()); }, "the master has ended");
    requireRefused([] { static_cast<void>(open.ready()); }, "the master has ended");
    requireRefused([] { static_cast<void>(then.get()); }, "the master has ended");
    requireRefused([] { static_cast<void>(ref.get()); }, "the master of this Ref has ended");
}

}    // namespace

int main(int argc, char** argv) {
    bool isMaster = false;
    int status = 0;
    {
        ferry::Application application(argc, argv);
        requireRefused([&] { ferry::Application(argc, argv); }, "one ferry::Application at a time");
        application.slave().on<Work>([](const Work& work, ferry::Task& task) {
            while (work.number == 0) task.throwIfCancelled();
            return 2 * work.number;
        });
        status = application.run([&](ferry::Master& master) {
            isMaster = true;
            come = master.submit(Work{21});
            ref = master.submit(Work{4}, ferry::Keep{}).get();
            master.waitForAll();
            open = master.submit(Work{0});
            then = master.submit(Work{0}).then([](int reply) { return reply + 1; });
            expected = master.connector().expect<int>(1);
        });
        checkHandles(isMaster);
        requireRefused([&] { application.run([](ferry::Master&) {}); }, "runs once");
    }
    checkHandles(isMaster);
    if (isMaster) {
        require(come.get() == 42, "the reply that had come is wrong");
        requireRefused([] { static_cast<void>(expected.get()); }, "the connector of this Pending has ended");
    }
    return status != 0 ? status : failures;
}
