#include <ferry/framework/schedule/Retry.hpp>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

using namespace ferry;
using namespace std::chrono_literals;

TEST_CASE("Retry: covers the exceptions that are named, classes derived from them, and no others") {
    const detail::Retry retry = RetryOn<std::runtime_error, std::bad_alloc>{.times = 3};
    CHECK(retry.times() == 3);
    CHECK(retry.covers(std::make_exception_ptr(std::range_error("derived"))));
    CHECK(retry.covers(std::make_exception_ptr(std::bad_alloc())));
    CHECK_FALSE(retry.covers(std::make_exception_ptr(std::logic_error("other"))));
    CHECK_FALSE(retry.covers(std::make_exception_ptr(42)));
    CHECK_FALSE(detail::Retry().covers(std::make_exception_ptr(std::runtime_error("never"))));
}

TEST_CASE("Retry: each pause is twice as long as the one before, and none longer than an hour") {
    const detail::Retry retry = RetryOn<std::exception>{.times = 100, .backOff = 10ms};
    CHECK(retry.pauseBefore(2) == 10ms);
    CHECK(retry.pauseBefore(3) == 20ms);
    CHECK(retry.pauseBefore(6) == 160ms);
    CHECK(retry.pauseBefore(1'000'000) == 1h);
    CHECK(detail::Retry(RetryOn<std::exception>{}).pauseBefore(1'000'000) == 0ms);
}

TEST_CASE("Retry: a pause of any length is an hour at most") {
    using std::chrono::microseconds;
    CHECK(detail::Retry(RetryOn<std::exception>{.backOff = microseconds::max()}).pauseBefore(2) == 1h);
    CHECK(detail::Retry(RetryOn<std::exception>{.backOff = microseconds::max() / 2}).pauseBefore(2) == 1h);
    CHECK_THROWS_AS(detail::Retry(RetryOn<std::exception>{.backOff = microseconds::min()}), UsageError);
}

TEST_CASE("Retry: negative numbers are refused") {
    CHECK_THROWS_AS(detail::Retry(RetryOn<std::exception>{.times = -1}), UsageError);
    CHECK_THROWS_AS(detail::Retry(RetryOn<std::exception>{.backOff = -1ms}), UsageError);
}
