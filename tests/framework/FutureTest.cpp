// Futures whose tasks are answered by hand, so that functions of then() run at a known place of a wait.
#include <ferry/framework/master/WhenAll.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/master/Dispatcher.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/framework/TestTasks.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace futuretest {

/// A dispatcher with idle slaves. Each slave gets one of the tasks, and answers when the test says so.
struct ByHand {
    explicit ByHand(int slaveCount) {
        for (std::unique_ptr<detail::Transport>& transport : detail::threadTransports(slaveCount + 1))
            ranks.push_back(std::make_unique<Connector>(std::move(transport), ObjectFactory::global(), RegistryComparison::Skip));
        dispatcher.emplace(*ranks.front());
    }

    Future<Multiplied> submit() {
        const std::shared_ptr<detail::Call> call = dispatcher->submit(Multiply(6, 7));
        dispatcher->poll();    // sends it
        calls.push_back({call->number, call->slaveRank});
        return {*dispatcher, call};
    }
    /// Answers the task that was submitted at this place, counted from 0.
    void answer(std::size_t place, long value) {
        const Multiplied reply(value);
        const Sent& call = calls.at(place);
        detail::Mailbox& slave = detail::mailboxOf(*ranks.at(static_cast<std::size_t>(call.rank)));
        slave.postInts(0, detail::Channel::Data,
                       detail::packParcel(slave, detail::JobKind::Response, {reply.classId(), call.number, 0},
                                          [&reply](IntWriter& out) { out << reply; }));
    }
    /// Lets the next wait run the function.
    template <class Function>
    void runInNextWait(Function function) {
        Future<Multiplied> done = submit();
        answer(calls.size() - 1, 0);
        while (!done.ready()) {}
        static_cast<void>(done.then([function](const Multiplied&) { function(); }));
    }

    /// Keeps no call: the test is to show that a wait does.
    struct Sent {
        std::int32_t number = 0;
        int rank = 0;
    };

    std::vector<std::unique_ptr<Connector>> ranks;
    std::optional<detail::Dispatcher> dispatcher;
    std::vector<Sent> calls;
};

}    // namespace futuretest

using namespace futuretest;

TEST_CASE("Future: get() gives the reply of its task although a function assigns, moves or destroys the future meanwhile") {
    ByHand job(5);
    Future<Multiplied> current = job.submit();
    job.runInNextWait([&] {
        current = job.submit();
        job.answer(0, 42);
    });
    CHECK(current.get().value == 42);
    REQUIRE(current.isValid());
    CHECK_FALSE(current.hasArrived());

    auto gone = std::make_unique<Future<Multiplied>>(std::move(current));
    job.runInNextWait([&] {
        gone.reset();
        job.answer(2, 43);
    });
    CHECK(gone->get().value == 43);
    CHECK(gone == nullptr);

    current = job.submit();
    Future<Multiplied> other;
    job.runInNextWait([&] {
        other = std::move(current);
        job.answer(4, 44);
    });
    CHECK(current.get().value == 44);
    CHECK_FALSE(other.isValid());
    CHECK_THROWS_AS(static_cast<void>(other.get()), UsageError);
}

TEST_CASE("Future: get() refuses a reply that a function has taken meanwhile") {
    ByHand job(5);
    Future<Multiplied> shared = job.submit();
    long taken = 0;
    job.runInNextWait([&] {
        job.answer(0, 42);
        taken = shared.get().value;
    });
    CHECK_THROWS_WITH_AS(static_cast<void>(shared.get()), "this future holds no task: its reply was taken, or it never had one",
                         UsageError);
    CHECK(taken == 42);

    shared = job.submit();
    Future<std::vector<Multiplied>> all;
    job.runInNextWait([&] {
        job.answer(2, 43);
        std::vector<Future<Multiplied>> futures;
        futures.push_back(shared.then([](const Multiplied& reply) { return reply; }));
        all = whenAll(std::move(futures));
    });
    CHECK_THROWS_AS(static_cast<void>(shared.get()), UsageError);
    CHECK(all.get().front().value == 43);
}

TEST_CASE("Future: ready() and rank() bear that a function destroys the future meanwhile") {
    ByHand job(4);
    std::optional<Future<Multiplied>> future = job.submit();
    job.runInNextWait([&] { future.reset(); });
    CHECK_FALSE(future->ready());
    CHECK_FALSE(future);
    future = job.submit();
    job.runInNextWait([&] {
        future.reset();
        job.answer(2, 42);
    });
    CHECK(future->rank() == job.calls[2].rank);
    CHECK_FALSE(future);
}

TEST_CASE("Future: a chain of functions of any length is waited for, cancelled, raised in and destroyed") {
    ByHand job(1);
    Future<long> chain = job.submit().then([](const Multiplied& reply) { return reply.value; });
    for (int i = 0; i < 100'000; ++i) chain = chain.then([](long value) { return value + 1; });
    CHECK_THROWS_AS(static_cast<void>(chain.get(Deadline::in(0s))), TimeoutError);
    CHECK_FALSE(chain.cancel());    // its slave has the task
    CHECK(chain.raise(Refused(5)));
}
