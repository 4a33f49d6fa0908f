#include <ferry/framework/schedule/HeldCalls.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

using namespace ferry;

namespace heldcallstest {

std::vector<std::int32_t> numbersOf(const std::vector<detail::HeldCalls::Held>& held) {
    std::vector<std::int32_t> numbers;
    for (const detail::HeldCalls::Held& one : held) numbers.push_back(one.entry.call);
    return numbers;
}

detail::HeldCalls::Held call(std::int32_t number) { return {{number, {}}, {}}; }

}    // namespace heldcallstest

using namespace heldcallstest;

TEST_CASE("HeldCalls: the first, the last ones, and any of them, in the order in which they came") {
    detail::HeldCalls held;
    CHECK(held.isEmpty());
    for (const std::int32_t number : {4, 5, 2, 9}) held.add(call(number));
    CHECK(held.count() == 4);
    CHECK(held.first().entry.call == 4);
    CHECK(numbersOf(held.last(2)) == std::vector{2, 9});
    CHECK(held.take(2)->entry.call == 2);
    CHECK_FALSE(held.take(2).has_value());
    CHECK_FALSE(held.take(77).has_value());
    CHECK(numbersOf(held.all()) == std::vector{4, 5, 9});
    CHECK(numbersOf(held.last(9)) == std::vector{4, 5, 9});
    CHECK(held.take(4).has_value());
    CHECK(held.first().entry.call == 5);
    CHECK(held.last(0).empty());
}

TEST_CASE("HeldCalls: behaves like a plain list, whatever is added and taken") {
    for (const unsigned seed : {1u, 2u, 3u, 4u}) {
        std::mt19937 random(seed);
        detail::HeldCalls held;
        std::vector<std::int32_t> model;
        std::int32_t next = 0;
        for (int step = 0; step < 4000; ++step) {
            if (model.empty() || random() % 2 == 0) {
                next += 1 + static_cast<std::int32_t>(random() % 3);
                const std::int32_t number = seed % 2 == 0 || random() % 8 != 0 ? next : -next;    // the numbers do not always rise
                held.add(call(number));
                model.push_back(number);
            } else {
                const std::size_t place = random() % model.size();
                CHECK(held.take(model[place]).has_value());
                model.erase(model.begin() + static_cast<std::ptrdiff_t>(place));
            }
            REQUIRE(held.count() == model.size());
            if (!model.empty()) REQUIRE(held.first().entry.call == model.front());
            if (step % 16 == 0) REQUIRE(numbersOf(held.all()) == model);
        }
    }
}

TEST_CASE("HeldCalls: a call of several tasks gives them away one by one, each with its share of the time") {
    detail::HeldCalls held;
    held.add(call(1));
    held.add({{64, {.taskCount = 3}}, std::chrono::nanoseconds(30)});
    held.add(call(200));
    CHECK(held.count() == 3);
    CHECK(held.taskCount() == 5);
    CHECK(numbersOf(held.last(2)) == std::vector{64, 200});    // two tasks or a few more
    CHECK(held.takeTask(64)->expected == std::chrono::nanoseconds(10));
    CHECK(held.takeTask(64)->expected == std::chrono::nanoseconds(10));
    held.insert({{66, {}}, {}});
    CHECK(numbersOf(held.all()) == std::vector{1, 64, 66, 200});
    CHECK(held.takeTask(64)->entry.facts.taskCount == 1);
    CHECK_FALSE(held.takeTask(64).has_value());
    CHECK_FALSE(held.takeTask(65).has_value());
    CHECK(held.taskCount() == 3);
    CHECK(held.take(66).has_value());
    CHECK(held.take(64)->entry.facts.taskCount == 0);
    CHECK(held.taskCount() == 2);
    CHECK(numbersOf(held.all()) == std::vector{1, 200});
}
