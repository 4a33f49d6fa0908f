#include <algorithm>
#include <array>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/ReproducibleReduction.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/support/Ranks.hpp>
#include <ferry/tests/support/Sanitizers.hpp>

using namespace ferry;
using namespace ferry::test;

namespace reproduciblereductiontest {

/// A matrix. The product of matrices is not commutative.
struct Matrix {
    std::array<double, 4> entries{};
};

Matrix product(const Matrix& left, const Matrix& right) {
    const auto& [a, b, c, d] = left.entries;
    const auto& [e, f, g, h] = right.entries;
    return {{a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h}};
}

/// Combines two texts with brackets, so that the result shows the tree of combinations.
std::string bracketed(const std::string& left, const std::string& right) { return "(" + left + right + ")"; }

template <class T>
bool areSameBits(const T& one, const T& other) {
    return std::memcmp(&one, &other, sizeof(T)) == 0;
}

template <class T>
std::vector<T> numbers(std::mt19937& random, std::size_t count) {
    std::vector<T> values(count);
    for (T& value : values)
        value = static_cast<T>(std::ldexp(std::uniform_real_distribution<double>(-1, 1)(random), static_cast<int>(random() % 40)));
    return values;
}

/// Returns random ends of the ranks' parts. Some parts are empty.
std::vector<std::size_t> randomEnds(std::mt19937& random, std::size_t count, int rankCount) {
    std::vector<std::size_t> ends(static_cast<std::size_t>(rankCount) - 1);
    for (std::size_t& end : ends) end = random() % 3 == 0 ? random() % std::min<std::size_t>(count + 1, 4) : random() % (count + 1);
    std::sort(ends.begin(), ends.end());
    ends.insert(ends.begin(), 0);
    ends.push_back(count);
    return ends;
}

/// All ranks draw the same elements and the same distribution. They compare the result with the result of one rank alone.
void checkRandomDistribution(Connector& c, unsigned seed) {
    std::mt19937 random(seed);
    const std::size_t count = 1 + random() % 300;
    const auto doubles = numbers<double>(random, count);
    const auto floats = numbers<float>(random, count);
    std::vector<Matrix> matrices(count);
    for (Matrix& matrix : matrices) {
        for (double& entry : matrix.entries) entry = std::uniform_real_distribution<double>(-1, 1)(random);
    }
    std::vector<std::size_t> ends = randomEnds(random, count, c.size());
    const auto own = [&](const auto& all) {
        const auto place = static_cast<std::size_t>(c.rank());
        return std::decay_t<decltype(all)>(all.begin() + static_cast<long>(ends[place]), all.begin() + static_cast<long>(ends[place + 1]));
    };
    CHECK(areSameBits(c.reproducibleAllReduce(own(doubles), Sum{}), reproducibleReduceHere(doubles, Sum{})));
    CHECK(areSameBits(c.reproducibleAllReduce(own(floats), Sum{}), reproducibleReduceHere(floats, Sum{})));
    const int root = static_cast<int>(random() % static_cast<unsigned>(c.size()));
    const Matrix total = c.reproducibleReduce(own(matrices), product, root);
    CHECK(areSameBits(total, c.rank() == root ? reproducibleReduceHere(matrices, product) : Matrix()));
    std::vector<std::string> letters;
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 40); ++i) letters.emplace_back(1, static_cast<char>('a' + i % 26));
    for (std::size_t& end : ends) end = std::min(end, letters.size());
    CHECK(c.reproducibleAllReduce(own(letters), bracketed) == reproducibleReduceHere(letters, bracketed));
}

/// Runs the function on rankCount threads as ranks, independently of the ranks of this program.
void onThreads(int rankCount, const std::function<void(Connector&)>& function) {
    std::vector<std::thread> threads;
    for (auto& transport : detail::threadTransports(rankCount)) {
        threads.emplace_back([&function, own = std::move(transport)]() mutable {
            Connector connector(std::move(own), ObjectFactory::global(), RegistryComparison::Skip);
            function(connector);
            connector.close();
        });
    }
    for (std::thread& thread : threads) thread.join();
}

}    // namespace reproduciblereductiontest

using namespace reproduciblereductiontest;

TEST_CASE("reproducibleReduceHere: combines neighbours in pairs, and the pairs in pairs") {
    const std::vector<std::string> letters{"a", "b", "c", "d", "e", "f", "g"};
    CHECK(reproducibleReduceHere(letters, bracketed) == "(((ab)(cd))((ef)g))");
    CHECK(reproducibleReduceHere(std::vector<std::string>{"a", "b", "c"}, bracketed) == "((ab)c)");
    CHECK(reproducibleReduceHere(std::vector<std::string>{"a"}, bracketed) == "a");
    CHECK_THROWS_AS(reproducibleReduceHere(std::vector<int>(), Sum{}), UsageError);
    CHECK(reproducibleReduceHere(std::vector<int>(1000, 3), Sum{}) == 3000);
}

TEST_CASE("reproducibleReduce: the order of combinations matters for the numbers of the next cases") {
    std::mt19937 random(1);
    const auto values = numbers<double>(random, 300);
    double inOrder = 0;
    for (const double value : values) inOrder += value;
    CHECK_FALSE(areSameBits(inOrder, reproducibleReduceHere(values, Sum{})));
}

TEST_CASE("reproducibleReduce: the same bits for random distributions, on the ranks of the test") {
    const unsigned count = isSanitized || detail::MpiEnvironment::isPresent() ? 25 : 100;
    onRanks([count](Connector& c) {
        for (unsigned seed = 0; seed < count; ++seed) checkRandomDistribution(c, seed);
    });
}

TEST_CASE("reproducibleReduce: the same bits for 1 to 64 ranks, with 1024 distributions") {
    if (detail::MpiEnvironment::isPresent()) return;
    for (int rankCount = 1; rankCount <= 64; ++rankCount) {
        const unsigned many = rankCount <= 8 ? 64 : rankCount <= 32 ? 16 : 4;
        const unsigned count = isSanitized ? 1 : many;
        onThreads(rankCount, [rankCount, count](Connector& c) {
            for (unsigned i = 0; i < count; ++i) checkRandomDistribution(c, static_cast<unsigned>(1000 * rankCount) + i);
        });
    }
}

TEST_CASE("reproducibleReduce: many elements on few ranks, and all on one") {
    onRanks([](Connector& c) {
        std::mt19937 random(7);
        const auto values = numbers<double>(random, 100'003);
        const bool hasAll = c.rank() == c.size() - 1;
        const double total = c.reproducibleAllReduce(hasAll ? values : std::vector<double>(), Sum{});
        CHECK(areSameBits(total, reproducibleReduceHere(values, Sum{})));
    });
}

TEST_CASE("reproducibleReduce: no element on any rank is refused on every rank") {
    onRanks([](Connector& c) {
        CHECK_THROWS_AS(c.reproducibleAllReduce(std::vector<double>(), Sum{}), UsageError);
        CHECK(c.allReduce(1, Sum{}) == c.size());
    });
}

TEST_CASE("reproducibleReduce: what the operator throws arrives on every rank") {
    onRanks([](Connector& c) {
        const auto refusing = [](int left, int right) {
            if (left + right > 2) throw std::overflow_error("too much");
            return left + right;
        };
        const std::vector<int> own(3, 1);
        CHECK_THROWS_WITH_AS(c.reproducibleAllReduce(own, refusing), "too much", std::overflow_error);
        CHECK_THROWS_AS(c.reproducibleReduce(own, refusing, 5000), UsageError);
        CHECK(c.allReduce(1, Sum{}) == c.size());
    });
}

TEST_CASE("SubtreeRow: says when it is not made of the elements that it should be") {
    Sum sum;
    const std::vector<int> values(5, 1);
    detail::SubtreeRow<int> row(3, values, sum);    // element 3 alone, then elements 4 to 7
    row.requireRange(3, 8);
    CHECK_THROWS_AS(row.requireRange(3, 9), SerializationError);
    CHECK_THROWS_AS(row.requireRange(3, 7), SerializationError);
    CHECK_THROWS_AS(row.requireRange(4, 8), SerializationError);
    CHECK_THROWS_AS(detail::SubtreeRow<int>().requireRange(0, 1), SerializationError);
}
