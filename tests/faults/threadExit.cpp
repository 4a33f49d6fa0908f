// ranks: threads(2), 2. argv[1]: rank | region | handler | master. pthread_exit() ends the thread of a rank: in its program, in a guarded
// region, in a handler of a slave, or in the program of the master. Should end with a report that names pthread_exit, and with a status that
// is not 0; objects on the stack are destroyed. Kind: a catch (...) that swallows what unwinds the thread ("FATAL: exception not rethrown").
#include <ferry/ferry.hpp>
#include <pthread.h>
#include <cstdio>
#include <string>
struct Ask : ferry::Message {
    FERRY_CLASS(Ask)
    FERRY_FIELDS()
    using Reply = ferry::Done;
};
struct Witness {
    ~Witness() { std::printf("unwound\n"), std::fflush(stdout); }
};
void leave() {
    const Witness witness;
    pthread_exit(nullptr);
}
int main(int argc, char** argv) {
    ferry::Application app(argc, argv, ferry::ThreadRanks{2});
    const std::string how = argc > 1 ? argv[1] : "rank";
    app.slave().on<Ask>([](const Ask&) {
        leave();
        return ferry::Done();
    });
    if (how == "handler") return app.run([](ferry::Master& master) { master.submit(Ask()).get(); });
    if (how == "master") return app.run([](ferry::Master&) { leave(); });
    return app.runOnAll([&](ferry::Connector& c) {
        if (c.rank() == 1 && how == "rank") leave();
        c.guarded([&] {
            if (c.rank() == 1) leave();
            c.barrier();
        });
    });
}
