#include <ferry/framework/ending/Watchdog.hpp>

#include <atomic>
#include <chrono>

#include <doctest/doctest.h>

using namespace ferry;
using namespace std::chrono_literals;

TEST_CASE("Watchdog: calls once when nobody disarms it") {
    std::atomic<int> calls{0};
    detail::Watchdog watchdog;
    watchdog.arm(1ms, [&calls] {
        ++calls;
        calls.notify_all();
    });
    calls.wait(0);
    watchdog.disarm();
    CHECK(calls == 1);
}

TEST_CASE("Watchdog: does not call when it was disarmed, and can be armed again") {
    std::atomic<int> calls{0};
    detail::Watchdog watchdog;
    watchdog.disarm();
    watchdog.arm(1h, [&calls] { ++calls; });
    watchdog.arm(1ms, [&calls] { calls += 10; });    // the watchdog is armed already
    watchdog.disarm();
    CHECK(calls == 0);
    watchdog.arm(1ms, [&calls] {
        calls += 100;
        calls.notify_all();
    });
    calls.wait(0);
    CHECK(calls == 100);
}

TEST_CASE("Watchdog: its end disarms it") {
    std::atomic<int> calls{0};
    {
        detail::Watchdog().arm(1h, [&calls] { ++calls; });
    }
    CHECK(calls == 0);
}
