#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/support/Ranks.hpp>
#include <ferry/tests/support/ThrownBy.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

/// A class whose combination is associative but not commutative.
struct Path {
    std::string names;
    long length = 0;
    FERRY_FIELDS(names, length)
};

Path joined(const Path& left, const Path& right) { return {left.names + right.names, left.length + right.length}; }

std::string letters(int from, int to) {
    std::string text;
    for (int rank = from; rank <= to; ++rank) text += static_cast<char>('a' + rank);
    return text;
}

std::string letterOf(const Connector& c) { return letters(c.rank(), c.rank()); }

std::vector<int> ranksOf(const Connector& c) {
    std::vector<int> ranks;
    for (int rank = 0; rank < c.size(); ++rank) ranks.push_back(rank);
    return ranks;
}

}    // namespace

TEST_CASE("reduce: numbers, by every operator, on any root") {
    onRanks([](Connector& c) {
        int factorial = 1;
        for (int rank = 0; rank < c.size(); ++rank) factorial *= rank + 1;
        for (int root = 0; root < c.size(); ++root) {
            const auto here = [&](int value) { return c.rank() == root ? value : 0; };
            CHECK(c.reduce(c.rank(), Sum{}, root) == here(c.size() * (c.size() - 1) / 2));
            CHECK(c.reduce(c.rank() + 1, Product{}, root) == here(factorial));
            CHECK(c.reduce(c.rank() + 1, Min{}, root) == here(1));
            CHECK(c.reduce(c.rank() + 1, Max{}, root) == here(c.size()));
        }
        CHECK(c.allReduce(true, And{}));
        CHECK(c.allReduce(c.rank() == 0, And{}) == (c.size() == 1));
        CHECK(c.allReduce(c.rank() == c.size() - 1, Or{}));
        CHECK_FALSE(c.allReduce(false, Or{}));
        CHECK(c.allReduce(0.5, [](double left, double right) { return left + right; }) == 0.5 * c.size());
    });
}

TEST_CASE("reduce: values are combined in the order of ranks, so that operators need not commute") {
    onRanks([](Connector& c) {
        const std::string all = letters(0, c.size() - 1);
        for (int root = 0; root < c.size(); ++root) CHECK(c.reduce(letterOf(c), Sum{}, root) == (c.rank() == root ? all : ""));
        CHECK(c.allReduce(letterOf(c), Sum{}) == all);
        CHECK(c.scan(letterOf(c), Sum{}) == letters(0, c.rank()));
        const Path path = c.allReduce(Path{letterOf(c), 2}, joined);
        CHECK(path.names == all);
        CHECK(path.length == 2 * c.size());
    });
}

TEST_CASE("reduce: vectors are combined element by element, unless the operator takes whole ones") {
    onRanks([](Connector& c) {
        const std::vector<int> values{c.rank(), 1, -c.rank()};
        const int sum = c.size() * (c.size() - 1) / 2;
        CHECK(c.allReduce(values, Sum{}) == std::vector<int>{sum, c.size(), -sum});
        CHECK(c.allReduce(values, Max{}) == std::vector<int>{c.size() - 1, 1, 0});
        CHECK(c.scan(values, Sum{})[1] == c.rank() + 1);
        CHECK(c.allReduce(std::vector<bool>{true, c.rank() == 0}, And{}) == std::vector<bool>{true, c.size() == 1});
        CHECK(c.allReduce(std::vector<int>(), Sum{}).empty());
        CHECK(c.allReduce(std::vector<Path>{{letterOf(c), 1}}, joined).front().names == letters(0, c.size() - 1));
        const auto longer = [](const std::vector<int>& left, const std::vector<int>& right) {
            return left.size() < right.size() ? right : left;
        };
        CHECK(c.allReduce(std::vector<int>(static_cast<std::size_t>(c.rank())), longer).size() == static_cast<std::size_t>(c.size() - 1));
    });
}

TEST_CASE("reduce: each element of a long vector arrives, of lengths that the ranks cannot share evenly") {
    onRanks([](Connector& c) {
        for (const std::size_t count : {std::size_t{1009}, std::size_t{400'009}}) {
            std::vector<double> own(count);
            for (std::size_t i = 0; i < count; ++i) own[i] = c.rank() + static_cast<double>(i % 1000);
            const int rankSum = c.size() * (c.size() - 1) / 2;
            const auto isSum = [&](const std::vector<double>& sum) {
                for (std::size_t i = 0; i < count; ++i) {
                    if (sum.size() != count || sum[i] != rankSum + c.size() * static_cast<double>(i % 1000)) return false;
                }
                return true;
            };
            CHECK(isSum(c.allReduce(own, Sum{})));
            const int last = c.size() - 1;
            const std::vector<double> atLast = c.reduce(own, Sum{}, last);
            CHECK((c.rank() == last ? isSum(atLast) : atLast.empty()));
        }
    });
}

TEST_CASE("reduce: vectors of different lengths are an error on the ranks that need the result, and the connector goes on") {
    onRanks(
        [](Connector& c) {
            const std::vector<int> values(c.rank() == 1 ? 4 : 5);
            for (int root = 0; root < c.size(); ++root) {
                const std::exception_ptr thrown = thrownBy([&] { c.reduce(values, Sum{}, root); });
                if (c.rank() == root) CHECK_THROWS_AS(std::rethrow_exception(thrown), CollectiveMismatch);
            }
            try {
                c.allReduce(values, Sum{});
                FAIL_CHECK("no exception");
            } catch (const CollectiveMismatch& mismatch) {
                CHECK(mismatch.here().rank == 0);
                CHECK(mismatch.there().rank == 1);
                CHECK(mismatch.what() ==
                      std::string("ranks do not agree on a collective: rank 0 calls a reduction of 5 elements, rank 1 calls one of 4"));
            }
            c.barrier();
        },
        2);
}

TEST_CASE("reduce: what an operator throws arrives on every rank that needs the result, also outside of a guarded region") {
    onRanks(
        [](Connector& c) {
            const auto combineTwo = [](int, int) -> int { throw std::overflow_error("over"); };
            CHECK_THROWS_AS(c.allReduce(1, combineTwo), std::overflow_error);
            const std::exception_ptr thrown = thrownBy([&] { c.scan(1, combineTwo); });
            CHECK((thrown != nullptr) == (c.rank() > 0));
            c.barrier();
        },
        2);
}

TEST_CASE("allGather: the values of all ranks, and the elements of vectors of any length") {
    onRanks([](Connector& c) {
        CHECK(c.allGather(c.rank()) == ranksOf(c));
        CHECK(c.allGather(std::string(letterOf(c))).back() == letters(c.size() - 1, c.size() - 1));
        std::vector<int> expected;
        for (int rank = 0; rank < c.size(); ++rank) expected.insert(expected.end(), static_cast<std::size_t>(rank), rank);
        CHECK(c.allGather(std::vector<int>(static_cast<std::size_t>(c.rank()), c.rank())) == expected);
        CHECK(c.allGather(Path{letterOf(c), c.rank()}).back().length == c.size() - 1);
    });
}

TEST_CASE("scatter: each rank gets its element, which may be a vector") {
    onRanks([](Connector& c) {
        for (int root = 0; root < c.size(); ++root) {
            std::vector<int> values;
            std::vector<std::vector<double>> vectors;
            for (int rank = 0; rank < c.size() && c.rank() == root; ++rank) {
                values.push_back(10 * root + rank);
                vectors.emplace_back(static_cast<std::size_t>(rank), 0.5);
            }
            CHECK(c.scatter(values, root) == 10 * root + c.rank());
            CHECK(c.scatter(vectors, root) == std::vector<double>(static_cast<std::size_t>(c.rank()), 0.5));
        }
    });
}

TEST_CASE("allToAll: each rank gets the value that each rank has for it") {
    onRanks([](Connector& c) {
        std::vector<int> values;
        std::vector<std::vector<int>> vectors;
        for (int to = 0; to < c.size(); ++to) {
            values.push_back(100 * c.rank() + to);
            vectors.emplace_back(static_cast<std::size_t>(c.rank()), to);
        }
        const std::vector<int> received = c.allToAll(values);
        const std::vector<std::vector<int>> receivedVectors = c.allToAll(vectors);
        REQUIRE(received.size() == static_cast<std::size_t>(c.size()));
        for (int from = 0; from < c.size(); ++from) {
            CHECK(received[static_cast<std::size_t>(from)] == 100 * from + c.rank());
            CHECK(receivedVectors[static_cast<std::size_t>(from)] == std::vector<int>(static_cast<std::size_t>(from), c.rank()));
        }
    });
}

TEST_CASE("scatter, allToAll: without a value for each rank they are an error on every rank") {
    onRanks([](Connector& c) {
        const std::vector<int> tooMany(static_cast<std::size_t>(c.size() + 1));
        CHECK_THROWS_AS(c.scatter(tooMany, 0), UsageError);
        CHECK_THROWS_AS(c.allToAll(c.rank() == 0 ? std::vector<int>() : std::vector<int>(static_cast<std::size_t>(c.size()))), UsageError);
        c.barrier();
    });
}

TEST_CASE("Collectives: ranks that call different ones in the same place are told, with both ranks and both calls") {
    onRanks(
        [](Connector& c) {
            for (int way = 0; way < 3; ++way) {
                try {
                    c.guarded([&] {
                        c.barrier();
                        if (c.rank() == 1) {
                            if (way == 0) c.allReduce(1, Sum{});
                            if (way == 1) c.broadcast(1, 1);
                            if (way == 2) c.barrier();
                        } else {
                            c.broadcast(1, 0);
                        }
                        c.barrier();    // roots return from a broadcast without waiting
                    });
                    FAIL_CHECK("no exception");
                } catch (const ExceptionList& failures) {
                    const auto* mismatch = failures.front().as<CollectiveMismatch>();
                    REQUIRE(mismatch != nullptr);
                    const std::string other = way == 0 ? "allReduce" : way == 1 ? "broadcast from rank 1" : "barrier";
                    const bool isOther = mismatch->here().rank == 1;
                    const detail::CollectiveCall& one = isOther ? mismatch->here() : mismatch->there();
                    const detail::CollectiveCall& another = isOther ? mismatch->there() : mismatch->here();
                    CHECK(one.rank == 1);
                    CHECK(one.call == other);
                    CHECK(another.rank != 1);
                    CHECK(another.call == "broadcast from rank 0");
                }
                CHECK(c.allReduce(1, Sum{}) == c.size());
            }
        },
        2);
}
