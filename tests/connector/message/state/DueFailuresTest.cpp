#include <ferry/connector/message/state/DueFailures.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>

using namespace ferry;

namespace {

std::exception_ptr dueError(const char* text) { return std::make_exception_ptr(std::runtime_error(text)); }

struct DuePlace {
    std::vector<std::unique_ptr<detail::Transport>> transports = detail::threadTransports(1);
    detail::Mailbox mailbox{*transports.front(), ObjectFactory::global()};
    detail::DueFailures& due = mailbox.due();
};

}    // namespace

TEST_CASE("DueFailures: exceptions are thrown once, in the order in which they came") {
    DuePlace place;
    CHECK_FALSE(place.due.isAny());
    place.due.throwSoon(dueError("first"));
    place.due.throwSoon(dueError("second"));
    CHECK(place.due.isAny());
    CHECK_THROWS_WITH(std::rethrow_exception(place.due.takeNext(0)), "first");
    CHECK_THROWS_WITH(std::rethrow_exception(place.due.takeNext(0)), "second");
    CHECK(place.due.takeNext(0) == nullptr);
    CHECK_FALSE(place.due.isAny());
}

TEST_CASE("DueFailures: an exception of a later region waits until this rank is in that region") {
    DuePlace place;
    place.due.throwSoon(dueError("of region 2"), 2);
    place.due.throwSoon(dueError("of region 1"), 1);
    CHECK(place.due.takeNext(0) == nullptr);
    CHECK_THROWS_WITH(std::rethrow_exception(place.due.takeNext(1)), "of region 1");
    CHECK(place.due.takeNext(1) == nullptr);
    CHECK_THROWS_WITH(std::rethrow_exception(place.due.takeNext(2)), "of region 2");
}

TEST_CASE("DueFailures: exceptions of a region that is over are forgotten") {
    DuePlace place;
    place.due.throwSoon(dueError("of region 1"), 1);
    place.due.throwSoon(dueError("of no region"), 0);
    place.due.forget([](const detail::DueFailures::Due& failure) { return failure.region == 1; });
    CHECK_THROWS_WITH(std::rethrow_exception(place.due.takeNext(1)), "of no region");
    CHECK_FALSE(place.due.isAny());
}

TEST_CASE("DueFailures: the first stop stays, unless its regions are over") {
    DuePlace place;
    place.due.throwIfStopped();
    place.due.stop(dueError("first"), {3});
    place.due.stop(dueError("second"));
    CHECK(place.due.isStopped());
    for (int i = 0; i < 2; ++i) CHECK_THROWS_WITH(place.due.throwIfStopped(), "first");
    const auto isRegion = [](std::int32_t region) {
        return [region](const std::vector<std::int32_t>& regions) { return regions == std::vector<std::int32_t>{region}; };
    };
    place.due.forgetStop(isRegion(2));
    CHECK(place.due.isStopped());
    place.due.forgetStop(isRegion(3));
    CHECK_FALSE(place.due.isStopped());
}
