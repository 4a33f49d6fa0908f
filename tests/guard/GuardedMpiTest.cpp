#include <ferry/guard/region/guarded.hpp>

#include <array>
#include <cstddef>
#include <numeric>
#include <refusedCalls.hpp>
#include <string>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/connector/exception/UnknownException.hpp>
#include <ferry/connector/transport/mpi/MpiTransport.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/guard/Faults.hpp>
#include <ferry/tests/guard/World.hpp>

using namespace ferry::test;

TEST_CASE("guarded: a region in which nothing is thrown changes nothing") {
    checkUsable();
    std::vector<int> all(static_cast<std::size_t>(worldSize()));
    const int rank = worldRank();
    ferry::guarded(MPI_COMM_WORLD, [&] { MPI_Allgather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, MPI_COMM_WORLD); });
    CHECK(std::accumulate(all.begin(), all.end(), 0) == worldSize() * (worldSize() - 1) / 2);
}

TEST_CASE("guarded: no elements are exchanged by MPI_Sendrecv_replace as others are") {
    const int previous = (worldRank() + worldSize() - 1) % worldSize();
    MPI_Status status{};
    const auto failures = failuresOf([&] {
        int value = 3;
        MPI_Sendrecv_replace(&value, 0, MPI_INT, (worldRank() + 1) % worldSize(), 5, previous, 5, MPI_COMM_WORLD, &status);
        CHECK(value == 3);
    });
    CHECK(failures.size() == 0);
    CHECK(status.MPI_SOURCE == previous);
    checkUsable();
}

TEST_CASE("guarded: an exception has its class, data, causes and origin on all ranks") {
    const auto failures = failuresOf([] {
        MPI_Barrier(MPI_COMM_WORLD);
        if (worldRank() == worldSize() - 1) {
            try {
                throw std::out_of_range("index 7");
            } catch (const std::exception&) {
                std::throw_with_nested(InjectedFault(worldRank(), 42));
            }
        }
        MPI_Barrier(MPI_COMM_WORLD);
    });
    REQUIRE(failures.size() == 1);
    const auto* fault = failures.front().as<InjectedFault>();
    REQUIRE(fault != nullptr);
    CHECK(fault->rank == worldSize() - 1);
    CHECK(fault->step == 42);
    CHECK(failures.front().origin().rank == worldSize() - 1);
    CHECK(fault->cause() != nullptr);
    checkUsable();
}

TEST_CASE("guarded: what is no exception class arrives as unknown") {
    const auto failures = failuresOf([] {
        if (worldRank() == 0) throw 42;
        MPI_Barrier(MPI_COMM_WORLD);
    });
    REQUIRE(failures.size() == 1);
    CHECK(failures.front().as<ferry::UnknownException>() != nullptr);
}

TEST_CASE("guarded: all that fail are in the list, and the same on several ranks is one") {
    auto failures = failuresOf([] { throw InjectedFault(worldRank(), 1); });
    CHECK(failures.size() == static_cast<std::size_t>(worldSize()));
    failures = failuresOf([] { throw std::runtime_error("all of us"); });
    REQUIRE(failures.size() == 1);
    CHECK(failures.front().ranks().size() == static_cast<std::size_t>(worldSize()));
    checkUsable();
}

TEST_CASE("guarded: a failure that a rank reports because of another one comes behind it") {
    const auto failures = failuresOf([] {
        if (worldRank() == worldSize() - 1) throw std::domain_error("cause");
        try {
            MPI_Barrier(MPI_COMM_WORLD);
        } catch (const ferry::RegionFailed&) {
            throw std::runtime_error("consequence");
        }
    });
    REQUIRE(failures.size() == (worldSize() > 1 ? 2 : 1));
    CHECK(failures[0].what() == std::string("cause"));
    if (worldSize() > 1) CHECK(failures[1].what() == std::string("consequence"));
}

TEST_CASE("guarded: a rank that swallows the failure of another rank gets it again, and cannot make the region succeed") {
    int caught = 0;
    const auto failures = failuresOf([&] {
        if (worldRank() == 0) throw std::domain_error("matrix is singular");
        for (int i = 0; i < 3; ++i) {
            try {
                MPI_Barrier(MPI_COMM_WORLD);
            } catch (...) {
                ++caught;
            }
        }
    });
    CHECK(failures.size() == 1);
    if (worldRank() != 0) CHECK(caught == 3);
    checkUsable();
}

TEST_CASE("guarded: an exception that is caught in the region is no failure") {
    const auto failures = failuresOf([] {
        try {
            throw std::runtime_error("mine");
        } catch (const std::exception&) {
            MPI_Barrier(MPI_COMM_WORLD);
        }
    });
    CHECK(failures.size() == 0);
}

TEST_CASE("guarded: destructors that call MPI while the stack is unwound get control back") {
    struct Waits {
        ~Waits() {
            MPI_Request request = MPI_REQUEST_NULL;
            int value = 0;
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Irecv(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            for (int isDone = 0; isDone == 0;) MPI_Test(&request, &isDone, MPI_STATUS_IGNORE);
        }
    };
    const auto failures = failuresOf([] {
        const Waits waits;
        if (worldRank() == 0) throw std::domain_error("matrix is singular");
        int value = 0;
        MPI_Recv(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
    CHECK(failures.size() == 1);
    checkUsable();
}

TEST_CASE("guarded: each call that regions do not support is refused with its name") {
    for (const RefusedCall& refused : refusedCalls) {
        const auto failures = failuresOf([&] { refused.call(); });
        REQUIRE(failures.size() == 1);
        CHECK(failures.front().as<ferry::UsageError>() != nullptr);
        CHECK(std::string(failures.front().what()).find(std::string(refused.name) + " is not supported in a guarded region: ") == 0);
        CHECK(begins(failures.front(), "refusedCalls.hpp"));
    }
    checkUsable();
}

#ifdef OPEN_MPI
extern "C" void mpi_open_port_(void*, void*, MPI_Fint*, std::size_t);    // the form of a Fortran call

TEST_CASE("guarded: calls of Fortran whose arguments cannot be turned into those of C are refused with their names") {
    const auto failures = failuresOf([] {
        MPI_Fint error = 0;
        mpi_open_port_(nullptr, nullptr, &error, 0);
    });
    REQUIRE(failures.size() == 1);
    CHECK(failures.front().as<ferry::UsageError>() != nullptr);
    CHECK(std::string(failures.front().what()) ==
          "MPI_Open_port is not supported in a guarded region: some arguments of the call differ in Fortran");
    checkUsable();
}
#endif

TEST_CASE("guarded: the end of MPI, the tag of the guard and a Connector are refused inside") {
    const int value = 0;
    int tag = 0;
    void* largest = nullptr;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&largest), &tag);
    tag = *static_cast<int*>(largest);
    ferry::Connector connector(ferry::mpiTransport(MPI_COMM_WORLD));
    const std::array<std::function<void()>, 3> refused{
        [] { MPI_Finalize(); },
        [&] { MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD); },
        [&] { connector.send(0, 1); },
    };
    for (const auto& call : refused) {
        const auto failures = failuresOf(call);
        REQUIRE(failures.size() == 1);
        CHECK(failures.front().as<ferry::UsageError>() != nullptr);
    }
    connector.barrier();
    connector.close();
    checkUsable();
}

TEST_CASE("guarded: a region of some ranks leaves the others alone, and refuses communicators that reach outside") {
    const int rank = worldRank();
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    int halfRank = 0;
    MPI_Comm_rank(half, &halfRank);
    bool hasFailed = false;
    for (int round = 0; round < 3; ++round) {
        try {
            ferry::guarded(half, [&] {
                if (rank % 2 == 0 && halfRank == 0) throw std::domain_error("even");
                MPI_Barrier(half);
            });
        } catch (const ferry::ExceptionList&) {
            hasFailed = true;
        }
    }
    CHECK(hasFailed == (rank % 2 == 0));
    if (worldSize() > 1) {
        try {
            ferry::guarded(half, [] { MPI_Barrier(MPI_COMM_WORLD); });
            FAIL("the barrier was not refused");
        } catch (const ferry::ExceptionList& list) {
            CHECK(list.front().as<ferry::UsageError>() != nullptr);
        }
    }
    MPI_Comm_free(&half);
    checkUsable();
}

TEST_CASE("guarded: communicators that are made and freed in regions are gone after them, whether they fail or not") {
    for (int round = 0; round < 200; ++round) {    // an MPI has a few thousand communicators
        const auto failures = failuresOf([&] {
            struct Owner {
                ~Owner() { MPI_Comm_free(&handle); }
                MPI_Comm handle = MPI_COMM_NULL;
            } owner;
            MPI_Comm_dup(MPI_COMM_WORLD, &owner.handle);
            MPI_Barrier(owner.handle);
            if (round % 2 == 0 && worldRank() == 0) throw std::domain_error("matrix is singular");
            MPI_Barrier(owner.handle);
        });
        CHECK(failures.size() == (round % 2 == 0 ? 1 : 0));
    }
    checkUsable();
}

TEST_CASE("guarded: a communicator that only some ranks have freed before the region does no harm") {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (worldRank() % 2 == 0) MPI_Comm_free(&copy);
    const auto failures = failuresOf([&] {
        if (worldRank() % 2 == 1) MPI_Comm_free(&copy);
        if (worldRank() == 0) throw std::domain_error("matrix is singular");
        MPI_Barrier(MPI_COMM_WORLD);
    });
    CHECK(failures.size() == 1);
    checkUsable();
}

TEST_CASE("guarded: requests that were let go end with the region") {
    std::vector<double> values(100'000, 1.0);
    const int next = (worldRank() + 1) % worldSize();
    const auto exchange = [&](bool isFailing) {
        return failuresOf([&] {
            std::vector<double> received(values.size());
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Isend(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, next, 6, MPI_COMM_WORLD, &request);
            MPI_Request_free(&request);
            CHECK(request == MPI_REQUEST_NULL);
            if (isFailing && worldRank() == 0) throw std::domain_error("matrix is singular");
            MPI_Recv(received.data(), static_cast<int>(received.size()), MPI_DOUBLE, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Barrier(MPI_COMM_WORLD);
        });
    };
    CHECK(exchange(false).size() == 0);
    CHECK(exchange(true).size() == 1);
    CHECK(exchange(false).size() == 0);
    checkUsable();
}

TEST_CASE("guarded: a rank that fails at once in the next region is heard there") {
    for (int round = 0; round < 50; ++round) {
        CHECK(failuresOf([] {}).size() == 0);
        const auto failures = failuresOf([&] {
            if (worldRank() == round % worldSize()) throw InjectedFault(worldRank(), round);
            MPI_Barrier(MPI_COMM_WORLD);
        });
        REQUIRE(failures.size() == 1);
        CHECK(failures.front().as<InjectedFault>()->step == round);
    }
}
