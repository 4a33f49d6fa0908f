#include <ferry/framework/ending/Stragglers.hpp>

#include <chrono>
#include <new>
#include <vector>

#include <doctest/doctest.h>

using namespace ferry;
using namespace std::chrono_literals;

namespace stragglerstest {

/// Stragglers with a second to leave, and a master that looks when the test says so.
struct Looking {
    Looking() {
        stragglers.onOverdue([this](const detail::Loss& loss) { givenUp.push_back(loss.rank); });
    }
    void lookFor(std::chrono::milliseconds time, std::chrono::milliseconds pause) {
        for (const auto end = now + time; now < end;) stragglers.look(now += pause);
    }

    detail::Stragglers stragglers{1s};
    detail::Stragglers::Clock::time_point now{};
    std::vector<int> givenUp{};
};

}    // namespace stragglerstest

using namespace stragglerstest;

TEST_CASE("Stragglers: a slave that does not leave in time is given up once, and one that leaves is not") {
    Looking master;
    master.stragglers.add(3, 7);
    master.stragglers.add(4, 7);
    master.stragglers.add(3, 8);    // its team loses another slave
    master.lookFor(990ms, 10ms);
    CHECK(master.givenUp.empty());
    master.stragglers.remove(4);
    master.lookFor(100ms, 10ms);
    CHECK(master.givenUp == std::vector{3});
    CHECK(master.stragglers.isEmpty());
    master.lookFor(3s, 10ms);
    CHECK(master.givenUp == std::vector{3});
}

TEST_CASE("Stragglers: time in which the master does not look for letters does not count") {
    Looking master;
    master.stragglers.add(1, 2);
    master.lookFor(10ms, 10ms);
    master.lookFor(1h, 1h);
    CHECK(master.givenUp.empty());
    master.stragglers.remove(1);
    master.lookFor(1h, 1h);
    master.stragglers.add(2, 1);    // the pause before counts neither
    master.lookFor(900ms, 10ms);
    CHECK(master.givenUp.empty());
    master.lookFor(10h, 1h);
    CHECK(master.givenUp == std::vector{2});
}

TEST_CASE("Stragglers: a slave that could not be given up for lack of memory is given up at the next look") {
    detail::Stragglers stragglers(1s);
    int calls = 0;
    stragglers.onOverdue([&calls](const detail::Loss&) {
        if (++calls == 1) throw std::bad_alloc();
    });
    stragglers.add(1, 2);
    detail::Stragglers::Clock::time_point now{};
    stragglers.look(now);
    for (int i = 0; i < 9; ++i) stragglers.look(now += 100ms);
    CHECK_THROWS_AS(stragglers.look(now += 100ms), std::bad_alloc);
    stragglers.look(now);
    CHECK(calls == 2);
    CHECK(stragglers.isEmpty());
}

TEST_CASE("Stragglers: without a way to give slaves up none is awaited") {
    detail::Stragglers stragglers(1s);
    stragglers.add(1, 2);
    CHECK(stragglers.isEmpty());
}
