// Should: a reply that is too large for the master's memory fails its own task with std::bad_alloc; all other tasks are done, and the job
// ends in order. The same for a task that is too large for its slave.
//   mpirun -np 1 sh -c 'ulimit -v 700000; exec bigReply 800 reply' : -np 2 bigReply 800 reply     ("task": the slaves have the limit)
#include <ferry/ferry.hpp>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

class Bytes : public ferry::Message {
public:
    FERRY_CLASS(Bytes)
    FERRY_FIELDS(wanted, bytes)
    using Reply = Bytes;
    long wanted = 0;
    std::vector<char> bytes;
};

int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    const long many = std::atol(argc > 1 ? argv[1] : "800") << 20;
    const bool isReply = argc <= 2 || std::string(argv[2]) == "reply";
    app.slave().on<Bytes>([](const Bytes& task) {
        Bytes reply;
        reply.bytes.assign(static_cast<std::size_t>(task.wanted), 'x');
        return reply;
    });
    return app.run([&](ferry::Master& master) {
        constexpr int count = 12;
        constexpr int large = 5;
        int done = 0;
        int failed = 0;
        std::vector<ferry::Future<Bytes>> futures;
        for (int i = 0; i < count; ++i) {
            Bytes task;
            task.wanted = isReply && i == large ? many : 10;
            if (!isReply && i == large) task.bytes.assign(static_cast<std::size_t>(many), 'x');
            futures.push_back(master.submit(task));
        }
        for (auto& future : futures) {
            try {
                static_cast<void>(future.get());
                ++done;
            } catch (const std::bad_alloc& failure) {
                ++failed;
                std::printf("%s\n", failure.what());
            }
        }
        std::printf("%d done, %d without memory\n", done, failed);
        return done == count - 1 && failed == 1 ? 0 : 77;
    });
}
