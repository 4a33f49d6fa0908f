#include <ferry/framework/schedule/DurationEstimate.hpp>

#include <chrono>

#include <doctest/doctest.h>

using namespace ferry;
using namespace std::chrono_literals;

TEST_CASE("DurationEstimate: follows what is measured; a single slow call changes little") {
    detail::DurationEstimate estimate;
    CHECK_FALSE(estimate.expected().has_value());
    estimate.add(100us);
    CHECK(estimate.expected() == 100us);
    estimate.add(1h);
    CHECK(estimate.expected() < 200us);
    for (int i = 0; i < 100; ++i) estimate.add(10ms);
    CHECK(estimate.expected() > 9ms);
    for (int i = 0; i < 200; ++i) estimate.add(0ns);
    CHECK(estimate.expected() < 1us);
}
