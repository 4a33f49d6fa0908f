// The last rank returns from the region. Other ranks wait for it, or do not need it.
#include <array>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/tests/guard/World.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

int lastRank() { return worldSize() - 1; }

/// Checks that all other ranks leave the region with a RankHasLeft that names the last rank and the call.
void checkMissed(const std::string& call, const std::function<void()>& waiting) {
    const ExceptionList failures = failuresOf([&] {
        if (worldRank() != lastRank()) waiting();
    });
    REQUIRE(failures.size() >= 1);
    for (const Failure& failure : failures) {
        const auto* missed = failure.as<RankHasLeft>();
        REQUIRE(missed != nullptr);
        CHECK(missed->rank() == lastRank());
        CHECK(failure.rank() != lastRank());
        CHECK(begins(failure, "RankAtEndTest.cpp"));
        CHECK(std::string(failure.what()).find("waits for it in " + call) != std::string::npos);
    }
    checkUsable();
}

/// Makes a call that waits for a message from or to the last rank. Each rank makes another call.
void waitForLast() {
    std::array<int, 2> values{};
    std::array<MPI_Request, 2> requests{};
    MPI_Status status;
    const int next = (worldRank() + 1) % lastRank();    // a rank among the others
    switch (worldRank() % 6) {
        case 0: MPI_Recv(values.data(), 1, MPI_INT, lastRank(), 4, MPI_COMM_WORLD, &status); return;
        case 1: MPI_Ssend(values.data(), 1, MPI_INT, lastRank(), 4, MPI_COMM_WORLD); return;
        case 2: MPI_Probe(lastRank(), MPI_ANY_TAG, MPI_COMM_WORLD, &status); return;
        case 3:
            MPI_Irecv(values.data(), 1, MPI_INT, lastRank(), 4, MPI_COMM_WORLD, requests.data());
            MPI_Isend(&values[1], 1, MPI_INT, next, 5, MPI_COMM_WORLD, &requests[1]);
            MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
            return;
        case 4: MPI_Sendrecv(values.data(), 1, MPI_INT, next, 5, &values[1], 1, MPI_INT, lastRank(), 4, MPI_COMM_WORLD, &status); return;
        default: MPI_Irecv(values.data(), 1, MPI_INT, lastRank(), 4, MPI_COMM_WORLD, requests.data()); MPI_Wait(requests.data(), &status);
    }
}

}    // namespace

TEST_CASE("guarded: who waits in a collective for a rank that has returned from the region is told so") {
    checkMissed("MPI_Barrier", [] { MPI_Barrier(MPI_COMM_WORLD); });
    int sum = 0;
    int one = 1;
    checkMissed("MPI_Allreduce", [&] { MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); });
}

TEST_CASE("guarded: who waits for a non-blocking collective that a rank has not called before it returned is told so") {
    int sum = 0;
    int one = 1;
    checkMissed("MPI_Wait", [&] {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    });
    MPI_Request request = MPI_REQUEST_NULL;
    checkMissed("a non-blocking collective at the end of the region", [&] { MPI_Ibarrier(MPI_COMM_WORLD, &request); });
}

TEST_CASE("guarded: ranks that have returned and wait for different non-blocking collectives are told so") {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Request request = MPI_REQUEST_NULL;
    const ExceptionList failures = failuresOf([&] { MPI_Ibarrier(worldRank() == lastRank() ? copy : MPI_COMM_WORLD, &request); });
    REQUIRE(failures.size() >= 1);
    for (const Failure& failure : failures) CHECK(failure.as<RankHasLeft>() != nullptr);
    MPI_Comm_free(&copy);
    checkUsable();
}

TEST_CASE("guarded: who waits for a message from a rank that has returned from the region, or to it, is told so") {
    checkMissed("MPI_", [] { waitForLast(); });
}

TEST_CASE("guarded: who waits for any rank is told so when all others have returned from the region") {
    int value = 0;
    const ExceptionList failures = failuresOf([&] {
        if (worldRank() == 0) MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
    REQUIRE(failures.size() == 1);
    CHECK(failures.front().as<RankHasLeft>() != nullptr);
    CHECK(failures.front().rank() == 0);
    checkUsable();
}

TEST_CASE("guarded: a rank that has returned from the region may be waited for by those who do not need it, and its messages arrive") {
    std::vector<int> large(1'000'000, 7);
    std::vector<int> received(large.size());
    MPI_Comm others = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, worldRank() == lastRank() ? MPI_UNDEFINED : 0, 0, &others);
    const ExceptionList failures = failuresOf([&] {
        if (worldRank() == lastRank()) {
            for (int rank = 0; rank < lastRank(); ++rank) MPI_Send(large.data(), 10, MPI_INT, rank, 4, MPI_COMM_WORLD);    // sent at once
            return;
        }
        if (worldRank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2500));
        MPI_Barrier(others);
        MPI_Recv(received.data(), 10, MPI_INT, lastRank(), 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        const int count = lastRank();
        const int rank = worldRank();
        MPI_Sendrecv(large.data(), static_cast<int>(large.size()), MPI_INT, (rank + 1) % count, 5, received.data(),
                     static_cast<int>(received.size()), MPI_INT, (rank + count - 1) % count, 5, others, MPI_STATUS_IGNORE);
        MPI_Barrier(others);
    });
    CHECK(failures.size() == 0);
    if (worldRank() != lastRank()) {
        CHECK(received == large);
        MPI_Comm_free(&others);
    }
    checkUsable();
}
