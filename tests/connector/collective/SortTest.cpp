#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace sorttest {

/// Checks that the sorted parts of all ranks together are the stable sort of the original parts together.
template <class T, class Compare = std::less<>>
std::vector<T> checkedSort(Connector& c, const std::vector<T>& own, Compare compare = {}) {
    std::vector<T> expected = c.allGather(own);
    std::stable_sort(expected.begin(), expected.end(), compare);
    const std::vector<T> part = c.sort(own, compare);
    CHECK(c.allGather(part) == expected);
    return part;
}

std::vector<int> randomNumbers(const Connector& c, std::size_t count, int below) {
    std::mt19937 random(static_cast<unsigned>(c.rank()));
    std::vector<int> values(count);
    for (int& value : values) value = static_cast<int>(random() % static_cast<unsigned>(below));
    return values;
}

/// A kind of step in a sort. The n-th step of this kind fails on a rank.
enum class Deed { Write, Read, Copy, Compare };
thread_local Deed failingDeed = Deed::Write;
thread_local int deedsLeft = -1;    ///< before the failure; negative: none fails

void count(Deed deed) {
    if (deed == failingDeed && deedsLeft >= 0 && deedsLeft-- == 0) throw std::domain_error("this element has failed");
}

class Fragile {
public:
    Fragile() = default;
    explicit Fragile(int number) : number_(number) {}
    Fragile(const Fragile& other) : number_(other.number_) { count(Deed::Copy); }
    Fragile& operator=(const Fragile& other) {
        count(Deed::Copy);
        number_ = other.number_;
        return *this;
    }
    bool operator<(const Fragile& other) const {
        count(Deed::Compare);
        return number_ < other.number_;
    }
    bool operator==(const Fragile& other) const { return number_ == other.number_; }

    void writeToInts(IntWriter& out) const {
        count(Deed::Write);
        out << number_;
    }
    void readFromInts(IntReader& in) {
        count(Deed::Read);
        in >> number_;
    }

private:
    int number_ = 0;
};

}    // namespace sorttest

using namespace sorttest;

TEST_CASE("sort: random numbers, of other lengths on every rank") {
    onRanks([](Connector& c) {
        for (const std::size_t factor : {0, 1, 7, 1000})
            checkedSort(c, randomNumbers(c, factor * static_cast<std::size_t>(c.rank() + 1), 1'000'000));
    });
}

TEST_CASE("sort: is stable, and divides elements that are equal") {
    onRanks([](Connector& c) {
        using Pair = std::pair<int, int>;    // value and origin
        std::vector<Pair> own;
        for (const int value : randomNumbers(c, 1000, 3)) own.emplace_back(value, c.rank() * 10'000 + static_cast<int>(own.size()));
        const auto byValue = [](const Pair& left, const Pair& right) { return left.first < right.first; };
        const auto part = checkedSort(c, own, byValue);
        CHECK(part.size() < 1200);
        CHECK(part.size() > 800);
        CHECK(c.sort(std::vector<char>(500, 'x')).size() < 600);
    });
}

TEST_CASE("sort: elements that were all on one rank, or sorted already, are divided too") {
    onRanks([](Connector& c) {
        const std::vector<int> none;
        const auto part = checkedSort(c, c.isMaster() ? randomNumbers(c, 4000, 100'000) : none, std::greater<>());
        CHECK(part.size() <= 2u * 4000 / static_cast<std::size_t>(c.size()));
        std::vector<int> ascending(1000);
        for (std::size_t i = 0; i < ascending.size(); ++i) ascending[i] = c.rank() * 1000 + static_cast<int>(i);
        const auto inOrder = checkedSort(c, ascending);
        CHECK(inOrder.size() <= 1100);
    });
}

TEST_CASE("sort: elements of any class that can be written") {
    onRanks([](Connector& c) {
        std::vector<std::string> words;
        for (const int number : randomNumbers(c, 300, 50)) words.push_back("word " + std::to_string(number));
        checkedSort(c, words);
    });
}

TEST_CASE("sort: what the comparison throws on one rank arrives on every rank") {
    onRanks([](Connector& c) {
        const auto refusing = [&c](const std::string& left, const std::string& right) {
            if (c.rank() == c.size() - 1) throw std::domain_error("these cannot be compared");
            return left < right;
        };
        CHECK_THROWS_WITH_AS(c.sort(std::vector<std::string>{"b", "a"}, refusing), "these cannot be compared", std::domain_error);
        CHECK(c.allReduce(1, Sum{}) == c.size());
    });
}

TEST_CASE("sort: a comparison that throws at any call leaves no rank waiting in a guarded region") {
    onRanks([](Connector& c) {
        for (int last = 1; last < 40; last += 3) {
            int count = 0;
            const auto refusing = [&](const std::string& left, const std::string& right) {
                if (c.isMaster() && ++count == last) throw std::domain_error("these cannot be compared");
                return left < right;
            };
            try {
                c.guarded([&] { c.sort(std::vector<std::string>{"b", "a", "c", "b"}, refusing); });
            } catch (const ExceptionList& failures) {
                CHECK(std::string(failures.front().what()).find("cannot be compared") != std::string::npos);
            }
        }
        CHECK(c.allReduce(1, Sum{}) == c.size());
    });
}

TEST_CASE("sort: an element that fails at any step of the sort on any rank is an error on every rank, and the next collective is right") {
    onRanks([](Connector& c) {
        std::vector<Fragile> own;
        for (const int number : randomNumbers(c, 4, 50)) own.emplace_back(number);
        for (const Deed deed : {Deed::Write, Deed::Read, Deed::Copy, Deed::Compare}) {
            for (int failing = 0; failing < c.size(); ++failing) {
                bool hasFailed = true;
                for (int before = 0; hasFailed; before += deed == Deed::Copy || deed == Deed::Compare ? 5 : 1) {
                    std::vector<Fragile> values = own;
                    failingDeed = deed;
                    deedsLeft = c.rank() == failing ? before : -1;
                    bool isThrown = false;
                    try {
                        c.sort(std::move(values));
                    } catch (const std::domain_error&) {
                        isThrown = true;
                    }
                    const bool isDue = c.rank() == failing && deedsLeft < 0;
                    deedsLeft = -1;
                    hasFailed = c.broadcast(isDue, failing);
                    CHECK(isThrown == hasFailed);
                    CHECK(c.allReduce(1, Sum{}) == c.size());
                }
            }
        }
    });
}
