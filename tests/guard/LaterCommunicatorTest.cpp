// Communicators that MPI_Comm_idup makes in a region, and intercommunicators from before the region.
#include <array>
#include <functional>
#include <vector>

#include <ferry/tests/guard/World.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

/// Waits for a request, in each way that MPI has.
const std::array<std::function<void(MPI_Request&)>, 6> waits{
    [](MPI_Request& request) { MPI_Wait(&request, MPI_STATUS_IGNORE); },
    [](MPI_Request& request) { MPI_Waitall(1, &request, MPI_STATUSES_IGNORE); },
    [](MPI_Request& request) {
        int index = 0;
        MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
    },
    [](MPI_Request& request) {
        int count = 0;
        int index = 0;
        MPI_Waitsome(1, &request, &count, &index, MPI_STATUSES_IGNORE);
    },
    [](MPI_Request& request) {
        for (int isDone = 0; isDone == 0;) MPI_Test(&request, &isDone, MPI_STATUS_IGNORE);
    },
    [](MPI_Request& request) {
        for (int isDone = 0; isDone == 0;) MPI_Testall(1, &request, &isDone, MPI_STATUSES_IGNORE);
    },
};

void checkSum(MPI_Comm communicator) {
    const int rank = worldRank();
    int sum = -1;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, communicator);
    CHECK(sum == worldSize() * (worldSize() - 1) / 2);
}

MPI_Comm duplicateOf(MPI_Comm communicator, std::size_t way = 0) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_idup(communicator, &copy, &request);
    waits[way](request);
    return copy;
}

/// An intercommunicator between the even and the odd ranks.
MPI_Comm evenToOdd() {
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm between = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, worldRank() % 2, worldRank(), &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - worldRank() % 2, 5, &between);
    MPI_Comm_free(&half);
    return between;
}

}    // namespace

TEST_CASE("guarded: MPI_Comm_idup makes a communicator like any other, whatever waits for it") {
    const ExceptionList failures = failuresOf([] {
        for (std::size_t way = 0; way < waits.size(); ++way) {
            MPI_Comm copy = duplicateOf(MPI_COMM_WORLD, way);
            REQUIRE(copy != MPI_COMM_NULL);
            checkSum(copy);
            MPI_Comm copyOfCopy = duplicateOf(copy);
            checkSum(copyOfCopy);
            MPI_Comm plain = MPI_COMM_NULL;
            MPI_Comm_dup(copyOfCopy, &plain);
            checkSum(plain);
            for (MPI_Comm* one : {&copy, &copyOfCopy, &plain}) MPI_Comm_free(one);
        }
    });
    CHECK(failures.size() == 0);
    checkUsable();
}

// Open MPI 4.1 itself hangs when MPI_Comm_dup, or some dozens of MPI_Comm_idup, are called meanwhile.
TEST_CASE("guarded: several communicators are made at the same time, with other calls between") {
    const ExceptionList failures = failuresOf([] {
        for (int turn = 0; turn < 20; ++turn) {
            std::vector<MPI_Comm> copies(5, MPI_COMM_NULL);
            std::vector<MPI_Request> requests(copies.size(), MPI_REQUEST_NULL);
            for (std::size_t i = 0; i < copies.size(); ++i) {
                MPI_Comm_idup(MPI_COMM_WORLD, &copies[i], &requests[i]);
                if (i == 1) MPI_Barrier(MPI_COMM_WORLD);
                int isDone = 0;
                if (static_cast<int>(i) == worldRank() % 5) MPI_Request_get_status(requests[i], &isDone, MPI_STATUS_IGNORE);
            }
            MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
            for (MPI_Comm& copy : copies) {
                checkSum(copy);
                MPI_Comm_free(&copy);
            }
        }
    });
    CHECK(failures.size() == 0);
    checkUsable();
}

TEST_CASE("guarded: who waits for a communicator of MPI_Comm_idup, or on it, is woken") {
    checkFreed([] { duplicateOf(MPI_COMM_WORLD); });
    const std::array<std::function<void(MPI_Comm)>, 3> waitings{
        [](MPI_Comm copy) { MPI_Barrier(copy); },
        [](MPI_Comm copy) {
            int value = 0;
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Irecv(&value, 1, MPI_INT, 0, 4, copy, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        },
        [](MPI_Comm copy) { duplicateOf(copy); },
    };
    for (const auto& waiting : waitings) {
        const ExceptionList failures = failuresOf([&] {
            MPI_Comm copy = duplicateOf(MPI_COMM_WORLD);
            if (worldRank() == 0) throw std::domain_error("matrix is singular");
            waiting(copy);
        });
        REQUIRE(failures.size() == 1);
        CHECK(failures.front().as<std::domain_error>() != nullptr);
        checkUsable();
    }
}

TEST_CASE("guarded: a rank throws while the others have a communicator that it has not got yet") {
    const ExceptionList failures = failuresOf([] {
        MPI_Comm copy = MPI_COMM_NULL;
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
        if (worldRank() == 0) throw std::domain_error("matrix is singular");
        for (int turn = 0, isDone = 0; turn < 2000 && isDone == 0; ++turn) MPI_Test(&request, &isDone, MPI_STATUS_IGNORE);
        if (copy != MPI_COMM_NULL) MPI_Barrier(copy);
        MPI_Barrier(MPI_COMM_WORLD);
    });
    REQUIRE(failures.size() == 1);
    CHECK(failures.front().as<std::domain_error>() != nullptr);
    checkUsable();
}

TEST_CASE("guarded: an intercommunicator from before the region is guarded, and stays usable") {
    if (worldSize() < 2) return;
    MPI_Comm between = evenToOdd();
    int here = 0;
    int there = 0;
    MPI_Comm_rank(between, &here);
    MPI_Comm_remote_size(between, &there);
    const std::array<std::function<void()>, 4> waitings{
        [&] { MPI_Barrier(between); },
        [&] {
            int value = 0;
            MPI_Recv(&value, 1, MPI_INT, 0, 4, between, MPI_STATUS_IGNORE);
        },
        [&] {
            int value = 0;
            const int root = worldRank() % 2 == 0 ? (here == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
            MPI_Bcast(&value, 1, MPI_INT, root, between);
        },
        [&] {
            MPI_Comm copy = MPI_COMM_NULL;
            MPI_Comm_dup(between, &copy);
        },
    };
    for (const auto& waiting : waitings) {
        const ExceptionList failures = failuresOf([&] {
            for (int to = 0; to < there; ++to) MPI_Send(&to, 1, MPI_INT, to, 9, between);    // nobody receives these
            if (worldRank() == worldSize() - 1) throw std::domain_error("matrix is singular");
            waiting();
        });
        REQUIRE(failures.size() == 1);
        CHECK(failures.front().as<std::domain_error>() != nullptr);
        int sum = -1;
        const int one = 1;
        CHECK(failuresOf([&] { MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, between); }).size() == 0);
        CHECK(sum == there);
        int hasCome = 1;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, between, &hasCome, MPI_STATUS_IGNORE);
        CHECK(hasCome == 0);
        MPI_Barrier(MPI_COMM_WORLD);    // no rank sends again before all have looked
    }
    MPI_Comm_free(&between);
    checkUsable();
}

TEST_CASE("guarded: MPI_Comm_idup copies an intercommunicator, and who waits on the copy is woken") {
    if (worldSize() < 2) return;
    MPI_Comm between = evenToOdd();
    int there = 0;
    MPI_Comm_remote_size(between, &there);
    const int one = 1;
    int sum = -1;
    const ExceptionList none = failuresOf([&] {
        std::array<MPI_Comm, 2> copies{MPI_COMM_NULL, MPI_COMM_NULL};
        std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        for (std::size_t i = 0; i < copies.size(); ++i) MPI_Comm_idup(between, &copies[i], &requests[i]);
        MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
        for (MPI_Comm& copy : copies) {
            int isInter = 0;
            MPI_Comm_test_inter(copy, &isInter);
            CHECK(isInter == 1);
            MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, copy);
            CHECK(sum == there);
            MPI_Comm_free(&copy);
        }
    });
    CHECK(none.size() == 0);
    const std::array<std::function<void(MPI_Comm)>, 3> waitings{
        [](MPI_Comm copy) { MPI_Barrier(copy); },
        [](MPI_Comm copy) {
            int value = 0;
            MPI_Recv(&value, 1, MPI_INT, 0, 4, copy, MPI_STATUS_IGNORE);
        },
        [](MPI_Comm copy) { duplicateOf(copy); },
    };
    for (const auto& waiting : waitings) {
        const ExceptionList failures = failuresOf([&] {
            const MPI_Comm copy = duplicateOf(between);
            if (worldRank() == worldSize() - 1) throw std::domain_error("matrix is singular");
            waiting(copy);
        });
        REQUIRE(failures.size() == 1);
        CHECK(failures.front().as<std::domain_error>() != nullptr);
        CHECK(failuresOf([&] { MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, between); }).size() == 0);
        CHECK(sum == there);
    }
    MPI_Comm_free(&between);
    checkUsable();
}
