#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/framework/master/Dispatcher.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/master/Future.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/tests/framework/TestTasks.hpp>

using namespace ferry;

TEST_CASE("Dispatcher: an exception with something left over behind it fails its call, as a reply that cannot be read does") {
    std::vector<std::unique_ptr<detail::Transport>> transports = detail::threadTransports(2);
    Connector master(std::move(transports[0]), ObjectFactory::global(), RegistryComparison::Skip);
    Connector slave(std::move(transports[1]), ObjectFactory::global(), RegistryComparison::Skip);
    detail::Dispatcher dispatcher(master);
    const auto answer = [&](bool isDamaged) {
        const std::shared_ptr<detail::Call> call = dispatcher.submit(test::Multiply(6, 7));
        const ExceptionMessage message(std::make_exception_ptr(std::out_of_range("6 is too much")));
        detail::mailboxOf(slave).postInts(
            0, detail::Channel::Data,
            detail::packParcel(detail::mailboxOf(slave), detail::JobKind::Response, {0, call->number, 0}, [&](IntWriter& out) {
                message.writeToInts(out);
                if (isDamaged) out.writeInt(17);
            }));
        dispatcher.wait(*call);
        return call->failure;
    };
    CHECK_THROWS_AS(std::rethrow_exception(answer(false)), std::out_of_range);
    CHECK_THROWS_AS(std::rethrow_exception(answer(true)), SerializationError);
    CHECK_THROWS_AS(std::rethrow_exception(answer(false)), std::out_of_range);
    CHECK(dispatcher.openCount() == 0);
}

TEST_CASE("Dispatcher: what a slave writes of a task that it does not have is dropped") {
    std::vector<std::unique_ptr<detail::Transport>> transports = detail::threadTransports(3);
    Connector master(std::move(transports[0]), ObjectFactory::global(), RegistryComparison::Skip);
    Connector slave(std::move(transports[1]), ObjectFactory::global(), RegistryComparison::Skip);
    Connector other(std::move(transports[2]), ObjectFactory::global(), RegistryComparison::Skip);
    detail::Dispatcher dispatcher(master);
    const std::shared_ptr<detail::Call> call = dispatcher.submit(test::Multiply(6, 7));    // goes to the first slave
    const auto answer = [](Connector& from, detail::MessageKind kind, std::int32_t number, long value) {
        const test::Multiplied reply(value);
        detail::mailboxOf(from).postInts(
            0, detail::Channel::Data,
            detail::packParcel(detail::mailboxOf(from), kind, {reply.classId(), number, 0}, [&](IntWriter& out) { out << reply; }));
    };
    for (const detail::MessageKind kind : {detail::JobKind::Response, detail::JobKind::Request}) {
        answer(slave, kind, 99, 1);
        answer(slave, kind, -1, 1);
        answer(other, kind, call->number, 1);
        dispatcher.poll();
        CHECK_FALSE(call->isDone);
        CHECK(dispatcher.openCount() == 1);
    }
    answer(slave, detail::JobKind::Response, call->number, 42);
    answer(slave, detail::JobKind::Response, call->number, 43);
    dispatcher.poll();
    Future<test::Multiplied> future(dispatcher, call);
    CHECK(future.get().value == 42);
    CHECK(dispatcher.openCount() == 0);
}

TEST_CASE("Dispatcher: a reply that has come before the loss of its slave counts, and no other slave gets the task") {
    std::vector<std::unique_ptr<detail::Transport>> transports = detail::threadTransports(3);
    Connector master(std::move(transports[0]), ObjectFactory::global(), RegistryComparison::Skip);
    Connector slave(std::move(transports[1]), ObjectFactory::global(), RegistryComparison::Skip);
    Connector other(std::move(transports[2]), ObjectFactory::global(), RegistryComparison::Skip);
    detail::Dispatcher dispatcher(master);
    // The task goes to the first slave. The master keeps a task that may be tried again, and so could send it once more.
    const std::shared_ptr<detail::Call> call = dispatcher.submit(test::Multiply(6, 7), {.retry = RetryOn<std::exception>()});
    const test::Multiplied reply(42);
    detail::mailboxOf(slave).postInts(0, detail::Channel::Data,
                                      detail::packParcel(detail::mailboxOf(slave), detail::JobKind::Response,
                                                         {reply.classId(), call->number, 0}, [&](IntWriter& out) { out << reply; }));
    detail::mailboxOf(master).poll(detail::Mailbox::PollWork::None);    // the reply is here, and the dispatcher has not looked yet
    detail::mailboxOf(master).departures().lose({slave.rank(), "was killed"});
    dispatcher.poll();
    detail::mailboxOf(other).poll();
    CHECK(detail::mailboxOf(other).arrived().size() == 0);
    CHECK(dispatcher.openCount() == 0);
    REQUIRE(call->isDone);
    CHECK(Future<test::Multiplied>(dispatcher, call).get().value == 42);
}

TEST_CASE("Dispatcher: a letter of replies that is damaged is an error of the wait that meets it") {
    std::vector<std::unique_ptr<detail::Transport>> transports = detail::threadTransports(2);
    Connector master(std::move(transports[0]), ObjectFactory::global(), RegistryComparison::Skip);
    Connector slave(std::move(transports[1]), ObjectFactory::global(), RegistryComparison::Skip);
    detail::Dispatcher dispatcher(master);
    const std::shared_ptr<detail::Call> call = dispatcher.submit(test::Multiply(6, 7));
    detail::mailboxOf(slave).post(0, detail::Channel::Data, detail::Envelope{detail::JobKind::Response},
                                  [](IntWriter& out) { out << 1 << 2 << 3; });
    CHECK_THROWS_AS(dispatcher.wait(*call), SerializationError);
}
