#include <cstddef>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/tests/connector/collective/MpiCallCounts.hpp>
#include <ferry/tests/support/AllocationWatch.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

/// Counts the MPI calls of the second of two calls. The first call may allocate memory that the second one uses again.
template <class Call>
MpiCallCounts callsOf(Connector& c, std::size_t& allocatedBytes, const Call& call) {
    call();
    c.barrier();
    mpiCallCounts() = MpiCallCounts();
    const AllocationWatch watch;
    call();
    allocatedBytes = watch.largestBytes();
    return mpiCallCounts();
}

}    // namespace

TEST_CASE("Plain collectives with known counts: one call of MPI, or none for what goes over the board, and no memory") {
    onRanks(
        [](Connector& c) {
            const auto p = static_cast<std::size_t>(c.size());
            for (const std::size_t size : {std::size_t{10}, std::size_t{100000}}) {
                const int expected = size > 10 && detail::MpiEnvironment::isPresent() ? 1 : 0;
                const std::vector<double> mine(size, 1);
                const std::vector<int> counts(p, static_cast<int>(size));
                std::vector<double> row(size * p, 1);
                std::vector<double> all(size * p);
                std::vector<double> same(size, 1);
                std::size_t bytes = 1;

                MpiCallCounts calls = callsOf(c, bytes, [&] { c.allGather(mine, {.counts = counts, .into = all}); });
                CHECK(calls.allGathers == expected);
                CHECK(calls.all() == expected);
                CHECK(bytes == 0);
                calls = callsOf(c, bytes, [&] { c.allToAll(row, {.counts = counts, .countsFrom = counts, .into = all}); });
                CHECK(calls.allToAlls == expected);
                CHECK(calls.all() == expected);
                CHECK(bytes == 0);
                calls = callsOf(c, bytes, [&] { c.broadcast(std::span(same), 0); });
                CHECK(calls.broadcasts == expected);
                CHECK(calls.all() == expected);
                CHECK(bytes == 0);
                calls = callsOf(c, bytes, [&] { c.allReduce(mine, Sum{}, {.into = same}); });
                CHECK(calls.reductions == expected);
                CHECK(calls.all() == expected);
                CHECK(bytes == 0);
                calls = callsOf(c, bytes, [&] { c.reduce(mine, Sum{}, {.root = c.size() - 1, .into = same}); });
                CHECK(calls.reductions == expected);
                CHECK(calls.all() == expected);
                CHECK(bytes == 0);
                // Unknown counts need no additional MPI call: the ranks exchange them through shared memory.
                calls = callsOf(c, bytes, [&] { c.allGather(mine, {.into = all}); });
                CHECK(calls.all() == expected);
                CHECK(bytes == 0);
                calls = callsOf(c, bytes, [&] { static_cast<void>(c.allGather(mine)); });
                CHECK(calls.all() == expected);
            }
        },
        2);
}
