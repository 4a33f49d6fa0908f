// A region that lasts for long keeps nothing of requests and communicators that are over.
#include <algorithm>
#include <cstddef>
#include <vector>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/region/Region.hpp>
#include <ferry/tests/guard/World.hpp>

using namespace ferry::test;

namespace {

constexpr int rounds = 300;
constexpr std::size_t mostKept = 150;    // requests, of which a rank may have 50 under way
constexpr int callsUntilFreed = 257;     // in which the guard frees communicators once

std::size_t communicatorCount() {
    return ferry::pmpi::Communicators::ofProcess().idsOf([](const ferry::pmpi::Communicator&) { return true; }).size();
}

int next() { return (worldRank() + 1) % worldSize(); }
int previous() { return (worldRank() + worldSize() - 1) % worldSize(); }

/// The greatest number of requests that the region knew after a round, when each round starts a send by start() and forgets the request.
template <class Start>
std::size_t mostRequests(MPI_Comm communicator, Start start) {
    std::size_t most = 0;
    for (int round = 0; round < rounds; ++round) {
        int received = 0;
        MPI_Request request = start();
        MPI_Request_free(&request);
        MPI_Recv(&received, 1, MPI_INT, previous(), 1, communicator, MPI_STATUS_IGNORE);
        if (round % 50 == 0) MPI_Barrier(MPI_COMM_WORLD);
        most = std::max(most, ferry::pmpi::activeRegion->requests().count());
    }
    return most;
}

}    // namespace

TEST_CASE("guarded: requests that the program frees are forgotten when they are over") {
    int value = 0;
    std::size_t most = 0;
    std::size_t mostPersistent = 0;
    const auto failures = failuresOf([&] {
        most = mostRequests(MPI_COMM_WORLD, [&] {
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Issend(&value, 1, MPI_INT, next(), 1, MPI_COMM_WORLD, &request);
            return request;
        });
        mostPersistent = mostRequests(MPI_COMM_WORLD, [&] {
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Ssend_init(&value, 1, MPI_INT, next(), 1, MPI_COMM_WORLD, &request);
            MPI_Start(&request);
            return request;
        });
    });
    CHECK(failures.size() == 0);
    CHECK(most < mostKept);
    CHECK(mostPersistent < mostKept);
    checkUsable();
}

TEST_CASE("guarded: communicators that all ranks have freed are forgotten, with their non-blocking collectives and freed requests") {
    int value = 0;
    std::size_t known = 0;
    std::size_t trees = 0;
    const std::size_t knownBefore = communicatorCount();
    const auto failures = failuresOf([&] {
        for (int round = 0; round < 5; ++round) {
            MPI_Comm copy = MPI_COMM_NULL;
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Comm_dup(MPI_COMM_WORLD, &copy);
            MPI_Ibarrier(copy, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            int received = 0;
            MPI_Issend(&value, 1, MPI_INT, next(), 1, copy, &request);
            MPI_Request_free(&request);
            MPI_Recv(&received, 1, MPI_INT, previous(), 1, copy, MPI_STATUS_IGNORE);
            MPI_Comm_free(&copy);
        }
        for (int call = 0; call < callsUntilFreed; ++call) MPI_Barrier(MPI_COMM_WORLD);
        known = communicatorCount();
        trees = ferry::pmpi::activeRegion->meetingPlace().entryTree().communicatorCount();
    });
    CHECK(failures.size() == 0);
    CHECK(known <= knownBefore + 1);    // MPI_COMM_WORLD may be new
    CHECK(trees == 0);
    checkUsable();
}

TEST_CASE("guarded: a request that is freed in an inner region, and under way at its end, is over before the outer region fails") {
    std::vector<double> sent(300'000, 1.0);
    const auto failures = failuresOf([&] {
        const auto inner = failuresOf([&] {
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Issend(sent.data(), static_cast<int>(sent.size()), MPI_DOUBLE, next(), 1, MPI_COMM_WORLD, &request);
            MPI_Request_free(&request);
        });
        CHECK(inner.size() == 0);
        if (worldRank() == 0) throw std::domain_error("matrix is singular");
        MPI_Barrier(MPI_COMM_WORLD);
    });
    CHECK(failures.size() == 1);
    checkUsable();
}
