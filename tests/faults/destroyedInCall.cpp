// ranks: 1 (alone), 2. argv[1]: elsewhere | ownCall | wait | over. A program that uses MPI itself destroys its connector while a call
// lasts: on another thread, in a function that the call runs, or on another thread while the rank waits. over: after all calls, on another
// thread. Should end by std::terminate() with a UsageError that says that a call lasts; over: should print "over". Kind: a call goes on in
// memory that is freed.
#include <mpi.h>
#include <cstdio>
#include <ferry/mpi.hpp>
#include <functional>
#include <memory>
#include <string>
#include <thread>
struct Interrupting {
    std::function<void()> function;
    void writeToInts(ferry::IntWriter& out) const {
        function();
        out << 1;
    }
    void readFromInts(ferry::IntReader& in) {
        int one = 0;
        in >> one;
    }
};
int main(int argc, char** argv) {
    const std::string how = argc > 1 ? argv[1] : "";
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    auto connector = std::make_unique<ferry::Connector>(ferry::mpiTransport(MPI_COMM_WORLD));
    ferry::Connector& c = *connector;
    const auto destroyElsewhere = [&connector] { std::thread([&connector] { connector.reset(); }).join(); };
    if (how == "elsewhere") c.send(c.rank(), Interrupting{destroyElsewhere});
    if (how == "ownCall") c.send(c.rank(), Interrupting{[&connector] { connector.reset(); }});
    if (how == "wait") {
        c.send(c.rank(), 1);
        std::thread destroying([&] {
            try {
                for (;;) c.poll();    // is refused once the rank waits
            } catch (const ferry::UsageError&) {
                connector.reset();
            }
        });
        for (;;) {
            try {
                static_cast<void>(c.receive<std::string>(c.rank()));
            } catch (const ferry::UsageError&) {}    // the other thread was in its poll()
        }
    }
    destroyElsewhere();
    std::printf("over\n");
    MPI_Finalize();
}
