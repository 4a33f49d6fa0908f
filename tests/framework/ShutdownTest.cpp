#include <ferry/framework/ending/Shutdown.hpp>

#include <memory>
#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

using namespace ferry;

TEST_CASE("Shutdown: the report of a failure with something left over behind it is refused") {
    std::vector<std::unique_ptr<detail::Transport>> transports = detail::threadTransports(2);
    Connector master(std::move(transports[0]), ObjectFactory::global(), RegistryComparison::Skip);
    Connector slave(std::move(transports[1]), ObjectFactory::global(), RegistryComparison::Skip);
    const detail::Shutdown shutdown(master);
    const ExceptionMessage message(std::make_exception_ptr(std::out_of_range("6 is too much")));
    detail::mailboxOf(slave).post(0, detail::Channel::Control, detail::Envelope{detail::JobKind::Report, 0, 0}, [&](IntWriter& out) {
        message.writeToInts(out);
        out.writeInt(17);
    });
    CHECK_THROWS_AS(detail::mailboxOf(master).poll(), SerializationError);
}
