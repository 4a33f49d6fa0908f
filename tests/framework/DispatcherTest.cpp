#include <ferry/framework/Dispatcher.hpp>

#include <memory>
#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/message/ExceptionMessage.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/tests/framework/TestTasks.hpp>

using namespace ferry;

TEST_CASE("Dispatcher: an exception with something left over behind it fails its call, as a reply that cannot be read does") {
    std::vector<std::unique_ptr<Transport>> transports = threadTransports(2);
    Connector master(std::move(transports[0]), ObjectFactory::global(), RegistryComparison::Skip);
    Connector slave(std::move(transports[1]), ObjectFactory::global(), RegistryComparison::Skip);
    Dispatcher dispatcher(master);
    const auto answer = [&](bool isDamaged) {
        const std::shared_ptr<Call> call = dispatcher.submit(test::Multiply(6, 7));
        const ExceptionMessage message(std::make_exception_ptr(std::out_of_range("6 is too much")));
        slave.mailbox().post(0, Channel::Data, Envelope{MessageKind::Exception, 0, call->number}, [&](IntWriter& out) {
            message.writeToInts(out);
            if (isDamaged) out.writeInt(17);
        });
        dispatcher.wait(*call);
        return call->failure;
    };
    CHECK_THROWS_AS(std::rethrow_exception(answer(false)), std::out_of_range);
    CHECK_THROWS_AS(std::rethrow_exception(answer(true)), SerializationError);
    CHECK_THROWS_AS(std::rethrow_exception(answer(false)), std::out_of_range);
    CHECK(dispatcher.openCount() == 0);
}
