// SimpleMessage, CarrierMessage, ExceptionMessage and their subclasses as tasks and replies.
#include <exception>
#include <memory>
#include <stdexcept>
#include <utility>

#include <doctest/doctest.h>

#include <ferry/connector/message/letter/CarrierMessage.hpp>
#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/connector/message/letter/SimpleMessage.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace carriedtasktest {

enum class Meaning { Individuals, Stop };

class Individual : public IntSerializableObject {
public:
    FERRY_CLASS(carriedtasktest::Individual)
    FERRY_FIELDS(cost)
    Individual() = default;
    explicit Individual(int theCost) : cost(theCost) {}
    int cost = 0;
};

class Improve : public CarrierMessage {    // a carrier with a reply of its own
public:
    FERRY_CLASS(carriedtasktest::Improve)
    FERRY_FIELDS_AFTER(CarrierMessage, steps)
    using CarrierMessage::CarrierMessage;
    using Reply = int;
    int steps = 0;
};

class Trouble : public ExceptionMessage {
public:
    FERRY_CLASS(carriedtasktest::Trouble)
    FERRY_FIELDS_AFTER(ExceptionMessage, attempt)
    using ExceptionMessage::ExceptionMessage;
    using Reply = ExceptionMessage;    // the exception with a cause, as data
    int attempt = 0;
};

struct Examine {    // a struct whose reply is a carrier
    int count = 0;
    using Reply = CarrierMessage;
};

void define(Slave& slave) {
    slave.on<SimpleMessage>([](const SimpleMessage& task) {
        const auto* individual = task.objectAs<Individual>();
        if (individual == nullptr) throw Refused(1);
        return SimpleMessage(std::make_unique<Individual>(individual->cost - 1));
    });
    slave.on<CarrierMessage>([](const CarrierMessage& task) {
        if (task.means(Meaning::Stop)) return CarrierMessage(Meaning::Stop);
        CarrierMessage reply(Meaning::Individuals);
        for (std::size_t i = 0; i < task.size(); ++i) reply.add(std::make_unique<Individual>(task.at<Individual>(i).cost / 2));
        return reply;
    });
    slave.on<Improve>([](const Improve& task) { return task.at<Individual>(0).cost - task.steps; });
    slave.on<ExceptionMessage>([](const ExceptionMessage& task) {
        try {
            std::rethrow_exception(task.rebuild());
        } catch (const Refused& refused) {
            return SimpleMessage(std::make_unique<Individual>(refused.number));    // the solution
        }
    });
    slave.on<Trouble>([](const Trouble& task) {
        if (task.attempt > 1) std::rethrow_exception(task.rebuild());
        return ExceptionMessage(std::make_exception_ptr(std::domain_error("not yet")));
    });
    slave.on<Examine>([](const Examine& task) {
        CarrierMessage reply;
        for (int i = 0; i < task.count; ++i) reply.add(std::make_unique<Individual>(i));
        return reply;
    });
}

}    // namespace carriedtasktest

using namespace carriedtasktest;

TEST_CASE("Carried task: a SimpleMessage is a request and a response") {
    runJob(define, [](Master& master) {
        const SimpleMessage reply = master.submit(SimpleMessage(std::make_unique<Individual>(10))).get();
        REQUIRE(reply.objectAs<Individual>() != nullptr);
        CHECK(reply.objectAs<Individual>()->cost == 9);
        CHECK(reply.sender() > 0);
        auto empty = master.submit(SimpleMessage());
        CHECK_THROWS_AS(static_cast<void>(empty.get()), Refused);
    });
}

TEST_CASE("Carried task: a CarrierMessage is a task and a reply, and its meaning goes both ways") {
    runJob(define, [](Master& master) {
        CarrierMessage task(Meaning::Individuals);
        for (const int cost : {30, 40, 50}) task.add(std::make_unique<Individual>(cost));
        CarrierMessage reply = master.submit(task).get();
        CHECK(reply.meaning<Meaning>() == Meaning::Individuals);
        REQUIRE(reply.size() == 3);
        CHECK(reply.take<Individual>(2)->cost == 25);
        CHECK(task.size() == 3);
        CHECK(master.submit(CarrierMessage(Meaning::Stop)).get().means(Meaning::Stop));
        const CarrierMessage examined = master.submit(Examine{4}).get();
        CHECK(examined.size() == 4);
        CHECK_FALSE(examined.hasMeaning());
    });
}

TEST_CASE("Carried task: subclasses have fields and replies of their own") {
    runJob(define, [](Master& master) {
        Improve task;
        task.steps = 4;
        task.add(std::make_unique<Individual>(20));
        CHECK(master.submit(task).get() == 16);
    });
}

TEST_CASE("Carried task: an exception goes to a slave as a task, and the solution or an exception comes back") {
    runJob(define, [](Master& master) {
        const SimpleMessage solution = master.submit(ExceptionMessage(std::make_exception_ptr(Refused(8)))).get();
        REQUIRE(solution.objectAs<Individual>() != nullptr);
        CHECK(solution.objectAs<Individual>()->cost == 8);
        auto unsolved = master.submit(ExceptionMessage(std::make_exception_ptr(std::out_of_range("no solution"))));
        CHECK_THROWS_WITH_AS(static_cast<void>(unsolved.get()), "no solution", std::out_of_range);
        Trouble trouble(std::make_exception_ptr(Refused(3)));
        trouble.attempt = 1;
        const ExceptionMessage asData = master.submit(trouble).get();
        CHECK_THROWS_WITH_AS(std::rethrow_exception(asData.rebuild()), "not yet", std::domain_error);
        trouble.attempt = 2;
        CHECK_THROWS_AS(static_cast<void>(master.submit(trouble).get()), Refused);
    });
}
