// Calls of a master and of its futures from a second thread, during a call on the first one.
#include <algorithm>
#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/framework/slave/Ref.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/connector/Elsewhere.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace ferry::test {

/// A task that runs a function while the task is written, and so in the middle of submit().
class Interrupting : public Message {
public:
    FERRY_CLASS(ferry::test::Interrupting)
    using Reply = Done;
    Interrupting() = default;
    explicit Interrupting(std::function<void()> theFunction) : function(std::move(theFunction)) {}
    void writeToInts(IntWriter& out) const override {
        if (function) function();
        out << 1;
    }
    void readFromInts(IntReader& in) override {
        int one = 0;
        in >> one;
    }
    std::function<void()> function;
};

}    // namespace ferry::test

namespace threadsjobtest {

template <class Function>
auto onAnother(const Function& function) {
    return std::async(std::launch::async, function).get();
}

/// Makes the call on another thread. Returns the text of its UsageError; empty when there was none.
std::string refusalOf(const std::function<void()>& call) {
    return onAnother([&call] {
        try {
            call();
            return std::string();
        } catch (const UsageError& error) {
            return std::string(error.what());
        }
    });
}

/// Doubles a product that stays with its slave.
struct Twice {
    Ref<Multiplied> product;
    using Reply = long;
};

bool holdsPart(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void defineForThreads(Slave& slave) {
    slave.on<Multiply>([](const Multiply& task) { return Multiplied(static_cast<long>(task.left) * task.right); });
    slave.on<Interrupting>([](const Interrupting&) { return Done(); });
    slave.on<Note>([](const Note&) { throw std::domain_error("no note is read"); });
    slave.on<Twice>([](const Twice& task) { return 2 * task.product->value; });
}

}    // namespace threadsjobtest

using namespace threadsjobtest;

TEST_CASE("Master: another thread is refused while a call lasts, whatever it calls, and the job goes on") {
    runJob(defineForThreads, [](Master& master) {
        auto future = master.submit(Multiply(6, 7));
        auto other = master.submit(Multiply(2, 3));
        const std::vector<std::function<void()>> calls{
            [&] { static_cast<void>(master.submit(Multiply(1, 1))); },
            [&] {
                for (const Multiplied& reply : master.map(std::vector<Multiply>{{1, 1}})) static_cast<void>(reply);
            },
            [&] { master.waitForAll(); },
            [&] { master.poll(); },
            [&] { static_cast<void>(master.share(Table{{1}})); },
            [&] { static_cast<void>(master.unshare<Table>()); },
            [&] { master.addSlaves(0); },
            [&] { static_cast<void>(master.dismissSlaves(0)); },
            [&] { master.onSubmitted<Multiply>([](Future<Multiplied>) {}); },
            [&] { static_cast<void>(future.get()); },
            [&] { static_cast<void>(future.ready()); },
            [&] { static_cast<void>(future.cancel()); },
            [&] { static_cast<void>(future.then([](const Multiplied&) {})); },
        };
        master
            .submit(Interrupting([&] {
                for (const auto& call : calls) CHECK(holdsPart(refusalOf(call), "while a call of thread"));
            }))
            .get();
        CHECK(onAnother([&] { return future.get().value; }) == 42);
        CHECK(other.get().value == 6);
    });
}

TEST_CASE("Master: a function that follows a reply may wait for a thread that uses the master") {
    runJob(defineForThreads, [](Master& master) {
        auto after = master.submit(Multiply(6, 7)).then([&master](const Multiplied& reply) {
            return onAnother([&] { return master.submit(Multiply(static_cast<int>(reply.value), 2)).get().value; });
        });
        CHECK(after.get() == 84);
    });
}

TEST_CASE("Master: a handler that reaches it, since ranks are threads, is refused") {
    Master* captured = nullptr;
    const auto defineNosy = [&captured](Slave& slave) {
        slave.on<Note>([&captured](const Note&) {
            if (captured != nullptr) captured->poll();
        });
    };
    runJob(defineNosy, [&captured](Master& master) {
        captured = &master;
        bool isRefused = false;
        try {
            static_cast<void>(master.submit(Note("look")).get());
        } catch (const UsageError& error) {
            isRefused = holdsPart(error.what(), "has used a connector or master of rank 0");
        }
        CHECK(isRefused != detail::MpiEnvironment::isPresent());    // under mpirun, a slave cannot reach a master object
        captured = nullptr;
    });
}

TEST_CASE("Master: another thread destroys futures and Refs while the master works") {
    runJob(defineForThreads, [](Master& master) {
        Elsewhere elsewhere;
        for (int round = 0; round < 100; ++round) {
            elsewhere.drop(master.submit(Multiply(round, 1)));
            if (round % 20 == 0) elsewhere.drop(master.submit(Note("fails")));
            elsewhere.drop(master.submit(Multiply(round, 2)).then([](const Multiplied& reply) { return reply.value; }));
            Ref<Multiplied> product = master.submit(Multiply(round, 3), Keep{}).get();
            auto twice = master.submit(Twice{product});
            elsewhere.drop(Ref<Multiplied>(product));
            elsewhere.drop(std::move(product));
            elsewhere.drop(master.submit(Multiply(round, 4), Keep{}));
            CHECK(twice.get() == 6L * round);
        }
        elsewhere.finish();
        master.waitForAll();
        CHECK(master.submit(Multiply(6, 7)).get().value == 42);
    });
}

TEST_CASE("MapRange: another thread is refused while a call lasts, and destroys maps while the master works") {
    using Map = MapRange<std::vector<Multiply>>;
    runJob(defineForThreads, [](Master& master) {
        const auto begun = [&master](int round, MapOrder order, const TaskOptions& options) {
            std::vector<Multiply> tasks;
            for (int i = 0; i < 200; ++i) tasks.emplace_back(i, round);
            std::unique_ptr<Map> map(new Map(master.map(std::move(tasks), order, options)));
            CHECK(map->begin()->value % std::max(round, 1) == 0);
            return map;
        };
        TaskOptions alone;
        alone.retry = RetryOn<std::domain_error>{.times = 2};    // such tasks travel in no bundle
        Elsewhere elsewhere;
        for (int round = 0; round < 30; ++round) {
            elsewhere.drop(begun(round, MapOrder::Submission, {}));
            elsewhere.drop(begun(round, MapOrder::Completion, {}));
            elsewhere.drop(begun(round, MapOrder::Submission, alone));
            elsewhere.drop(begun(round, MapOrder::Completion, alone));
            CHECK(master.submit(Multiply(round, 2)).get().value == 2L * round);
        }
        std::unique_ptr<Map> map = begun(3, MapOrder::Submission, {});
        master
            .submit(Interrupting([&] {
                CHECK(holdsPart(refusalOf([&] { static_cast<void>(map->begin()); }), "while a call of thread"));
                onAnother([&] { map.reset(); });
            }))
            .get();
        elsewhere.finish();
        master.waitForAll();
        CHECK(master.submit(Multiply(6, 7)).get().value == 42);
    });
}
