// Persistent requests and matched messages, in regions that succeed and in regions that fail.
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/guard/World.hpp>

using namespace ferry::test;

namespace {

constexpr int largeCount = 300'000;

int next() { return (worldRank() + 1) % worldSize(); }
int previous() { return (worldRank() + worldSize() - 1) % worldSize(); }

}    // namespace

TEST_CASE("guarded: persistent requests of the program outlive regions, whether they fail or not, and whatever they were doing") {
    std::vector<double> sent(largeCount);
    std::vector<double> received(largeCount);
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Recv_init(received.data(), largeCount, MPI_DOUBLE, previous(), 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(sent.data(), largeCount, MPI_DOUBLE, next(), 3, MPI_COMM_WORLD, &requests[1]);
    const std::array<MPI_Request, 2> made = requests;
    for (int round = 0; round < 30; ++round) {
        sent.assign(sent.size(), worldRank() + round);
        const int failing = round % worldSize();
        const auto failures = failuresOf([&] {
            if (round % 3 == 1 && worldRank() == failing) throw std::domain_error("before the start");
            MPI_Startall(2, requests.data());
            if (round % 3 == 2 && worldRank() == failing) throw std::domain_error("under way");
            MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
            MPI_Barrier(MPI_COMM_WORLD);
        });
        CHECK(failures.size() == (round % 3 == 0 ? 0 : 1));
        CHECK((requests == made) == true);
        if (round % 3 == 0) CHECK(received.back() == previous() + round);
        int areOver = 0;    // the requests are inactive, so there is nothing to wait for
        MPI_Testall(2, requests.data(), &areOver, MPI_STATUSES_IGNORE);
        CHECK(areOver == 1);
    }
    MPI_Startall(2, requests.data());    // outside of a region
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    CHECK(received.front() == previous() + 29);
    for (MPI_Request& request : requests) MPI_Request_free(&request);
    checkUsable();
}

TEST_CASE("guarded: whoever waits for persistent requests is woken, and keeps the handles") {
    int value = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Recv_init(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
    const MPI_Request made = request;
    int index = 0;
    checkFreed([&] { MPI_Start(&request), MPI_Wait(&request, MPI_STATUS_IGNORE); });
    checkFreed([&] { MPI_Start(&request), MPI_Waitall(1, &request, MPI_STATUSES_IGNORE); });
    checkFreed([&] { MPI_Start(&request), MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE); });
    checkFreed([&] {
        MPI_Start(&request);
        for (int isDone = 0; isDone == 0;) MPI_Test(&request, &isDone, MPI_STATUS_IGNORE);
    });
    CHECK(request == made);
    MPI_Request_free(&request);
}

TEST_CASE("guarded: persistent requests that are freed while they are under way end with the region") {
    std::vector<double> values(largeCount, 1.0);
    for (int round = 0; round < 4; ++round) {
        const auto failures = failuresOf([&] {
            std::vector<double> received(values.size());
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Send_init(values.data(), largeCount, MPI_DOUBLE, next(), 6, MPI_COMM_WORLD, &request);
            MPI_Start(&request);
            MPI_Request_free(&request);
            CHECK(request == MPI_REQUEST_NULL);
            if (round % 2 == 1 && worldRank() == 0) throw std::domain_error("matrix is singular");
            MPI_Recv(received.data(), largeCount, MPI_DOUBLE, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Barrier(MPI_COMM_WORLD);
        });
        CHECK(failures.size() == (round % 2 == 1 ? 1 : 0));
    }
    checkUsable();
}

TEST_CASE("guarded: a persistent request on a communicator that is gone, or that reaches outside, is refused at its start") {
    int value = 0;
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 4, copy, &request);
    MPI_Comm_free(&copy);
    auto failures = failuresOf([&] { MPI_Start(&request); });
    REQUIRE(failures.size() == 1);
    CHECK(failures.front().as<ferry::UsageError>() != nullptr);
    MPI_Request_free(&request);
    failures = failuresOf([&] { MPI_Start(&request); });    // no valid request
    REQUIRE(failures.size() == 1);
    CHECK(failures.front().what() ==
          std::string("MPI_Start in a guarded region: the request was made by a call that regions do not support"));
    checkUsable();
}

TEST_CASE("guarded: whoever waits in a matched probe is woken") {
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    checkFreed([&] { MPI_Mprobe(0, 4, MPI_COMM_WORLD, &message, &status); });
    checkFreed([&] {
        for (int hasCome = 0; hasCome == 0;) MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &hasCome, &message, &status);
    });
    CHECK(message == MPI_MESSAGE_NULL);
}

TEST_CASE("guarded: a message that was matched, and not received when the region fails, is dropped, and its sender freed") {
    const std::vector<double> values(largeCount, 1.0);
    for (const int count : {1, largeCount}) {
        std::vector<double> received(static_cast<std::size_t>(count));
        const auto failures = failuresOf([&] {
            MPI_Request send = MPI_REQUEST_NULL;
            MPI_Issend(values.data(), count, MPI_DOUBLE, next(), 5, MPI_COMM_WORLD, &send);
            MPI_Message message = MPI_MESSAGE_NULL;
            MPI_Status status;
            MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
            CHECK(status.MPI_SOURCE == previous());
            if (worldRank() == 0) throw std::domain_error("matrix is singular");
            if (worldRank() % 2 == 1) MPI_Mrecv(received.data(), count, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
            MPI_Wait(&send, MPI_STATUS_IGNORE);
            MPI_Barrier(MPI_COMM_WORLD);
        });
        CHECK(failures.size() == 1);
        checkUsable();
    }
}

TEST_CASE("guarded: a matched receive of a message that nobody sends, and one of a message from before the region") {
    MPI_Message message = MPI_MESSAGE_NULL;
    const int sent = worldRank();
    int received = -1;
    MPI_Request send = MPI_REQUEST_NULL;
    MPI_Isend(&sent, 1, MPI_INT, next(), 5, MPI_COMM_WORLD, &send);
    MPI_Mprobe(previous(), 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    const auto failures = failuresOf([&] {
        MPI_Mrecv(&received, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        MPI_Mprobe(MPI_PROC_NULL, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        CHECK(message == MPI_MESSAGE_NO_PROC);
        MPI_Mrecv(nullptr, 0, MPI_INT, &message, MPI_STATUS_IGNORE);
    });
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    CHECK(failures.size() == 0);
    CHECK(received == previous());
    CHECK(message == MPI_MESSAGE_NULL);
}
