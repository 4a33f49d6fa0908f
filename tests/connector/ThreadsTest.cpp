// A second thread calls the connector during a call of the rank's own thread. Each such call is refused without any effect.
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/connector/GuardedRegion.hpp>
#include <ferry/tests/connector/TestMessages.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace threadstest {

/// A value that runs a function while the value is written, and so in the middle of a call of the connector.
struct WrittenWhile {
    std::function<void()> function;
    void writeToInts(IntWriter& out) const {
        if (function) function();
        out << 1;
    }
    void readFromInts(IntReader& in) {
        int one = 0;
        in >> one;
    }
};

using Call = std::function<void(Connector&)>;

/// Calls of every kind. None of them may get as far as to wait.
const std::vector<std::pair<const char*, Call>>& calls() {
    static const std::vector<std::pair<const char*, Call>> all{
        {"send", [](Connector& c) { c.send(0, 1); }},
        {"post", [](Connector& c) { c.post(0, 1).get(); }},
        {"receive", [](Connector& c) { static_cast<void>(c.receive<std::string>(0)); }},
        {"receive with a deadline", [](Connector& c) { static_cast<void>(c.receive<std::string>(0, Deadline::in(1h))); }},
        {"receive of any class", [](Connector& c) { static_cast<void>(c.receive()); }},
        {"receiveAny", [](Connector& c) { static_cast<void>(c.receiveAny<std::string, double>()); }},
        {"expect", [](Connector& c) { static_cast<void>(c.expect<std::string>(0)); }},
        {"poll", [](Connector& c) { c.poll(); }},
        {"flush", [](Connector& c) { c.flush(); }},
        {"limitWaits", [](Connector& c) { static_cast<void>(c.limitWaits(Deadline::in(1h))); }},
        {"barrier", [](Connector& c) { c.barrier(); }},
        {"broadcast", [](Connector& c) { static_cast<void>(c.broadcast(std::string("x"))); }},
        {"broadcast of a number", [](Connector& c) { static_cast<void>(c.broadcast(1)); }},
        {"gather", [](Connector& c) { static_cast<void>(c.gather(1)); }},
        {"allReduce", [](Connector& c) { static_cast<void>(c.allReduce(1, Sum{})); }},
        {"startBarrier", [](Connector& c) { static_cast<void>(c.startBarrier()); }},
        {"ordered", [](Connector& c) { c.ordered([] {}); }},
        {"guarded", [](Connector& c) { c.guarded([] {}); }},
        {"split", [](Connector& c) { static_cast<void>(c.split(0)); }},
        {"throwOn", [](Connector& c) { c.throwOn(0, std::runtime_error("x")); }},
    };
    return all;
}

/// Whether the call on another thread throws the UsageError that names both threads.
bool isRefused(const std::function<void()>& call) {
    return std::async(std::launch::async,
                      [&call] {
                          try {
                              call();
                              return false;
                          } catch (const UsageError& error) {
                              return std::string(error.what()).find("while a call of thread") != std::string::npos;
                          }
                      })
        .get();
}

/// Runs the function in the middle of a connector call of this rank.
void withinCall(Connector& c, const std::function<void()>& function) {
    c.send(c.rank(), WrittenWhile{function});
    static_cast<void>(c.receive<WrittenWhile>(c.rank()));
}

}    // namespace threadstest

using namespace threadstest;

TEST_CASE("Connector: a call of another thread while one of its rank lasts is refused, whichever it is") {
    onRanks([](Connector& c) {
        for (const auto& [callName, call] : calls()) {
            const auto& name = callName;    // clang 14 captures no structured binding
            INFO(name);
            withinCall(c, [&c, &call = call] { CHECK(isRefused([&] { call(c); })); });
        }
        checkUsable(c);
    });
}

TEST_CASE("Connector: a call of another thread on one of its groups is refused too, while a call lasts") {
    onRanks([](Connector& c) {
        const std::unique_ptr<Connector> group = c.split(0);
        withinCall(c, [&group] {
            CHECK(isRefused([&] { group->barrier(); }));
            CHECK(isRefused([&] { static_cast<void>(group->receive<std::string>(0)); }));
        });
        withinCall(*group, [&c] { CHECK(isRefused([&] { c.send(0, 1); })); });
        checkUsable(c);
    });
}

TEST_CASE("Pending: another thread can neither take its value nor cancel it while a call lasts, and both can be done afterwards") {
    onRanks([](Connector& c) {
        Pending<std::string> expected = c.expect<std::string>(c.rank());
        Pending<std::string> other = c.expect<std::string>(c.rank());
        withinCall(c, [&] {
            CHECK(isRefused([&] { static_cast<void>(expected.ready()); }));
            CHECK(isRefused([&] { static_cast<void>(expected.get()); }));
            CHECK(isRefused([&] { static_cast<void>(expected.get(Deadline::in(1h))); }));
            CHECK(isRefused([&] { expected.cancel(); }));
            std::vector<Pending<std::string>> both;
            both.push_back(std::move(other));
            CHECK(isRefused([&] { static_cast<void>(waitAny(both)); }));
            CHECK(isRefused([&] { static_cast<void>(waitAll(both)); }));
            other = std::move(both.front());
        });
        c.send(c.rank(), std::string("first"));
        CHECK(std::async(std::launch::async, [&] { return expected.get(); }).get() == "first");
        std::async(std::launch::async, [&] { other.cancel(); }).get();
        CHECK(!other.isUnderWay());
    });
}

TEST_CASE("Connector: a thread that its rank waits for may use it, in a guarded region and in a turn too") {
    onRanks([](Connector& c) {
        const auto onAnother = [](const std::function<void()>& function) { std::async(std::launch::async, function).get(); };
        onAnother([&] { c.barrier(); });
        c.guarded([&] { onAnother([&] { CHECK(c.allReduce(1, Sum{}) == c.size()); }); });
        c.ordered([&] { onAnother([&] { c.send(c.rank(), 5); }); });
        CHECK(c.receive<int>(c.rank()) == 5);
        onAnother([&] { CHECK_THROWS_AS(c.guarded([] { throw std::runtime_error("fails"); }), ExceptionList); });
        checkUsable(c);
    });
}
