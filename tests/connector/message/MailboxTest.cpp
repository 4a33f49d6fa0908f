#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/message/state/MailboxHooks.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

using namespace ferry;

namespace {

/// A single rank that sends to itself.
struct Alone {
    std::vector<std::unique_ptr<detail::Transport>> transports = detail::threadTransports(1);
    detail::Mailbox mailbox{*transports.front(), ObjectFactory::global()};

    void post(detail::Channel channel, detail::MessageKind kind, std::int32_t number = 0) {
        mailbox.post(0, channel, detail::Envelope{kind, 0, number}, [](IntWriter&) {});
    }
};

IntBuffer bufferOf(const std::vector<std::int32_t>& ints) {
    IntBuffer buffer;
    IntWriter(buffer).writeInts(ints);
    return buffer;
}

}    // namespace

TEST_CASE("Mailbox: a packet that is too short for an envelope is an error, and the mailbox goes on") {
    Alone alone;
    for (const std::size_t length : {0u, 1u, 2u, 3u, 4u}) {
        alone.mailbox.postInts(0, detail::Channel::Data, bufferOf(std::vector<std::int32_t>(length, 1)));
        CHECK_THROWS_AS(alone.mailbox.poll(), SerializationError);
    }
    alone.post(detail::Channel::Data, detail::MessageKind::Object, 4);
    CHECK(alone.mailbox.take(detail::Filter({detail::MessageKind::Object})).envelope.number == 4);
}

TEST_CASE("Mailbox: a damaged exception or stop letter is an error, not a crash") {
    Alone alone;
    for (const detail::MessageKind kind : {detail::MessageKind::Exception, detail::MessageKind::Stop}) {
        alone.mailbox.postInts(0, detail::Channel::Control, bufferOf({static_cast<std::int32_t>(kind), 0, 0, 0, 0, 0, 0x7fffffff, -1, 5}));
        CHECK_THROWS_AS(alone.mailbox.poll(), SerializationError);
    }
}

TEST_CASE("Mailbox: a letter of a kind that nobody knows is refused on the control channel, and never matches on the other") {
    Alone alone;
    alone.mailbox.postInts(0, detail::Channel::Control, bufferOf({12345, 0, 0, 0, 0, 0}));
    CHECK_THROWS_AS(alone.mailbox.poll(), SerializationError);
    alone.mailbox.postInts(0, detail::Channel::Data, bufferOf({-7, 0, 0, 0, 0, 0}));
    alone.mailbox.postInts(0, detail::Channel::Data, bufferOf({33, 0, 0, 0, 0, 0}));
    alone.post(detail::Channel::Data, detail::MessageKind::Object, 1);
    CHECK(alone.mailbox.take(detail::Filter({detail::MessageKind::Object})).envelope.number == 1);
}

TEST_CASE("Mailbox: each exception given to throwSoon is thrown once, in order, by the next waits") {
    Alone alone;
    alone.mailbox.due().throwSoon(std::make_exception_ptr(std::logic_error("first")));
    alone.mailbox.due().throwSoon(std::make_exception_ptr(std::logic_error("second")));
    CHECK_THROWS_WITH(alone.mailbox.poll(), "first");
    CHECK_THROWS_WITH(alone.mailbox.take(detail::Filter({detail::MessageKind::Object})), "second");
    alone.mailbox.poll();
}

TEST_CASE("Mailbox: once stopped, every wait throws the first reason") {
    Alone alone;
    alone.mailbox.post(0, detail::Channel::Control, detail::Envelope{detail::MessageKind::Stop, 0, 7},
                       [](IntWriter& out) { out << std::string("enough"); });
    for (int i = 0; i < 3; ++i) {
        try {
            alone.mailbox.take(detail::Filter({detail::MessageKind::Object}));
            FAIL_CHECK("the wait returned");
        } catch (const Terminated& stopped) {
            CHECK(stopped.exitStatus() == 7);
            CHECK(stopped.what() == std::string("the job was stopped: enough"));
        }
    }
    alone.mailbox.due().stop(std::make_exception_ptr(std::logic_error("later")));
    CHECK_THROWS_AS(alone.mailbox.poll(), Terminated);
    CHECK(alone.mailbox.due().isStopped());
}

TEST_CASE("Mailbox: pumpUntil neither waits beyond its time nor throws what is due") {
    Alone alone;
    alone.mailbox.due().throwSoon(std::make_exception_ptr(std::logic_error("due")));
    CHECK_FALSE(alone.mailbox.pumpUntil([] { return false; }, detail::Mailbox::Clock::now() + std::chrono::milliseconds(5)));
    int seen = 0;
    alone.mailbox.hooks().onControl(detail::MessageKind::Left, [&](const detail::Letter&) { ++seen; });
    alone.post(detail::Channel::Control, detail::MessageKind::Left);
    CHECK(alone.mailbox.pumpUntil([&] { return seen == 1; }, detail::Mailbox::Clock::time_point::max()));
    CHECK_THROWS_WITH(alone.mailbox.poll(), "due");
}

TEST_CASE("Mailbox: control letters that come before their handler are kept for it") {
    Alone alone;
    alone.post(detail::Channel::Control, detail::MessageKind::Left, 1);
    alone.post(detail::Channel::Control, detail::MessageKind::Left, 2);
    alone.mailbox.poll();
    std::vector<int> numbers;
    alone.mailbox.hooks().onControl(detail::MessageKind::Left,
                                    [&](const detail::Letter& letter) { numbers.push_back(letter.envelope.number); });
    CHECK(numbers == std::vector<int>{1, 2});
}

TEST_CASE("Mailbox: an exception of the writer leaves nothing sent") {
    Alone alone;
    CHECK_THROWS_AS(alone.mailbox.post(0, detail::Channel::Data, detail::Envelope{},
                                       [](IntWriter& out) {
                                           out << 1;
                                           throw std::runtime_error("cannot be written");
                                       }),
                    std::runtime_error);
    alone.post(detail::Channel::Data, detail::MessageKind::Object, 2);
    CHECK(alone.mailbox.take(detail::Filter({detail::MessageKind::Object})).envelope.number == 2);
}

TEST_CASE("Mailbox: who waits for a rank that has left gets what that rank has sent, and then an exception") {
    const auto transports = detail::threadTransports(3);
    std::vector<std::unique_ptr<detail::Mailbox>> mailboxes;
    for (const auto& transport : transports) mailboxes.push_back(std::make_unique<detail::Mailbox>(*transport, ObjectFactory::global()));
    const auto post = [&](std::size_t from, int to, std::int32_t number) {
        mailboxes[from]->post(to, detail::Channel::Data, detail::Envelope{detail::MessageKind::Object, 0, number}, [](IntWriter&) {});
    };
    detail::Mailbox& mailbox = *mailboxes[0];
    post(1, 0, 11);
    post(1, 0, 12);
    mailboxes[1]->departures().sayFarewell();
    post(2, 0, 21);

    CHECK(mailbox.take(detail::Filter({detail::MessageKind::Object}, 1)).envelope.number == 11);
    CHECK_THROWS_AS(mailbox.take(detail::Filter({detail::MessageKind::Value}, 1)), RankHasLeft);
    CHECK(mailbox.take(detail::Filter({detail::MessageKind::Object}, 1)).envelope.number == 12);
    try {
        mailbox.take(detail::Filter({detail::MessageKind::Object}, 1));
        FAIL_CHECK("no exception");
    } catch (const RankHasLeft& left) {
        CHECK(left.rank() == 1);
        CHECK(std::string(left.what()).find("rank 1 has returned") != std::string::npos);
    }

    CHECK(mailbox.take(detail::Filter({detail::MessageKind::Object})).envelope.number == 21);    // rank 2 may still send
    mailboxes[2]->departures().sayFarewell();
    post(0, 0, 1);
    CHECK(mailbox.take(detail::Filter({detail::MessageKind::Object})).envelope.number == 1);
    CHECK_THROWS_AS(mailbox.take(detail::Filter({detail::MessageKind::Object})), RankHasLeft);
    mailboxes[2]->poll();
    CHECK(mailboxes[2]->arrived().take(detail::Filter({detail::MessageKind::Object})) == std::nullopt);
}

TEST_CASE("Mailbox: a rank has left when what it sent on the control channel is here too, though its farewell came before") {
    const auto transports = detail::threadTransports(2);
    detail::Mailbox mailbox(*transports[0], ObjectFactory::global());
    const auto send = [&](detail::Channel channel, detail::MessageKind kind, std::int32_t number) {
        transports[1]->startSend(0, channel, bufferOf({static_cast<std::int32_t>(kind), 0, number, 0, 0, 0}));
    };
    send(detail::Channel::Data, detail::MessageKind::Left, 3);    // announces this letter and two letters that are on their way
    mailbox.poll();
    CHECK_FALSE(mailbox.departures().hasLeft(1));
    send(detail::Channel::Control, detail::MessageKind::RegionFailed, 0);
    mailbox.poll();
    CHECK_FALSE(mailbox.departures().hasLeft(1));
    send(detail::Channel::Control, detail::MessageKind::RegionFailed, 0);
    mailbox.poll();
    CHECK(mailbox.departures().hasLeft(1));
    CHECK_THROWS_AS(mailbox.take(detail::Filter({detail::MessageKind::Object}, 1)), RankHasLeft);
}
