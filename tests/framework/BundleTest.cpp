#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/ferry.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace bundletest {

struct Square {
    using Reply = long;
    long number = 0;
    std::vector<int> load{};
    FERRY_FIELDS(number, load)
};

class Odd : public Exception {
public:
    FERRY_EXCEPTION(bundletest::Odd)
    FERRY_FIELDS(number)
    Odd() = default;
    explicit Odd(long theNumber) : Exception("an odd number"), number(theNumber) {}
    long number = 0;
};

/// A task that cannot be written when its number ends with 3.
struct Stubborn {
    using Reply = long;
    long number = 0;
    void writeToInts(IntWriter& out) const {
        if (number % 10 == 3) throw Odd(number);
        out << number;
    }
    void readFromInts(IntReader& in) { in >> number; }
};

/// Answers even numbers, and throws for a number that ends with 7.
void define(Slave& slave) {
    slave.on<Square>([](const Square& task) {
        if (task.number % 10 == 7) throw Odd(task.number);
        return task.number * task.number + static_cast<long>(task.load.size());
    });
    slave.on<Stubborn>([](const Stubborn& task) { return 2 * task.number; });
}

std::vector<Square> squares(long count) {
    std::vector<Square> tasks;
    for (long i = 0; i < count; ++i) tasks.push_back({i, {}});
    return tasks;
}

/// Takes the replies in order. Returns the number of failures.
template <class Replies>
long takeAll(Replies& replies, std::vector<long>& seen, std::int32_t& highestTask) {
    long failures = 0;
    for (bool isOver = false; !isOver;) {
        try {
            for (const long reply : replies) seen.push_back(reply);
            isOver = true;
        } catch (const Odd& odd) {
            CHECK(odd.number % 10 == 7);
            seen.push_back(-odd.number);
            highestTask = std::max(highestTask, odd.origin().taskNumber);
            ++failures;
        }
    }
    return failures;
}

TEST_CASE("Bundle: a map gives each reply and each failure once and at its place, also by sub-masters") {
    runJob(define, [](Master& master) {
        constexpr long count = 400;
        for (const MapOrder order : {MapOrder::Submission, MapOrder::Completion}) {
            std::vector<long> seen;
            std::int32_t highestTask = 0;
            auto replies = master.map(squares(count), order);
            CHECK(takeAll(replies, seen, highestTask) == count / 10);
            REQUIRE(seen.size() == static_cast<std::size_t>(count));
            if (order == MapOrder::Completion) {
                const std::set<long> all(seen.begin(), seen.end());
                CHECK(all.size() == seen.size());
                continue;
            }
            for (long i = 0; i < count; ++i) CHECK(seen[static_cast<std::size_t>(i)] == (i % 10 == 7 ? -i : i * i));
            // A bundle of two tasks takes 64 numbers. Without bundles, each task takes one.
            const bool areBundles = !groupsOfThisJob().isEmpty();
            if (areBundles) CHECK(highestTask > 2 * count);
            if (!areBundles) CHECK(highestTask <= count);
        }
    });
}

TEST_CASE("Bundle: large tasks travel by themselves between the bundles") {
    runJob(define, [](Master& master) {
        std::vector<Square> tasks = squares(100);
        for (std::size_t i = 0; i < tasks.size(); i += 9) {
            if (i % 10 != 7) tasks[i].load.assign(1000, 5);
        }
        std::vector<long> seen;
        std::int32_t highestTask = 0;
        auto replies = master.map(tasks);
        CHECK(takeAll(replies, seen, highestTask) == 10);
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            const auto number = static_cast<long>(i);
            CHECK(seen.at(i) == (i % 10 == 7 ? -number : number * number + static_cast<long>(tasks[i].load.size())));
        }
    });
}

TEST_CASE("Bundle: a map that is left early takes its tasks back, and the next map gets its own replies") {
    runJob(define, [](Master& master) {
        for (int round = 0; round < 5; ++round) {
            int taken = 0;
            for (const long reply : master.map(std::vector<Square>(300, Square{2, {}}))) {
                CHECK(reply == 4);
                if (++taken == 40) break;
            }
            CHECK(taken == 40);
        }
        long sum = 0;
        for (const long reply : master.map(std::vector<Square>(300, Square{3, {}}), MapOrder::Completion)) sum += reply;
        CHECK(sum == 2700);
        master.waitForAll();
    });
}

TEST_CASE("Bundle: a range that throws between two tasks loses none of the tasks before") {
    runJob(define, [](Master& master) {
        struct Thrower {
            using value_type = Square;
            using difference_type = std::ptrdiff_t;
            long at = 0;
            Square operator*() const { return {at + 1, {}}; }
            Thrower& operator++() {
                if (++at == 205) throw std::runtime_error("the range is torn");
                return *this;
            }
            Thrower operator++(int) {
                Thrower before = *this;
                ++*this;
                return before;
            }
            bool operator==(const Thrower& other) const { return at == other.at; }
        };
        struct Torn {
            Thrower begin() const { return {}; }
            Thrower end() const { return {220}; }
            std::size_t size() const { return 220; }
        };
        long count = 0;
        long failures = 0;
        auto replies = master.map(Torn{});
        for (bool isOver = false; !isOver;) {
            try {
                for ([[maybe_unused]] const long reply : replies) ++count;
                isOver = true;
            } catch (const std::exception&) {
                ++failures;
            }
        }
        CHECK(count + failures == 221);    // one failure is that of the range
    });
}

TEST_CASE("Bundle: a task that cannot be written fails at its place, and the others have their replies") {
    runJob(define, [](Master& master) {
        constexpr long count = 300;
        std::vector<Stubborn> tasks;
        for (long number = 0; number < count; ++number) tasks.push_back({number});
        for (const MapOrder order : {MapOrder::Submission, MapOrder::Completion}) {
            std::vector<long> seen;
            auto replies = master.map(tasks, order);
            for (bool isOver = false; !isOver;) {
                try {
                    for (const long reply : replies) seen.push_back(reply / 2);
                    isOver = true;
                } catch (const Odd& odd) {
                    CHECK(odd.number % 10 == 3);
                    seen.push_back(odd.number);
                }
            }
            REQUIRE(seen.size() == static_cast<std::size_t>(count));
            if (order == MapOrder::Completion) std::sort(seen.begin(), seen.end());
            for (long number = 0; number < count; ++number) CHECK(seen[static_cast<std::size_t>(number)] == number);
        }
    });
}

}    // namespace bundletest
