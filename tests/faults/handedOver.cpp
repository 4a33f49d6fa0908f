// ranks: threads(2), 2. One thread of a rank uses its connector after another, which has ended or waits for it; so does a master.
// Should print "1999000 1999000" and "42 43". Kind: what is safe is refused.
#include <ferry/ferry.hpp>
#include <cstdio>
#include <future>
#include <thread>
struct Ask : ferry::Message {
    FERRY_CLASS(Ask)
    FERRY_FIELDS(number)
    using Reply = Ask;
    int number = 0;
};
int main(int argc, char** argv) {
    ferry::Application app(argc, argv, ferry::ThreadRanks{2});
    app.slave().on<Ask>([](const Ask& ask, ferry::Task& task) {
        Ask reply;
        reply.number = std::async(std::launch::async, [&] { return task.cancelled() ? 0 : ask.number + 1; }).get();
        return reply;
    });
    if (argc > 1) {
        return app.run([](ferry::Master& master) {
            Ask ask;
            ask.number = 41;
            auto first = std::async(std::launch::async, [&] { return master.submit(ask); }).get();
            const int one = std::async(std::launch::async, [&] { return first.get().number; }).get();
            ask.number = one;
            std::printf("%d %d\n", one, master.submit(ask).get().number);
        });
    }
    return app.runOnAll([](ferry::Connector& c) {
        const auto part = [&c](int tag) {
            long sum = 0;
            for (int i = 0; i < 2000; ++i) {
                if (c.rank() == 0) c.send(1, i, ferry::Tag(tag));
                if (c.rank() == 1) sum += c.receive<int>(0, ferry::Tag(tag));
            }
            return sum;
        };
        const long first = std::async(std::launch::async, part, 1).get();
        const long second = part(2);
        c.guarded([&] { std::async(std::launch::async, [&] { c.barrier(); }).get(); });
        if (c.rank() == 1) std::printf("%ld %ld\n", first, second);
    });
}
