#include <ferry/framework/schedule/TaskQueue.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <vector>

#include <doctest/doctest.h>

using namespace ferry;

TEST_CASE("TaskQueue: a call that came back is first of its priority; a call that was removed never comes") {
    detail::TaskQueue queue;
    for (std::int32_t call = 1; call <= 5; ++call) queue.add({call, {.priority = call % 2}});
    CHECK(queue.count() == 5);
    CHECK(queue.takeFirst().call == 1);
    CHECK(queue.remove(3));
    CHECK_FALSE(queue.remove(3));
    CHECK_FALSE(queue.remove(1));
    queue.addFirst({1, {.priority = 1}});
    CHECK(queue.first().call == 1);
    CHECK(queue.takeFirst().facts.priority == 1);
    CHECK(queue.takeFirst().call == 5);
    CHECK(queue.takeFirst().call == 2);
    CHECK(queue.takeFirst().call == 4);
    CHECK(queue.isEmpty());
}

TEST_CASE("TaskQueue: removing many calls behind others leaves the order of the others") {
    detail::TaskQueue queue;
    std::vector<std::int32_t> expected;
    for (std::int32_t call = 1; call <= 5000; ++call) {
        queue.add({call, {.priority = call % 3}});
        if (call % 7 != 0) CHECK(queue.remove(call));
    }
    for (const int priority : {2, 1, 0}) {
        for (std::int32_t call = 7; call <= 5000; call += 7) {
            if (call % 3 == priority) expected.push_back(call);
        }
    }
    CHECK(queue.count() == expected.size());
    std::vector<std::int32_t> order;
    while (!queue.isEmpty()) order.push_back(queue.takeFirst().call);
    CHECK(order == expected);
}

TEST_CASE("TaskQueue: a call that was removed and comes back is there once, where it comes") {
    detail::TaskQueue queue;
    for (std::int32_t call = 1; call <= 4; ++call) queue.add({call, {}});
    CHECK(queue.remove(2));
    CHECK(queue.remove(3));
    queue.add({2, {}});
    queue.addFirst({3, {}});
    CHECK(queue.count() == 4);
    for (const std::int32_t expected : {3, 1, 4, 2}) CHECK(queue.takeFirst().call == expected);
    CHECK(queue.isEmpty());
}

TEST_CASE("TaskQueue: a call that stands for several tasks counts as many, until it is taken or removed") {
    detail::TaskQueue queue;
    queue.add({1, {.taskCount = 63}});
    queue.add({2, {}});
    queue.addFirst({3, {.taskCount = 5}});
    CHECK(queue.count() == 3);
    CHECK(queue.taskCount() == 69);
    CHECK(queue.takeFirst().call == 3);
    CHECK(queue.taskCount() == 64);
    CHECK(queue.remove(1));
    CHECK(queue.taskCount() == 1);
    queue.add({1, {.taskCount = 4}});
    CHECK(queue.taskCount() == 5);
    CHECK(queue.takeFirst().call == 2);
    CHECK(queue.takeFirst().facts.taskCount == 4);
    CHECK(queue.taskCount() == 0);
}

TEST_CASE("TaskQueue: behaves like plain lists by priority, whatever is added, taken and removed") {
    std::mt19937 random(7);
    const auto upTo = [&random](std::uint32_t count) { return static_cast<int>(random() % count); };
    for (int run = 0; run < 200; ++run) {
        detail::TaskQueue queue;
        std::map<int, std::deque<std::int32_t>, std::greater<>> model;
        std::vector<std::int32_t> away;    // removed calls, which may come back
        std::int32_t last = 0;
        std::size_t count = 0;
        const int removals = upTo(4);    // some runs remove nothing
        for (int step = 0; step < 300; ++step) {
            const int action = upTo(6);
            if (action <= 2) {
                const bool comesBack = !away.empty() && upTo(2) == 0;
                const std::int32_t call = comesBack ? away.back() : ++last;
                if (comesBack) away.pop_back();
                const int priority = upTo(3) - 1;
                if (action == 0) {
                    queue.addFirst({call, {.priority = priority}});
                    model[priority].push_front(call);
                } else {
                    queue.add({call, {.priority = priority}});
                    model[priority].push_back(call);
                }
                ++count;
            } else if (action < 3 + removals && action < 5) {
                const std::int32_t call = upTo(static_cast<std::uint32_t>(last) + 1) + 1;
                const bool isThere =
                    std::any_of(model.begin(), model.end(), [&](auto& level) { return std::erase(level.second, call) == 1; });
                CHECK(queue.remove(call) == isThere);
                if (isThere) away.push_back(call);
                count -= isThere ? 1 : 0;
            } else if (count > 0) {
                const auto level = std::find_if(model.begin(), model.end(), [](const auto& each) { return !each.second.empty(); });
                CHECK(queue.first().call == level->second.front());
                CHECK(queue.takeFirst().call == level->second.front());
                level->second.pop_front();
                --count;
            }
            CHECK(queue.count() == count);
        }
    }
}
