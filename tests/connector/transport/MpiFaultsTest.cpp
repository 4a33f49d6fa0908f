// An error code of MPI becomes an MpiError that names the call, the communicator and the partner rank.
// There are two kinds of tests: wrong calls, and calls of the transport that fail once.
// The tests replace each call through the profiling interface of MPI.
#include <ferry/connector/transport/mpi/calls/MpiCheck.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <mpi.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/transport/mpi/MpiTransport.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

using namespace ferry;

namespace {

/// Makes the next call with this name fail, once.
struct Fault {
    std::string_view call;
    int errorClass = MPI_SUCCESS;
    int callsBefore = 0;
};
Fault fault;

bool isToFail(std::string_view call) {
    if (fault.call != call || fault.callsBefore-- != 0) return false;
    fault.call = {};
    return true;
}

}    // namespace

extern "C" {
int MPI_Comm_dup(MPI_Comm communicator, MPI_Comm* copy) {
    return isToFail("MPI_Comm_dup") ? fault.errorClass : PMPI_Comm_dup(communicator, copy);
}
int MPI_Comm_rank(MPI_Comm communicator, int* rank) {
    return isToFail("MPI_Comm_rank") ? fault.errorClass : PMPI_Comm_rank(communicator, rank);
}
int MPI_Comm_size(MPI_Comm communicator, int* size) {
    return isToFail("MPI_Comm_size") ? fault.errorClass : PMPI_Comm_size(communicator, size);
}
int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm communicator, MPI_Request* request) {
    return isToFail("MPI_Isend") ? fault.errorClass : PMPI_Isend(buffer, count, type, to, tag, communicator, request);
}
int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm communicator, MPI_Request* request) {
    return isToFail("MPI_Irecv") ? fault.errorClass : PMPI_Irecv(buffer, count, type, from, tag, communicator, request);
}
int MPI_Test(MPI_Request* request, int* isComplete, MPI_Status* status) {
    return isToFail("MPI_Test") ? fault.errorClass : PMPI_Test(request, isComplete, status);
}
int MPI_Testall(int count, MPI_Request* requests, int* areComplete, MPI_Status* statuses) {
    return isToFail("MPI_Testall") ? fault.errorClass : PMPI_Testall(count, requests, areComplete, statuses);
}
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
    return isToFail("MPI_Get_count") ? fault.errorClass : PMPI_Get_count(status, type, count);
}
int MPI_Iprobe(int from, int tag, MPI_Comm communicator, int* hasArrived, MPI_Status* status) {
    return isToFail("MPI_Iprobe") ? fault.errorClass : PMPI_Iprobe(from, tag, communicator, hasArrived, status);
}
}

namespace {

constexpr std::array errorClasses{MPI_ERR_COMM, MPI_ERR_RANK, MPI_ERR_TRUNCATE, MPI_ERR_OTHER, MPI_ERR_INTERN, MPI_ERR_NO_MEM};

/// A communicator of this process alone. Its errors are returned.
class OwnCommunicator {
public:
    OwnCommunicator() {
        PMPI_Comm_dup(MPI_COMM_SELF, &communicator_);
        MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
        MPI_Comm_set_name(communicator_, "own");
    }
    OwnCommunicator(const OwnCommunicator&) = delete;
    OwnCommunicator& operator=(const OwnCommunicator&) = delete;
    ~OwnCommunicator() { MPI_Comm_free(&communicator_); }
    MPI_Comm get() const noexcept { return communicator_; }

private:
    MPI_Comm communicator_ = MPI_COMM_NULL;
};

MpiError errorOf(const std::function<void()>& call) {
    try {
        call();
    } catch (const MpiError& error) {
        return error;
    }
    return MpiError("none", 0, 0, "no error");
}

void exchange(std::size_t elements) {
    Connector connector(mpiTransport(MPI_COMM_SELF));
    const std::vector<int> values(elements, 1);
    for (int round = 0; round < 40; ++round) {
        connector.send(0, values);
        static_cast<void>(connector.receive<std::vector<int>>(0));
    }
    connector.close();
}

}    // namespace

TEST_CASE("MpiError: says the call, the class by its name, the communicator and the peer") {
    const OwnCommunicator own;
    int ints[4] = {};
    const MpiError badRank = errorOf([&] { detail::checkMpi(MPI_Send(ints, 1, MPI_INT, 3, 0, own.get()), "MPI_Send", own.get(), 3); });
    CHECK(badRank.call() == "MPI_Send");
    CHECK(badRank.errorClassName() == "MPI_ERR_RANK");
    CHECK(badRank.place().communicator == "own");
    CHECK(badRank.place().size == 1);
    CHECK(badRank.place().peer == 3);
    CHECK(std::string(badRank.what()).find("MPI_Send failed on a communicator of 1 rank (own), with rank 3: ") == 0);

    const MpiError badTag = errorOf([&] { detail::checkMpi(MPI_Send(ints, 1, MPI_INT, 0, -5, own.get()), "MPI_Send", own.get(), 0); });
    CHECK(badTag.errorClassName() == "MPI_ERR_TAG");
    const MpiError badCount = errorOf([&] { detail::checkMpi(MPI_Send(ints, -1, MPI_INT, 0, 0, own.get()), "MPI_Send", own.get(), 0); });
    CHECK(badCount.errorClassName() == "MPI_ERR_COUNT");
    const MpiError badType =
        errorOf([&] { detail::checkMpi(MPI_Send(ints, 1, MPI_DATATYPE_NULL, 0, 0, own.get()), "MPI_Send", own.get(), 0); });
    CHECK(badType.errorClassName() == "MPI_ERR_TYPE");
    const MpiError badRoot = errorOf([&] { detail::checkMpi(MPI_Bcast(ints, 1, MPI_INT, 7, own.get()), "MPI_Bcast", own.get()); });
    CHECK(badRoot.errorClassName() == "MPI_ERR_ROOT");
    CHECK(badRoot.place().peer == -1);
}

TEST_CASE("MpiError: a message that is longer than its place") {
    const OwnCommunicator own;
    int ints[4] = {};
    MPI_Request request = MPI_REQUEST_NULL;
    REQUIRE(PMPI_Isend(ints, 4, MPI_INT, 0, 0, own.get(), &request) == MPI_SUCCESS);
    const MpiError error =
        errorOf([&] { detail::checkMpi(MPI_Recv(ints, 1, MPI_INT, 0, 0, own.get(), MPI_STATUS_IGNORE), "MPI_Recv", own.get(), 0); });
    CHECK(error.errorClassName() == "MPI_ERR_TRUNCATE");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

TEST_CASE("MpiError: a class that MPI 3.1 does not have has no name, and no communicator is no second error") {
    CHECK(MpiError("MPI_Send", 12345, 12345, "").errorClassName().empty());
    const MpiError error = errorOf([] { detail::checkMpi(MPI_ERR_COMM, "MPI_Send", MPI_COMM_NULL, 2); });
    CHECK(error.errorClassName() == "MPI_ERR_COMM");
    CHECK(error.place().size == 0);
    CHECK(error.place().peer == 2);
}

TEST_CASE("MpiTransport: every call that fails once is an MpiError, and the next transport works") {
    for (const std::string_view call : {"MPI_Comm_dup", "MPI_Comm_rank", "MPI_Comm_size", "MPI_Isend", "MPI_Irecv", "MPI_Test",
                                        "MPI_Testall", "MPI_Get_count", "MPI_Iprobe"}) {
        for (const int errorClass : errorClasses) {
            for (const int callsBefore : {0, 1, 2}) {
                CAPTURE(call);
                CAPTURE(errorClass);
                CAPTURE(callsBefore);
                const bool happens = callsBefore == 0 || (call != "MPI_Comm_rank" && call != "MPI_Comm_size");
                fault = {call, errorClass, callsBefore};
                const MpiError error = errorOf([] { exchange(100'000); });
                fault = {};
                if (!happens) continue;
                CHECK(error.call() == call);
                CHECK(error.errorClass() == errorClass);
            }
        }
    }
    exchange(100'000);
    exchange(1);
}

TEST_CASE("mpiTransport: no communicator is a usage error") {
    CHECK_THROWS_WITH_AS(static_cast<void>(mpiTransport(MPI_COMM_NULL)), "mpiTransport needs a communicator, not MPI_COMM_NULL",
                         UsageError);
}

TEST_CASE("mpiTransport: an intercommunicator is a usage error") {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size == 1) return;    // the test runs again with two ranks
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm between = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &between);
    CHECK_THROWS_WITH_AS(static_cast<void>(mpiTransport(between)),
                         "mpiTransport needs a communicator of one group, not an intercommunicator: MPI_Intercomm_merge makes one of it",
                         UsageError);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

TEST_CASE("mpiTransport: a thread that may not call MPI is told which level is needed") {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    if (level >= MPI_THREAD_SERIALIZED) return;
    std::string text;
    std::thread([&text] {
        try {
            static_cast<void>(mpiTransport(MPI_COMM_SELF));
        } catch (const UsageError& error) {
            text = error.what();
        }
    }).join();
    CHECK(text ==
          "mpiTransport was called on another thread than the one that initialised MPI: that needs MPI_THREAD_SERIALIZED or more, and MPI "
          "was initialised with MPI_THREAD_FUNNELED");
}
