#include <ferry/guard/meeting/HostPeers.hpp>

#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include <ferry/guard/known/HostMemory.hpp>
#include <ferry/tests/guard/World.hpp>

using namespace ferry::test;
using ferry::pmpi::Communicators;
using ferry::pmpi::HostMemory;

namespace {

/// Whether the ranks of these tests were started together on one host. Otherwise each rank is on its own host.
bool isOneHost() { return std::getenv("FERRY_HOST_MEMORY") == nullptr && worldSize() > 1; }

/// Whether the guard's barriers on the communicator use shared memory.
bool meetsInMemory(MPI_Comm communicator) { return Communicators::ofProcess().find(communicator)->arrivals.isThere(); }

int sumOfRanks(MPI_Comm communicator) {
    const int rank = worldRank();
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, communicator);
    return sum;
}

}    // namespace

TEST_CASE("HostPeers: ranks of one host meet in memory, others by messages") {
    checkUsable();
    CHECK(meetsInMemory(MPI_COMM_WORLD) == isOneHost());
    const int half = worldRank() % 2;
    MPI_Comm halves = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, half, -worldRank(), &halves);    // the ranks are in reverse order
    const auto failures = failuresOf([&] {
        const int sum = sumOfRanks(MPI_COMM_WORLD);
        const int ownSum = sumOfRanks(halves);
        const int otherSum = sum - ownSum;
        CHECK((half == 0 ? ownSum : otherSum) == (worldSize() + 1) / 2 * ((worldSize() + 1) / 2 - 1));
        MPI_Barrier(MPI_COMM_SELF);
    });
    CHECK(failures.size() == 0);
    CHECK(meetsInMemory(halves) == isOneHost());
    CHECK_FALSE(meetsInMemory(MPI_COMM_SELF));
    MPI_Comm_free(&halves);
}

TEST_CASE("HostPeers: more communicators than there are counters for, with a failure on each kind, and counters that are used anew") {
    std::vector<MPI_Comm> all(HostMemory::slotCount + 3, MPI_COMM_NULL);
    for (MPI_Comm& communicator : all) MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    const int sum = worldSize() * (worldSize() - 1) / 2;
    const auto failures = failuresOf([&] {
        for (const MPI_Comm communicator : all) CHECK(sumOfRanks(communicator) == sum);
    });
    CHECK(failures.size() == 0);
    CHECK(meetsInMemory(all.front()) == isOneHost());
    CHECK_FALSE(meetsInMemory(all.back()));
    for (const MPI_Comm communicator : {all.front(), all.back()}) {
        checkFreed([&] { MPI_Barrier(communicator); });
        ferry::guarded(MPI_COMM_WORLD, [&] { CHECK(sumOfRanks(communicator) == sum); });
    }
    ferry::guarded(MPI_COMM_WORLD, [&] {
        for (std::size_t i = 0; i < 3 * all.size(); ++i) {    // frees and makes communicators in another order, inside a region
            MPI_Comm& communicator = all[i * 5 % all.size()];
            MPI_Comm_free(&communicator);
            MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
            CHECK(sumOfRanks(communicator) == sum);
        }
    });
    for (MPI_Comm& communicator : all) MPI_Comm_free(&communicator);
    for (int i = 0; i < 5; ++i) {
        MPI_Comm one = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &one);
        // Counters that are not reset would let the other ranks pass a call that rank 0 does not make.
        checkFreed([&] { MPI_Barrier(one); });
        checkFreed([&] { sumOfRanks(one); });
        ferry::guarded(MPI_COMM_WORLD, [&] { CHECK(sumOfRanks(one) == sum); });
        CHECK(meetsInMemory(one) == isOneHost());
        MPI_Comm_free(&one);
    }
}
