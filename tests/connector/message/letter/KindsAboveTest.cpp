#include <array>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/letter/KindsAbove.hpp>
#include <ferry/connector/message/state/MailboxHooks.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

using namespace ferry;

namespace {

constexpr detail::MessageKind kindOfCalls{30};
constexpr detail::MessageKind kindOfHandler{31};
constexpr std::array kindsOfThisTest{
    detail::KindsAbove::Kind{kindOfCalls, "parcels of this test", detail::KindsAbove::Use::Calls},
    detail::KindsAbove::Kind{kindOfHandler, "news of this test", detail::KindsAbove::Use::Handler},
};
const bool kindsOfThisTestAreKnown = detail::KindsAbove::add(kindsOfThisTest);

/// A rank that sends control letters to itself.
struct LoneRank {
    std::vector<std::unique_ptr<detail::Transport>> transports = detail::threadTransports(1);
    detail::Mailbox mailbox{*transports.front(), ObjectFactory::global()};

    void postControl(detail::MessageKind kind) {
        mailbox.post(0, detail::Channel::Control, detail::Envelope{kind, 0, 0}, [](IntWriter&) {});
    }
};

}    // namespace

TEST_CASE("KindsAbove: a registered kind has its use and its name, and other kinds have none") {
    REQUIRE(kindsOfThisTestAreKnown);
    CHECK(detail::KindsAbove::isForCalls(kindOfCalls));
    CHECK_FALSE(detail::KindsAbove::isForHandler(kindOfCalls));
    CHECK(detail::KindsAbove::isForHandler(kindOfHandler));
    CHECK(std::string(detail::KindsAbove::nameOf(kindOfHandler)) == "news of this test");
    for (const detail::MessageKind kind :
         {detail::MessageKind::Value, detail::MessageKind(29), detail::MessageKind(32), detail::MessageKind(-1)}) {
        CHECK_FALSE(detail::KindsAbove::isForCalls(kind));
        CHECK_FALSE(detail::KindsAbove::isForHandler(kind));
        CHECK(detail::KindsAbove::nameOf(kind) == nullptr);
    }
}

TEST_CASE("KindsAbove: a letter for a handler is kept until the handler is there") {
    LoneRank rank;
    rank.postControl(kindOfHandler);
    rank.mailbox.poll();
    int count = 0;
    rank.mailbox.hooks().onControl(kindOfHandler, [&count](const detail::Letter&) { ++count; });
    CHECK(count == 1);
    rank.postControl(kindOfHandler);
    rank.mailbox.poll();
    CHECK(count == 2);
}

TEST_CASE("KindsAbove: a letter for calls is refused on the control channel, by its number and name") {
    LoneRank rank;
    rank.postControl(kindOfCalls);
    CHECK_THROWS_WITH_AS(rank.mailbox.poll(), "a letter of kind 30 (parcels of this test) does not belong on the control channel",
                         SerializationError);
    rank.postControl(detail::MessageKind(29));
    CHECK_THROWS_WITH_AS(rank.mailbox.poll(), "a letter of kind 29 does not belong on the control channel", SerializationError);
}
