// Guarded regions inside other regions.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>

#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/guard/World.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

int lastRank() { return worldSize() - 1; }

/// The communicator of the ranks with the same remainder, in reverse order.
struct Half {
    Half() { MPI_Comm_split(MPI_COMM_WORLD, worldRank() % 2, -worldRank(), &handle); }
    Half(const Half&) = delete;
    Half& operator=(const Half&) = delete;
    ~Half() { MPI_Comm_free(&handle); }
    MPI_Comm handle = MPI_COMM_NULL;
};

ExceptionList failuresOn(MPI_Comm communicator, const std::function<void()>& function) {
    try {
        guarded(communicator, function);
    } catch (const ExceptionList& list) {
        return list;
    }
    return {};
}

int sumOn(MPI_Comm communicator) {
    const int one = 1;
    int sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, communicator);
    return sum;
}

void throwOnLast() {
    if (worldRank() == lastRank()) throw std::domain_error("matrix is singular");
}

}    // namespace

TEST_CASE("guarded: an inner region may fail, and the outer one goes on") {
    int sum = 0;
    const ExceptionList failures = failuresOf([&] {
        MPI_Barrier(MPI_COMM_WORLD);
        for (int round = 0; round < 3; ++round) {
            const ExceptionList inner = failuresOf([] {
                MPI_Barrier(MPI_COMM_WORLD);
                throwOnLast();
                int value = 0;
                MPI_Recv(&value, 1, MPI_INT, lastRank(), 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            });
            REQUIRE(inner.size() == 1);
            CHECK(inner.front().as<std::domain_error>() != nullptr);
            CHECK(inner.front().rank() == lastRank());
            sum += sumOn(MPI_COMM_WORLD);
        }
        checkUsable();    // these regions are inside the outer one
    });
    CHECK(failures.size() == 0);
    CHECK(sum == 3 * worldSize());
    checkUsable();
}

TEST_CASE("guarded: what leaves an inner region and is not caught ends the outer one, told once, with its rank there") {
    ExceptionList failures = failuresOf([] {
        guarded(MPI_COMM_WORLD, [] {
            throwOnLast();
            MPI_Barrier(MPI_COMM_WORLD);
        });
    });
    REQUIRE(failures.size() == 1);
    CHECK(failures.front().as<std::domain_error>() != nullptr);
    CHECK(failures.front().rank() == lastRank());
    failures = failuresOf([] {
        const Half half;
        guarded(half.handle, [&] {
            throwOnLast();
            MPI_Barrier(half.handle);
        });
        MPI_Barrier(MPI_COMM_WORLD);
    });
    REQUIRE(failures.size() == 1);
    CHECK(failures.front().as<std::domain_error>() != nullptr);
    CHECK(failures.front().rank() == lastRank());
    checkUsable();
}

TEST_CASE("guarded: regions on parts of the ranks fail and succeed each by itself") {
    const ExceptionList failures = failuresOf([] {
        const Half half;
        const int size = sumOn(half.handle);
        const bool isFailing = worldRank() % 2 == lastRank() % 2;
        const ExceptionList inner = failuresOn(half.handle, [&] {
            sumOn(half.handle);
            throwOnLast();
            sumOn(half.handle);
        });
        CHECK(inner.size() == (isFailing ? 1 : 0));
        if (isFailing) CHECK(inner.front().rank() == 0);    // the last rank of all is the first one of this half
        CHECK(sumOn(half.handle) == size);
        CHECK(sumOn(MPI_COMM_WORLD) == worldSize());
        MPI_Comm again = MPI_COMM_NULL;    // made in one region, and freed in another one
        CHECK(failuresOn(half.handle, [&] { MPI_Comm_dup(half.handle, &again); }).size() == 0);
        CHECK(failuresOn(again, [&] { CHECK(sumOn(again) == size); }).size() == 0);
        MPI_Comm_free(&again);
    });
    CHECK(failures.size() == 0);
    checkUsable();
}

TEST_CASE("guarded: a failure outside of an inner region ends the wait for it, and is heard behind it") {
    int innerCount = 0;
    for (const bool isOnParts : {false, true}) {
        const ExceptionList failures = failuresOf([&] {
            const Half half;
            const MPI_Comm place = isOnParts ? half.handle : MPI_COMM_WORLD;
            throwOnLast();
            guarded(place, [&] {
                ++innerCount;
                for (int i = 0; i < 100; ++i) sumOn(place);
            });
            MPI_Barrier(MPI_COMM_WORLD);
            FAIL("the failure was not heard");
        });
        REQUIRE(failures.size() == 1);
        CHECK(failures.front().as<std::domain_error>() != nullptr);
        checkUsable();
    }
    CHECK(innerCount <= 1);
    if (worldRank() % 2 == lastRank() % 2) CHECK(innerCount == 0);    // their partner in the inner region never came
}

TEST_CASE("guarded: when inner regions on parts fail at once, all failures are told") {
    const ExceptionList failures = failuresOf([] {
        const Half half;
        guarded(half.handle, [&] {
            if (worldRank() < 2) throw std::out_of_range("row " + std::to_string(worldRank()));
            MPI_Barrier(half.handle);
        });
    });
    REQUIRE(failures.size() == static_cast<std::size_t>(std::min(worldSize(), 2)));
    for (const Failure& failure : failures) {
        CHECK(failure.as<std::out_of_range>() != nullptr);
        CHECK(failure.what() == "row " + std::to_string(failure.rank()));
    }
    checkUsable();
}

TEST_CASE("guarded: requests go from one region into the other") {
    const int rank = worldRank();
    const int next = (rank + 1) % worldSize();
    const int previous = (rank + worldSize() - 1) % worldSize();
    for (const bool isFailing : {false, true}) {
        int first = -1;
        int second = -1;
        const ExceptionList failures = failuresOf([&] {
            MPI_Request before = MPI_REQUEST_NULL;
            MPI_Request inside = MPI_REQUEST_NULL;
            MPI_Irecv(&first, 1, MPI_INT, previous, 1, MPI_COMM_WORLD, &before);
            guarded(MPI_COMM_WORLD, [&] {
                MPI_Irecv(&second, 1, MPI_INT, previous, 2, MPI_COMM_WORLD, &inside);
                MPI_Send(&rank, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
                MPI_Wait(&before, MPI_STATUS_IGNORE);
            });
            if (isFailing) throwOnLast();
            MPI_Send(&rank, 1, MPI_INT, next, 2, MPI_COMM_WORLD);
            MPI_Wait(&inside, MPI_STATUS_IGNORE);
        });
        CHECK(failures.size() == (isFailing ? 1 : 0));
        CHECK(first == previous);
        if (!isFailing) CHECK(second == previous);
        checkUsable();
    }
}

TEST_CASE("guarded: what inner regions do not support is refused with its reason") {
    const auto checkRefused = [](const std::string& text, const std::function<void()>& function) {
        const ExceptionList failures = failuresOf(function);
        REQUIRE(failures.size() == 1);
        CHECK(failures.front().as<UsageError>() != nullptr);
        CHECK(std::string(failures.front().what()).find(text) != std::string::npos);
        checkUsable();
    };
    const auto enter = [] { guarded(MPI_COMM_WORLD, [] { MPI_Barrier(MPI_COMM_WORLD); }); };
    int value = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    checkRefused("a receive from any tag", [&] {
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
        enter();
    });
    checkRefused("a non-blocking collective", [&] {
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        enter();
    });
    if (worldSize() == 1) return;
    const Half half;
    CHECK(failuresOn(half.handle, enter).front().as<UsageError>() != nullptr);
    checkUsable();
}

TEST_CASE("guarded: a region in a destructor does nothing while the stack is unwound") {
    int count = 0;
    const ExceptionList failures = failuresOf([&] {
        struct Flush {
            ~Flush() {
                guarded(MPI_COMM_WORLD, [this] { ++count; });
            }
            int& count;
        } const flush{count};
        throwOnLast();
        MPI_Barrier(MPI_COMM_WORLD);
    });
    CHECK(failures.size() == 1);
    CHECK(count == 0);
}
