#include <ferry/connector/message/letter/Deadline.hpp>

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <ratio>

#include <doctest/doctest.h>

#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/message/DeadlineScope.hpp>
#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/letter/LetterFilter.hpp>
#include <ferry/connector/message/state/MailboxHooks.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

using namespace ferry;
using namespace std::chrono_literals;

namespace deadlinetest {

using Time = Deadline::Clock::time_point;

constexpr Time now{std::chrono::hours(1000)};

}    // namespace deadlinetest

using namespace deadlinetest;

TEST_CASE("Deadline: a duration counts from the start of the call, whatever its unit") {
    CHECK(Deadline::in(10ms).forStart(now) == now + 10ms);
    CHECK(Deadline::in(10ms).forStart(now + 1s) == now + 1s + 10ms);
    CHECK(Deadline::in(2h).forStart(now) == now + 2h);
    CHECK(Deadline::in(std::chrono::duration<double>(0.25)).forStart(now) == now + 250ms);
    CHECK(Deadline::in(std::chrono::duration<int, std::ratio<60>>(3)).forStart(now) == now + 3min);
    CHECK(Deadline::in(0s).forStart(now) == now);
    CHECK(Deadline::in(-5s).forStart(now) == now - 5s);
}

TEST_CASE("Deadline: durations that no clock can count are no limit, or a deadline that has passed") {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    CHECK(Deadline::in(std::chrono::hours(most)).isNever());
    CHECK(Deadline::in(std::chrono::nanoseconds(most)).isNever());
    CHECK(Deadline::in(std::chrono::duration<double>(std::numeric_limits<double>::infinity())).isNever());
    CHECK(Deadline::in(std::chrono::hours(most)).forStart(now) == Time::max());
    CHECK(Deadline::in(std::chrono::hours(std::numeric_limits<std::int64_t>::min())).forStart(now) < now);
    CHECK(Deadline::in(std::chrono::nanoseconds(std::numeric_limits<std::int64_t>::min())).forStart(now) < now);
    CHECK(Deadline::in(std::chrono::duration<double>(-std::numeric_limits<double>::infinity())).forStart(now) < now);
    CHECK_FALSE(Deadline::in(24h * 365).isNever());
    CHECK_THROWS_AS(Deadline::in(std::chrono::duration<double>(std::numeric_limits<double>::quiet_NaN())), UsageError);
}

TEST_CASE("Deadline: a point in time is kept as given, and points at the ends of the clock do no harm") {
    CHECK(Deadline::at(now + 3s).forStart(now) == now + 3s);
    CHECK(Deadline::at(now - 3s).forStart(now) == now - 3s);
    CHECK(Deadline::at(Time::max()).isNever());
    CHECK(Deadline::never().forStart(now) == Time::max());
    const Time earliest = Deadline::at(Time::min()).forStart(now);
    CHECK(earliest < now);
    CHECK(now - earliest > 0s);    // the addition must not overflow
}

TEST_CASE("DeadlineScope: an inner one never extends an outer one, and ends with its block") {
    const auto transports = detail::threadTransports(1);
    detail::Mailbox mailbox(*transports.front(), ObjectFactory::global());
    {
        const detail::DeadlineScope none(mailbox, Deadline::never());
        CHECK_FALSE(mailbox.nest().limit().isSet());
        const detail::DeadlineScope outer(mailbox, Deadline::in(1h));
        const Time until = mailbox.nest().limit().until;
        CHECK(mailbox.nest().limit().isSet());
        {
            const detail::DeadlineScope longer(mailbox, Deadline::in(2h));
            CHECK(mailbox.nest().limit().until == until);
            const detail::DeadlineScope shorter(mailbox, Deadline::in(1min));
            CHECK(mailbox.nest().limit().until < until);
        }
        CHECK(mailbox.nest().limit().until == until);
    }
    CHECK_FALSE(mailbox.nest().limit().isSet());
}

TEST_CASE("DeadlineScope: scopes that end in another order leave no limit and lose none") {
    const auto transports = detail::threadTransports(1);
    detail::Mailbox mailbox(*transports.front(), ObjectFactory::global());
    const auto begin = [&mailbox](std::chrono::minutes limit) {
        return std::make_unique<detail::DeadlineScope>(mailbox, Deadline::in(limit));
    };
    const auto left = [&mailbox] { return mailbox.nest().limit().until - Deadline::Clock::now(); };
    auto shorter = begin(1min);
    auto longer = begin(120min);
    shorter.reset();
    CHECK(left() > 1min);
    CHECK(mailbox.nest().limit().isSet());
    auto shortest = begin(2min);
    longer.reset();
    CHECK(left() < 3min);
    shortest.reset();
    CHECK_FALSE(mailbox.nest().limit().isSet());
}

TEST_CASE("TimeoutError: names the awaited rank, the awaited letter and the time") {
    const TimeoutError error({{2, 3}, "the parts of rank 2 and 3"}, 1500ms);
    CHECK(error.ranks() == std::vector<int>{2, 3});
    CHECK(error.awaited() == "the parts of rank 2 and 3");
    CHECK(error.waited() == 1500ms);
    CHECK(error.what() == std::string("timed out after 1.500 s, waiting for the parts of rank 2 and 3"));
}

TEST_CASE("Mailbox: at its deadline a wait that is alone throws, and the letter that comes later is taken") {
    const auto transports = detail::threadTransports(1);
    detail::Mailbox mailbox(*transports.front(), ObjectFactory::global());
    const detail::Filter filter({detail::MessageKind::Object}, 0);
    for (const auto time : {-1ms, 0ms, 5ms}) {
        const detail::DeadlineScope scope(mailbox, Deadline::in(time));
        CHECK_THROWS_AS(mailbox.take(filter), TimeoutError);
        mailbox.post(0, detail::Channel::Data, detail::Envelope{detail::MessageKind::Object, 0, 7}, [](IntWriter&) {});
        CHECK(mailbox.take(filter).envelope.number == 7);
    }
}

TEST_CASE("Mailbox: a rank to which letters never stop coming hears of its deadline") {
    const auto transports = detail::threadTransports(2);
    detail::Mailbox mailbox(*transports.front(), ObjectFactory::global());
    detail::Mailbox other(*transports.back(), ObjectFactory::global());
    const auto answer = [&] {
        other.post(0, detail::Channel::Data, detail::Envelope{detail::MessageKind::Value, 0, 0}, [](IntWriter&) {});
    };
    mailbox.hooks().onIdle(answer);    // the mailbox also calls this after a number of letters
    for (int i = 0; i < 1000; ++i) answer();
    const detail::DeadlineScope scope(mailbox, Deadline::in(1ms));
    CHECK_THROWS_AS(mailbox.take(detail::Filter({detail::MessageKind::Object})), TimeoutError);
}
