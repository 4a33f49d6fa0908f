#include <ferry/connector/message/Background.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/state/Regions.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>

using namespace ferry;

namespace {

struct BackgroundPlace {
    std::vector<std::unique_ptr<detail::Transport>> transports = detail::threadTransports(1);
    detail::Mailbox mailbox{*transports.front(), ObjectFactory::global()};
    detail::Background& background = mailbox.background();
};

/// Work of some steps, each of which calls a function.
class CountedWork final : public detail::BackgroundWork {
public:
    CountedWork(int stepCount, std::function<void()> step) : stepsLeft_(stepCount), step_(std::move(step)) {}
    Progress moveOn() noexcept override {
        step_();
        return --stepsLeft_ == 0 ? Progress::Done : Progress::Moved;
    }

private:
    int stepsLeft_;
    std::function<void()> step_;
};

}    // namespace

TEST_CASE("Background: work makes its first step at once, and one more whenever it is moved on, until it is done") {
    BackgroundPlace place;
    int steps = 0;
    place.background.begin(std::make_shared<CountedWork>(3, [&steps] { ++steps; }));
    CHECK(steps == 1);
    CHECK(place.background.hasUnsent());
    CHECK(place.background.moveOn());
    CHECK(place.background.moveOn());
    CHECK(steps == 3);
    CHECK_FALSE(place.background.hasUnsent());
    CHECK_FALSE(place.background.moveOn());
}

TEST_CASE("Background: no step is made within a step, and work that begins there makes its first step in the same round") {
    BackgroundPlace place;
    std::vector<int> order;
    const auto second = std::make_shared<CountedWork>(1, [&order] { order.push_back(2); });
    place.background.begin(std::make_shared<CountedWork>(1, [&] {
        CHECK(place.background.isWithinStep());
        CHECK_FALSE(place.background.moveOn());
        place.background.begin(second);
        order.push_back(1);
    }));
    CHECK(order == std::vector<int>{1, 2});
    CHECK_FALSE(place.background.isWithinStep());
}

TEST_CASE("Background: letters of a step belong to the region in which its work was begun") {
    BackgroundPlace place;
    std::vector<std::int32_t> regions;
    const auto note = [&] { regions.push_back(place.background.regionOr(place.mailbox.regions().innermost())); };
    place.background.begin(std::make_shared<CountedWork>(2, note));
    place.mailbox.nest().enterRegion();
    place.background.moveOn();
    note();
    place.mailbox.nest().leaveRegion();
    CHECK(regions == std::vector<std::int32_t>{0, 0, 1});
}
