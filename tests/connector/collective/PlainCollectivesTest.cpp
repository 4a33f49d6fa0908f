#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/PlainInto.hpp>
#include <ferry/connector/collective/course/Operation.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/connector/GuardedRegion.hpp>
#include <ferry/tests/support/Everywhere.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace plaintest {

struct Particle {
    double x = 0;
    int kind = 0;    // padding follows this member
    bool operator==(const Particle&) const = default;
};

/// Sizes below and above the limit for shared memory.
constexpr std::array<std::size_t, 4> sizes = {0, 1, 1000, 70001};

std::vector<int> numbersOf(int rank, std::size_t count) {
    std::vector<int> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 1000 * rank);
    return numbers;
}

std::vector<int> numbersOfAll(const Connector& c, std::size_t count) {
    std::vector<int> all;
    for (int rank = 0; rank < c.size(); ++rank) {
        const std::vector<int> part = numbersOf(rank, count + static_cast<std::size_t>(rank));
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

std::vector<int> countsOfAll(const Connector& c, std::size_t count) {
    std::vector<int> counts(static_cast<std::size_t>(c.size()));
    std::iota(counts.begin(), counts.end(), static_cast<int>(count));
    return counts;
}

template <class T>
std::vector<T> copyOf(std::span<T> elements) {
    return std::vector<T>(elements.begin(), elements.end());
}

}    // namespace plaintest

using namespace plaintest;

TEST_CASE("Plain collectives: every size arrives, by value and into memory of the caller") {
    onRanks([](Connector& c) {
        for (const std::size_t size : sizes) {
            CAPTURE(size);
            const std::vector<int> mine = numbersOf(c.rank(), size + static_cast<std::size_t>(c.rank()));
            const std::vector<int> all = numbersOfAll(c, size);
            const std::vector<int> counts = countsOfAll(c, size);
            std::vector<int> buffer(all.size() + 1);
            for (int root = 0; root < c.size(); ++root) {
                CHECK(c.broadcast(c.rank() == root ? mine : std::vector<int>(3), root) ==
                      numbersOf(root, size + static_cast<std::size_t>(root)));
                CHECK(c.gather(mine, root) == (c.rank() == root ? all : std::vector<int>()));
                const auto gathered = c.gather(mine, {.root = root, .counts = counts, .into = buffer});
                CHECK(copyOf(gathered) == (c.rank() == root ? all : std::vector<int>()));
                const auto part = c.scatter(c.rank() == root ? all : std::vector<int>(), {.root = root, .counts = counts, .into = buffer});
                CHECK(copyOf(part) == mine);
                std::vector<int> same = numbersOf(c.rank(), size);
                c.broadcast(std::span(same), root);
                CHECK(same == numbersOf(root, size));
            }
            CHECK(c.allGather(mine) == all);
            CHECK(copyOf(c.allGather(mine, {.counts = counts, .into = buffer})) == all);
            CHECK(copyOf(c.allGather(std::span<const int>(mine), {.into = buffer})) == all);
        }
    });
}

TEST_CASE("Plain collectives: one rank between equal ones has another number of elements, small and large") {
    onRanks(
        [](Connector& c) {
            const auto count = [](int rank, std::size_t size) { return size + (rank == 1 ? 5 : 0); };
            for (const std::size_t size : sizes) {
                CAPTURE(size);
                std::vector<int> all;
                std::vector<int> counts;
                for (int rank = 0; rank < c.size(); ++rank) {
                    const std::vector<int> part = numbersOf(rank, count(rank, size));
                    all.insert(all.end(), part.begin(), part.end());
                    counts.push_back(static_cast<int>(part.size()));
                }
                const std::vector<int> mine = numbersOf(c.rank(), count(c.rank(), size));
                std::vector<int> buffer(all.size());
                CHECK(c.allGather(mine) == all);
                CHECK(copyOf(c.allGather(mine, {.counts = counts, .into = buffer})) == all);
                CHECK(c.gather(mine, 0) == (c.rank() == 0 ? all : std::vector<int>()));
            }
        },
        3);
}

TEST_CASE("Plain collectives: allToAll of differing numbers of elements, small and large") {
    onRanks([](Connector& c) {
        for (const std::size_t size : sizes) {
            CAPTURE(size);
            std::vector<int> elements;    // the number of elements for each rank depends on the rank and the size
            for (int to = 0; to < c.size(); ++to) elements.insert(elements.end(), size + static_cast<std::size_t>(to), 10 * c.rank() + to);
            const std::vector<int> counts = countsOfAll(c, size);
            const std::vector<int> countsFrom(static_cast<std::size_t>(c.size()), static_cast<int>(size) + c.rank());
            std::vector<int> expected;
            for (int from = 0; from < c.size(); ++from)
                expected.insert(expected.end(), size + static_cast<std::size_t>(c.rank()), 10 * from + c.rank());
            std::vector<int> buffer(expected.size());
            CHECK(copyOf(c.allToAll(elements, {.counts = counts, .countsFrom = countsFrom, .into = buffer})) == expected);
            CHECK(copyOf(c.allToAll(elements, {.counts = counts, .into = buffer})) == expected);
            std::vector<std::vector<int>> rows;
            for (int to = 0; to < c.size(); ++to) rows.push_back(numbersOf(c.rank() + to, size));
            const std::vector<std::vector<int>> columns = c.allToAll(rows);
            for (int from = 0; from < c.size(); ++from) CHECK(columns[static_cast<std::size_t>(from)] == numbersOf(c.rank() + from, size));
        }
    });
}

TEST_CASE("Plain collectives: allToAll of sizes around those of the places in shared memory, beside a large part of one rank for itself") {
    onRanks([](Connector& c) {
        std::vector<std::size_t> aroundPlaces(40);
        std::iota(aroundPlaces.begin(), aroundPlaces.end(), std::size_t{0});
        for (const std::size_t size : {2728u, 2733u, 2734u, 2735u, 4101u, 4102u, 4103u, 8190u, 8205u, 8206u, 8207u, 8300u})
            aroundPlaces.push_back(size);
        for (const std::size_t size : aroundPlaces) {
            CAPTURE(size);
            for (const std::size_t ofSelf : {std::size_t{0}, size, std::size_t{8208}, std::size_t{8209}, std::size_t{20'000}}) {
                CAPTURE(ofSelf);
                std::vector<int> elements;
                std::vector<int> counts;
                std::vector<int> expected;
                for (int rank = 0; rank < c.size(); ++rank) {
                    const bool isSelf = rank == c.rank();
                    const std::size_t count = !isSelf ? size : rank == 0 ? ofSelf : 1;    // rank 0 alone has a large part
                    counts.push_back(static_cast<int>(count));
                    elements.insert(elements.end(), count, 10 * c.rank() + rank);
                    expected.insert(expected.end(), count, 10 * rank + c.rank());
                }
                std::vector<int> all;
                c.allToAll(elements, {.counts = counts, .into = resized(all)});
                CHECK(all == expected);
            }
        }
    });
}

TEST_CASE("Plain collectives: allToAll into the memory of its own elements") {
    onRanksAndSimulated([](Connector& c) {
        for (const std::size_t size : sizes) {
            CAPTURE(size);
            std::vector<int> elements;
            std::vector<int> expected;
            for (int rank = 0; rank < c.size(); ++rank) {
                elements.insert(elements.end(), size, 10 * c.rank() + rank);
                expected.insert(expected.end(), size, 10 * rank + c.rank());
            }
            const std::vector<int> counts(static_cast<std::size_t>(c.size()), static_cast<int>(size));
            c.allToAll(elements, {.counts = counts, .into = elements});
            CHECK(elements == expected);
            // Each rank gets more than it sends, or less: the vector is resized during the call.
            std::vector<int> growing;
            expected.clear();
            const auto countOf = [size](int from) { return size * static_cast<std::size_t>(from + 1); };
            for (int rank = 0; rank < c.size(); ++rank) {
                growing.insert(growing.end(), countOf(c.rank()), 10 * c.rank() + rank);
                expected.insert(expected.end(), countOf(rank), 10 * rank + c.rank());
            }
            const std::vector<int> ownCounts(static_cast<std::size_t>(c.size()), static_cast<int>(countOf(c.rank())));
            c.allToAll(growing, {.counts = ownCounts, .into = resized(growing)});
            CHECK(growing == expected);
        }
    });
}

TEST_CASE("Plain collectives: ranks that are many collectives ahead, with little and much data in turns") {
    onRanks([](Connector& c) {
        for (int round = 0; round < 600; ++round) {
            const int root = round / 150 % c.size();
            const std::size_t count = round % 7 == 3 ? 5000 : round % 11 == 0 ? 20'000 : static_cast<std::size_t>(round % 50);
            std::vector<int> values(count, c.rank() == root ? round : -1);
            c.broadcast(std::span<int>(values), root);
            CHECK(std::count(values.begin(), values.end(), round) == static_cast<std::ptrdiff_t>(count));
            const std::vector<int> mine(count % 100, c.rank());
            const std::vector<int> all = c.gather(std::span<const int>(mine), root);
            CHECK(all.size() == (c.rank() == root ? mine.size() * static_cast<std::size_t>(c.size()) : 0));
        }
        c.barrier();
    });
}

TEST_CASE("Plain collectives: reductions of every size, by operators that MPI knows and by others") {
    onRanks([](Connector& c) {
        const int p = c.size();
        for (const std::size_t size : sizes) {
            CAPTURE(size);
            const std::vector<std::int64_t> mine(size, c.rank());
            const std::vector<std::int64_t> total(size, p * (p - 1) / 2);
            CHECK(c.allReduce(mine, Sum{}) == total);
            CHECK(c.allReduce(mine, std::plus<>()) == total);
            CHECK(c.allReduce(mine, Max{}) == std::vector<std::int64_t>(size, p - 1));
            CHECK(c.reduce(mine, Sum{}, p - 1) == (c.rank() == p - 1 ? total : std::vector<std::int64_t>()));
            CHECK(c.scan(mine, Sum{}) == std::vector<std::int64_t>(size, c.rank() * (c.rank() + 1) / 2));
            std::vector<std::int64_t> buffer(size);
            CHECK(copyOf(c.allReduce(mine, Sum{}, {.into = buffer})) == total);
            const auto onRoot = c.reduce(mine, Min{}, {.root = p - 1, .into = buffer});
            CHECK(copyOf(onRoot) == (c.rank() == p - 1 ? std::vector<std::int64_t>(size, 0) : std::vector<std::int64_t>()));
            buffer = mine;
            CHECK(copyOf(c.allReduce(buffer, Sum{}, {.into = buffer})) == total);    // in place
            const auto sum = [](std::int64_t left, std::int64_t right) { return left + right; };
            CHECK(c.allReduce(mine, sum) == total);
            CHECK(c.scan(mine, sum) == std::vector<std::int64_t>(size, c.rank() * (c.rank() + 1) / 2));
        }
        CHECK(c.allReduce(std::complex<double>(1, c.rank()), Sum{}) == std::complex<double>(p, p * (p - 1) / 2));
        CHECK(c.allReduce(c.rank() == 0, Or{}));
        CHECK(c.allReduce(true, And{}));
        CHECK(c.allReduce(std::vector<unsigned char>(5, 1), Sum{}) == std::vector<unsigned char>(5, static_cast<unsigned char>(p)));
    });
}

TEST_CASE("Plain collectives: structs with gaps, arrays, text and bools") {
    onRanks([](Connector& c) {
        const Particle mine{0.5 * c.rank(), c.rank()};
        const std::vector<Particle> particles = c.allGather(mine);
        for (int rank = 0; rank < c.size(); ++rank) CHECK(particles[static_cast<std::size_t>(rank)] == Particle{0.5 * rank, rank});
        CHECK(c.broadcast(std::array<Particle, 2>{mine, mine}, 0) == std::array<Particle, 2>{});
        CHECK(c.broadcast(std::string(static_cast<std::size_t>(50000 + c.rank()), 'x'), 0) == std::string(50000, 'x'));
        CHECK(c.allGather(c.rank() % 2 == 0).size() == static_cast<std::size_t>(c.size()));
        CHECK(c.gather(std::string("word"), 0).size() == (c.rank() == 0 ? static_cast<std::size_t>(c.size()) : 0));
    });
}

TEST_CASE("Plain collectives: a root that runs ahead waits for the slowest rank, and nothing is overwritten") {
    onRanks([](Connector& c) {
        for (int round = 0; round < 300; ++round) {
            CHECK(c.broadcast(c.rank() == 0 ? round : -1, 0) == round);
            if (c.rank() == c.size() - 1 && round % 50 == 0) c.poll();
        }
    });
}

TEST_CASE("Plain collectives: memory that is too small, and counts that are wrong, are errors, and the connector goes on") {
    onRanks([](Connector& c) {
        const auto rankCount = static_cast<std::size_t>(c.size());
        std::vector<int> small(rankCount - 1);
        CHECK_THROWS_AS(c.allGather(std::vector<int>{1}, {.into = small}), UsageError);
        CHECK_THROWS_AS(c.allReduce(std::vector<int>{1, 2}, Sum{}, {.into = std::span<int>()}), UsageError);
        std::vector<int> buffer(rankCount);
        const std::vector<int> tooMany(rankCount + 1, 1);
        CHECK_THROWS_AS(c.allGather(std::vector<int>{1}, {.counts = tooMany, .into = buffer}), UsageError);
        const std::vector<int> wrong(rankCount, 2);
        CHECK_THROWS_AS(c.allGather(std::vector<int>{1}, {.counts = wrong, .into = buffer}), CollectiveMismatch);
        CHECK_THROWS_AS(c.scatter(tooMany, {.root = 0, .counts = wrong, .into = buffer}), UsageError);
        std::vector<int> negative(rankCount, 1);
        negative.front() = -1;
        CHECK_THROWS_AS(c.allToAll(std::vector<int>(rankCount - 1), {.counts = negative, .into = buffer}), UsageError);
        std::vector<int> mine(static_cast<std::size_t>(3 + c.rank()));
        if (c.rank() == 0) {
            c.broadcast(std::span(mine), 0);
        } else {
            CHECK_THROWS_AS(c.broadcast(std::span(mine), 0), CollectiveMismatch);
        }
        checkUsable(c);
    });
}

TEST_CASE("Plain collectives: a count or a displacement that is no int is an error that says the number") {
    CHECK(displacementsOf(std::vector<int>{2'000'000'000, 100'000'000, 5}) == std::vector<int>{0, 2'000'000'000, 2'100'000'000});
    const auto textOf = [](const auto& call) {
        try {
            call();
        } catch (const UsageError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string place = textOf([] { return displacementsOf(std::vector<int>{2'000'000'000, 2'000'000'000, 5}); });
    CHECK(place.find("rank 2 begin at index 4000000000") != std::string::npos);
    std::vector<int> counts;
    const std::vector<std::size_t> found{7, 2'147'483'647, 2'147'483'648};
    const detail::Envelope gathering{detail::MessageKind::Collective, detail::keyOf(detail::Operation::AllGather, 0)};
    CHECK(textOf([&] { detail::tellCounts(&counts, found, gathering); }).find("2147483648 of rank 2") != std::string::npos);
    detail::tellCounts(&counts, std::span(found).first(2), gathering);
    CHECK(counts == std::vector<int>{7, 2'147'483'647});
}

TEST_CASE("Plain collectives: ranks that were in different collectives before are told") {
    onRanks(
        [](Connector& c) {
            if (!isOverBoard()) return;    // with letters, a broadcast with different roots waits for nothing
            const std::string earlier = mismatchOf(c, [&] {
                c.broadcast(1, c.rank() == 0 ? 0 : 1);    // two roots, which both return at once
                c.allReduce(1, Sum{});
            });
            CHECK(earlier.find("broadcast from rank 0") != std::string::npos);
            CHECK(earlier.find("broadcast from rank 1") != std::string::npos);
            checkUsable(c);
        },
        2);
}

TEST_CASE("Plain collectives: a rank that throws frees those that wait in large ones, and the region can be run again") {
    onRanks([](Connector& c) {
        const std::vector<double> large(100000, c.rank());
        std::vector<double> all(large.size() * static_cast<std::size_t>(c.size()));
        const std::vector<int> counts(static_cast<std::size_t>(c.size()), static_cast<int>(large.size()));
        for (int round = 0; round < 20; ++round) {
            const auto check = [&](const auto& collective) {
                checkOneFailure(c,
                                failuresOf(c,
                                           [&] {
                                               collective();
                                               throwOnLast(c);
                                               collective();
                                           }),
                                "matrix is singular");
                c.guarded(collective);
            };
            check([&] { c.allReduce(large, Sum{}); });
            check([&] { c.broadcast(large, 0); });
            check([&] { c.allGather(large, {.counts = counts, .into = all}); });
        }
    });
}

TEST_CASE("Plain collectives: at a deadline a large one is given up by all, and later ones go on") {
    onRanks(
        [](Connector& c) {
            const std::vector<double> large(100000, 1);
            if (c.rank() == 0) {
                c.receive<int>(c.size() - 1);    // arrives when all other ranks have given up
                if (isOverBoard()) {
                    CHECK_THROWS_AS(c.allReduce(large, Sum{}), TimeoutError);
                } else {    // the messages that the others sent before they gave up may be all that this rank needs
                    try {
                        const std::vector<double> sums = c.allReduce(large, Sum{});
                        CHECK(sums == std::vector<double>(large.size(), c.size()));
                    } catch (const TimeoutError&) {}    // some ranks had not sent
                }
            } else {
                CHECK_THROWS_AS(c.allReduce(large, Sum{}, Deadline::in(20ms)), TimeoutError);
                if (c.rank() > 1) c.receive<int>(c.rank() - 1);
                c.send((c.rank() + 1) % c.size(), 1);
            }
            CHECK(c.allReduce(large, Sum{}) == std::vector<double>(large.size(), c.size()));
        },
        2);
}
