// Each call that can wait, while rank 0 throws.
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/tests/guard/World.hpp>

using namespace ferry::test;

namespace {

constexpr int largeCount = 300'000;

/// Starts a receive from rank 0, which sends nothing.
MPI_Request expected(int& value) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
    return request;
}

}    // namespace

TEST_CASE("guarded: whoever waits in a receive is woken") {
    int value = 0;
    checkFreed([&] { MPI_Recv(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); });
    checkFreed([&] { MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); });
}

TEST_CASE("guarded: whoever is woken knows what was thrown") {
    std::string seen;
    checkFreed([&] {
        try {
            MPI_Barrier(MPI_COMM_WORLD);
        } catch (const ferry::RegionFailed& failed) {
            seen = failed.what();
            throw;
        }
    });
    if (worldRank() != 0)
        CHECK(seen == "rank 0 has failed in the guarded region that this rank is in: std::domain_error: matrix is singular");
}

TEST_CASE("guarded: whoever waits in a send is woken, and its message is dropped") {
    const std::vector<double> values(largeCount, 1.0);
    checkFreed([&] { MPI_Send(values.data(), largeCount, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD); });
    checkFreed([&] { MPI_Ssend(values.data(), 1, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD); });
    checkFreed([&] {
        for (int i = 0; i < 100; ++i) MPI_Send(values.data(), 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD);    // these sends do not wait
        MPI_Barrier(MPI_COMM_WORLD);
    });
}

TEST_CASE("guarded: whoever waits in a combined send and receive is woken") {
    std::vector<double> values(largeCount, 1.0);
    std::vector<double> others(largeCount);
    checkFreed([&] {
        MPI_Sendrecv(values.data(), largeCount, MPI_DOUBLE, 0, 4, others.data(), largeCount, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    });
    checkFreed([&] { MPI_Sendrecv_replace(values.data(), largeCount, MPI_DOUBLE, 0, 4, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); });
}

TEST_CASE("guarded: whoever waits in a probe is woken") {
    MPI_Status status;
    checkFreed([&] { MPI_Probe(0, 4, MPI_COMM_WORLD, &status); });
    checkFreed([&] {
        for (int hasCome = 0; hasCome == 0;) MPI_Iprobe(0, 4, MPI_COMM_WORLD, &hasCome, &status);
    });
}

TEST_CASE("guarded: whoever waits for requests is woken, and the handles are empty") {
    int value = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    checkFreed([&] {
        request = expected(value);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    });
    CHECK(request == MPI_REQUEST_NULL);
    std::array<int, 2> values{};
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int number = 0;
    std::array<int, 2> indices{};
    const auto start = [&] { requests = {expected(values[0]), expected(values[1])}; };
    checkFreed([&] { start(), MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE); });
    checkFreed([&] { start(), MPI_Waitany(2, requests.data(), &number, MPI_STATUS_IGNORE); });
    checkFreed([&] { start(), MPI_Waitsome(2, requests.data(), &number, indices.data(), MPI_STATUSES_IGNORE); });
    CHECK(requests[0] == MPI_REQUEST_NULL);
    CHECK(requests[1] == MPI_REQUEST_NULL);
}

TEST_CASE("guarded: whoever tests requests again and again is woken") {
    std::array<int, 2> values{};
    std::array<MPI_Request, 2> requests{};
    std::array<int, 2> indices{};
    int number = 0;
    const auto start = [&] { requests = {expected(values[0]), expected(values[1])}; };
    checkFreed([&] {
        start();
        for (int isDone = 0; isDone == 0;) MPI_Test(requests.data(), &isDone, MPI_STATUS_IGNORE);
    });
    checkFreed([&] {
        start();
        for (int isDone = 0; isDone == 0;) MPI_Testall(2, requests.data(), &isDone, MPI_STATUSES_IGNORE);
    });
    checkFreed([&] {
        start();
        for (int isDone = 0; isDone == 0;) MPI_Testany(2, requests.data(), &number, &isDone, MPI_STATUS_IGNORE);
    });
    checkFreed([&] {
        start();
        for (number = 0; number == 0;) MPI_Testsome(2, requests.data(), &number, indices.data(), MPI_STATUSES_IGNORE);
    });
    checkFreed([&] {
        start();
        for (int isDone = 0; isDone == 0;) MPI_Request_get_status(requests[0], &isDone, MPI_STATUS_IGNORE);
    });
}

TEST_CASE("guarded: whoever waits in a collective is woken") {
    const auto count = static_cast<std::size_t>(worldSize());
    std::vector<int> values(count, 1);
    std::vector<int> others(count);
    const MPI_Comm world = MPI_COMM_WORLD;
    checkFreed([&] { MPI_Barrier(world); });
    checkFreed([&] { MPI_Bcast(values.data(), 1, MPI_INT, 0, world); });
    checkFreed([&] { MPI_Allreduce(values.data(), others.data(), 1, MPI_INT, MPI_SUM, world); });
    checkFreed([&] { MPI_Gather(values.data(), 1, MPI_INT, others.data(), 1, MPI_INT, 0, world); });
    checkFreed([&] { MPI_Alltoall(values.data(), 1, MPI_INT, others.data(), 1, MPI_INT, world); });
    checkFreed([&] { MPI_Exscan(values.data(), others.data(), 1, MPI_INT, MPI_SUM, world); });
    checkFreed([&] {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Ibarrier(world, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    });
    checkFreed([&] {
        MPI_Request request = MPI_REQUEST_NULL;
        for (int i = 0; i < 3; ++i) MPI_Ibarrier(world, &request);    // only the last request is waited for
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    });
}

TEST_CASE("guarded: whoever waits where a communicator is made is woken, and has none") {
    MPI_Comm made = MPI_COMM_WORLD;
    checkFreed([&] { MPI_Comm_dup(MPI_COMM_WORLD, &made); });
    if (worldRank() != 0) CHECK(made == MPI_COMM_NULL);
    checkFreed([&] { MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &made); });
    const int size = worldSize();
    const int isPeriodic = 1;
    checkFreed([&] { MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &isPeriodic, 0, &made); });
}
