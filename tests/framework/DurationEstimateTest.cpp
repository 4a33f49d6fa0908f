#include <ferry/framework/schedule/DurationEstimate.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include <ferry/framework/schedule/ByKind.hpp>

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

TEST_CASE("ByKind: each kind has its own value, whichever was asked for last, also after a move") {
    detail::ByKind<std::string> names;
    CHECK(names.find(1) == nullptr);
    names.add(1, "one");
    names.add(2, 2U, '2');
    CHECK(*names.find(1) == "one");
    CHECK(*names.find(1) == "one");
    CHECK(*names.find(2) == "22");
    CHECK(names.find(3) == nullptr);
    for (std::int32_t kind = 3; kind < 1000; ++kind) names.add(kind, std::to_string(kind));
    CHECK(*names.find(1) == "one");
    detail::ByKind<std::string> moved(std::move(names));
    CHECK(*moved.find(1) == "one");
    CHECK(*moved.find(999) == "999");
    detail::ByKind<std::string> others;
    others.add(1, "uno");
    others = std::move(moved);
    CHECK(*others.find(1) == "one");
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& [kind, name] : others) ++count;
    CHECK(count == 999);
}
