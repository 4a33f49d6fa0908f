#include <ferry/connector/communicatorOf.hpp>

#include <doctest/doctest.h>
#include <mpi.h>

#include <ferry/connector/simulate.hpp>
#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

TEST_CASE("communicatorOf: the communicator of the processes, and an error for threads and groups") {
    onRanks([](Connector& c) {
        if (detail::MpiEnvironment::isPresent()) {
            int rank = -1;
            int size = 0;
            MPI_Comm_rank(communicatorOf(c), &rank);
            MPI_Comm_size(communicatorOf(c), &size);
            CHECK(rank == c.rank());
            CHECK(size == c.size());
            int sum = 0;
            MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, communicatorOf(c));
            CHECK(sum == size * (size - 1) / 2);
        } else {
            CHECK_THROWS_WITH_AS(communicatorOf(c), doctest::Contains("threads"), UsageError);
        }
        CHECK_THROWS_WITH_AS(communicatorOf(*c.duplicate()), doctest::Contains("group"), UsageError);
    });
}

TEST_CASE("communicatorOf: simulated ranks have none") {
    const auto result = simulate(2, 1, [](Connector& c) { CHECK_THROWS_AS(communicatorOf(c), UsageError); });
    CHECK(result.haveAllReturned());
}
