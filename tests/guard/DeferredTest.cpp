// Non-blocking collectives in regions: their results, and their end when a rank fails.
#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

#include <ferry/tests/guard/World.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

int sumOfRanks() { return worldSize() * (worldSize() - 1) / 2; }

}    // namespace

TEST_CASE("guarded: non-blocking collectives give what the blocking ones give") {
    const auto size = static_cast<std::size_t>(worldSize());
    const int rank = worldRank();
    std::vector<int> ranks(size);
    std::vector<int> gathered(size);
    std::vector<int> counts(size, 1);
    std::vector<int> places(size);
    std::iota(ranks.begin(), ranks.end(), 0);
    std::iota(places.begin(), places.end(), 0);
    int fromLast = rank;
    int sum = 0;
    int before = -1;
    std::array<MPI_Request, 5> requests{};
    const ExceptionList failures = failuresOf([&] {
        MPI_Ibcast(&fromLast, 1, MPI_INT, worldSize() - 1, MPI_COMM_WORLD, requests.data());
        MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
        MPI_Iallgatherv(&rank, 1, MPI_INT, gathered.data(), counts.data(), places.data(), MPI_INT, MPI_COMM_WORLD, &requests[2]);
        MPI_Iexscan(&rank, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[3]);
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[4]);
        int once = 0;
        MPI_Allreduce(&rank, &once, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);    // this blocking call must not overtake the collectives under
                                                                             // way
        CHECK(once == worldSize() - 1);
        MPI_Waitall(5, requests.data(), MPI_STATUSES_IGNORE);
    });
    CHECK(failures.size() == 0);
    CHECK(fromLast == worldSize() - 1);
    CHECK(sum == sumOfRanks());
    CHECK(gathered == ranks);
    if (rank > 0) CHECK(before == rank * (rank - 1) / 2);
    for (const MPI_Request request : requests) CHECK(request == MPI_REQUEST_NULL);
}

TEST_CASE("guarded: a non-blocking collective that nobody waits for is over at the end of the region") {
    const int rank = worldRank();
    int sum = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    const ExceptionList failures = failuresOf([&] { MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request); });
    CHECK(failures.size() == 0);
    CHECK(sum == sumOfRanks());
    int isDone = 0;
    MPI_Test(&request, &isDone, MPI_STATUS_IGNORE);
    CHECK(isDone == 1);
    CHECK(request == MPI_REQUEST_NULL);
}

TEST_CASE("guarded: what a non-blocking collective needs may be freed when it has been called") {
    std::vector<int> values(20, worldRank());
    const ExceptionList failures = failuresOf([&] {
        MPI_Datatype pair = MPI_DATATYPE_NULL;
        MPI_Op keepFirst = MPI_OP_NULL;
        MPI_Type_contiguous(2, MPI_INT, &pair);
        MPI_Type_commit(&pair);
        MPI_Op_create(
            [](void* in, void* inOut, int* count, MPI_Datatype*) {
                for (int i = 0; i < *count; ++i) static_cast<int*>(inOut)[i] = static_cast<int*>(in)[i] + static_cast<int*>(inOut)[i];
            },
            1, &keepFirst);
        std::array<MPI_Request, 2> requests{};
        MPI_Ibcast(values.data(), 5, pair, 0, MPI_COMM_WORLD, requests.data());
        MPI_Iallreduce(MPI_IN_PLACE, &values[10], 10, MPI_INT, keepFirst, MPI_COMM_WORLD, &requests[1]);
        MPI_Type_free(&pair);
        MPI_Op_free(&keepFirst);
        CHECK(pair == MPI_DATATYPE_NULL);
        CHECK(keepFirst == MPI_OP_NULL);
        MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    });
    CHECK(failures.size() == 0);
    std::vector<int> expected(20, 0);
    for (std::size_t i = 10; i < 20; ++i) expected[i] = sumOfRanks();
    CHECK(values == expected);
}

TEST_CASE("guarded: whoever waits for a non-blocking collective is woken") {
    const std::vector<double> values(100'000, 1.0);
    std::vector<double> sums(values.size());
    MPI_Request request = MPI_REQUEST_NULL;
    const auto start = [&] {
        MPI_Iallreduce(values.data(), sums.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    };
    checkFreed([&] { start(), MPI_Wait(&request, MPI_STATUS_IGNORE); });
    CHECK(request == MPI_REQUEST_NULL);
    checkFreed([&] {
        start();
        for (int isDone = 0; isDone == 0;) MPI_Test(&request, &isDone, MPI_STATUS_IGNORE);
    });
    checkFreed(start);
}

TEST_CASE("guarded: a rank that fails with a non-blocking collective under way has its buffers until it is over") {
    for (const bool isCalledByAll : {true, false}) {
        std::vector<double> sums(100'000);
        const ExceptionList failures = failuresOf([&] {
            const std::vector<double> values(sums.size(), 1.0);
            std::vector<double> own(sums.size());
            double* const result = worldRank() == 0 ? own.data() : sums.data();
            MPI_Request request = MPI_REQUEST_NULL;
            if (!isCalledByAll && worldRank() == worldSize() - 1) throw std::domain_error("matrix is singular");
            MPI_Iallreduce(values.data(), result, static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
            if (worldRank() == 0) throw std::domain_error("matrix is singular");
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            MPI_Barrier(MPI_COMM_WORLD);
        });
        REQUIRE(failures.size() >= 1);
        CHECK(failures.front().as<std::domain_error>() != nullptr);
        if (isCalledByAll && worldRank() != 0) CHECK(sums == std::vector<double>(sums.size(), worldSize()));
        if (!isCalledByAll && worldSize() > 1) CHECK(sums == std::vector<double>(sums.size(), 0.0));
        checkUsable();
    }
}
