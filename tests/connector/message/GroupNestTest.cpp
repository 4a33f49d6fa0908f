#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

using namespace ferry;

namespace {

/// One rank of four, and a group of its own number and the one before.
struct NestedMailboxes {
    std::vector<std::unique_ptr<detail::Transport>> transports = detail::threadTransports(4);
    std::unique_ptr<detail::Mailbox> outer = std::make_unique<detail::Mailbox>(*transports[2], ObjectFactory::global());
    detail::GroupTransport transport{*outer, 5, {1, 2}};
    detail::Mailbox inner{transport, ObjectFactory::global()};
};

}    // namespace

TEST_CASE("GroupNest: the ranks of a group have numbers of their own, and others in the job") {
    NestedMailboxes both;
    CHECK(both.inner.nest().around() == both.outer.get());
    CHECK(&both.inner.nest().outermost() == both.outer.get());
    CHECK(both.outer->nest().inside() == std::vector<detail::Mailbox*>{&both.inner});
    CHECK(both.inner.nest().rankInJob(0) == 1);
    CHECK(both.inner.nest().jobSize() == 4);
    const detail::Awaited awaited = both.inner.nest().countedIn(*both.outer, {{1, 0}, "a letter"});
    CHECK(awaited.ranks == std::vector<int>{2, 1});
    CHECK(awaited.what == "a letter, counted in group 5 of 2 ranks");
}

TEST_CASE("GroupNest: the limit of a wait is the earliest of the mailbox and those around") {
    NestedMailboxes both;
    const Deadline::Clock::time_point now = Deadline::Clock::now();
    const auto after = [now](int seconds) { return detail::WaitLimit{now, now + std::chrono::seconds(seconds)}; };
    CHECK_FALSE(both.inner.nest().limit().isSet());
    both.inner.nest().ownLimits()->begin(after(2));
    CHECK(both.inner.nest().limit().until == after(2).until);
    CHECK_FALSE(both.outer->nest().limit().isSet());
    both.outer->nest().ownLimits()->begin(after(1));
    CHECK(both.inner.nest().limit().until == after(1).until);
}

TEST_CASE("GroupNest: regions are named from the inside to the outside, and the one entered last decides who may call together") {
    NestedMailboxes both;
    detail::GroupNest& outer = both.outer->nest();
    detail::GroupNest& inner = both.inner.nest();
    outer.enterRegion();
    outer.leaveRegion();
    outer.enterRegion();
    inner.requireOwnRegion();
    inner.enterRegion();
    CHECK(inner.regionPath() == std::vector<std::int32_t>{1, 2});
    CHECK(inner.regionsAround() == std::vector<std::int32_t>{2});
    inner.requireOwnRegion();
    CHECK_THROWS_AS(outer.requireOwnRegion(), UsageError);
    inner.leaveRegion();
    outer.requireOwnRegion();
    outer.leaveRegion();
}

TEST_CASE("GroupNest: when a region around fails, the group forgets what came in it, and goes back to its numbers of regions") {
    NestedMailboxes both;
    detail::GroupNest& outer = both.outer->nest();
    detail::GroupNest& inner = both.inner.nest();
    outer.enterRegion();
    inner.enterRegion();
    inner.leaveRegion();
    both.inner.due().stop(std::make_exception_ptr(UsageError("in the region")));
    both.inner.due().throwSoon(std::make_exception_ptr(UsageError("in the region")));
    outer.failRegion();
    CHECK(inner.hasAroundFailed());
    CHECK_FALSE(outer.hasAroundFailed());
    outer.leaveFailedRegion(1, both.outer->regions().clock());
    CHECK_FALSE(inner.hasAroundFailed());
    CHECK(inner.areOver(std::vector<std::int32_t>{0, 1}));
    CHECK_FALSE(both.inner.due().isAny());
    inner.enterRegion();
    CHECK(both.inner.regions().innermost() == 1);
    inner.leaveRegion();
}

TEST_CASE("GroupNest: a group is stopped when its mailbox around ends, or was made in a region that fails") {
    NestedMailboxes both;
    both.outer->nest().enterRegion();
    detail::GroupTransport transport(*both.outer, 6, {2});
    detail::Mailbox born(transport, ObjectFactory::global());
    both.outer->nest().failRegion();
    both.outer->nest().leaveFailedRegion(1, both.outer->regions().clock());
    CHECK(born.due().isStopped());
    CHECK_FALSE(both.inner.due().isStopped());
    both.outer.reset();
    CHECK(both.inner.due().isStopped());
    CHECK(both.inner.nest().around() == nullptr);
}
