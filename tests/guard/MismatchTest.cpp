// Ranks that come to calls that differ, and ranks that describe equal data differently.
#include <array>
#include <functional>
#include <string>
#include <vector>

#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/tests/guard/World.hpp>

using namespace ferry::test;

namespace {

using Call = std::function<void()>;

std::vector<double> sent(400, 1.0);
std::vector<double> received(400);

void allreduce(int count, MPI_Datatype type, MPI_Op operation) {
    MPI_Allreduce(sent.data(), received.data(), count, type, operation, MPI_COMM_WORLD);
}
void reduce(int root) { MPI_Reduce(sent.data(), received.data(), 1, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD); }
void broadcast(int count, MPI_Datatype type, int root) { MPI_Bcast(sent.data(), count, type, root, MPI_COMM_WORLD); }
void gather(int sentCount, int receivedCount) {
    MPI_Gather(sent.data(), sentCount, MPI_DOUBLE, received.data(), receivedCount, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
void scatter(int sentCount, int receivedCount) {
    MPI_Scatter(sent.data(), sentCount, MPI_DOUBLE, received.data(), receivedCount, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
void duplicate() {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_free(&copy);
}

bool isLast() { return worldRank() == worldSize() - 1; }

/// The last rank comes to another call than the others. Checks the one failure, and that the communicator is usable.
void checkMismatch(const Call& ofLast, const Call& ofOthers, const std::string& textOfLast, const std::string& textOfOthers) {
    CAPTURE(textOfLast);
    std::string seen;
    const ferry::ExceptionList failures = failuresOf([&] {
        allreduce(3, MPI_DOUBLE, MPI_SUM);
        try {
            isLast() ? ofLast() : ofOthers();
        } catch (const std::exception& error) {
            seen = error.what();
            throw;
        }
    });
    REQUIRE(failures.size() == 1);
    const auto* mismatch = failures.front().as<ferry::CollectiveMismatch>();
    REQUIRE(mismatch != nullptr);
    const int last = worldSize() - 1;
    CHECK(failures.front().rank() == last);
    CHECK(mismatch->here().rank == last);
    CHECK(mismatch->there().rank == 0);
    CHECK(begins(failures.front(), "MismatchTest.cpp"));
    // A text that ends with a comma is the beginning of a list of counts.
    CHECK(mismatch->here().call.starts_with(textOfLast.ends_with(", ") ? textOfLast : textOfLast + " in "));
    CHECK(mismatch->there().call.starts_with(textOfOthers.ends_with("16, 16") ? textOfOthers : textOfOthers + " in "));
    for (const std::string& call : {mismatch->here().call, mismatch->there().call}) CHECK(call.find("MismatchTest.cpp:") != call.npos);
    CHECK(seen.find(textOfLast) != seen.npos);
    CHECK(seen.find(textOfOthers) != seen.npos);
    checkUsable();
}

void checkMatch(const Call& ofLast, const Call& ofOthers) {
    const ferry::ExceptionList failures = failuresOf([&] {
        for (int i = 0; i < 3; ++i) isLast() ? ofLast() : ofOthers();
    });
    CHECK(failures.size() == 0);
}

}    // namespace

TEST_CASE("guarded: ranks that come to calls of other names fail before MPI is entered") {
    if (worldSize() == 1) return;
    const Call barrier = [] { MPI_Barrier(MPI_COMM_WORLD); };
    const std::string allreduced = "MPI_Allreduce of 8 bytes (MPI_DOUBLE) with MPI_SUM";
    checkMismatch([] { broadcast(10, MPI_DOUBLE, 0); }, [] { allreduce(1, MPI_DOUBLE, MPI_SUM); },
                  "MPI_Bcast of 80 bytes (MPI_DOUBLE), root 0", allreduced);
    checkMismatch(
        barrier, [] { allreduce(1, MPI_DOUBLE, MPI_SUM); }, "MPI_Barrier", allreduced);
    checkMismatch(duplicate, barrier, "MPI_Comm_dup", "MPI_Barrier");
    checkMismatch([] { reduce(0); }, [] { allreduce(1, MPI_DOUBLE, MPI_SUM); }, "MPI_Reduce of 8 bytes (MPI_DOUBLE) with MPI_SUM, root 0",
                  allreduced);
    checkMismatch([] { ferry::guarded(MPI_COMM_WORLD, [] {}); }, barrier, "ferry::guarded", "MPI_Barrier");
}

TEST_CASE("guarded: ranks that name other roots, operations or numbers of bytes fail before MPI is entered") {
    if (worldSize() == 1) return;
    checkMismatch([] { broadcast(1, MPI_INT, 1); }, [] { broadcast(1, MPI_INT, 0); }, "MPI_Bcast of 4 bytes (MPI_INT), root 1",
                  "MPI_Bcast of 4 bytes (MPI_INT), root 0");
    checkMismatch([] { reduce(1); }, [] { reduce(0); }, "MPI_Reduce of 8 bytes (MPI_DOUBLE) with MPI_SUM, root 1",
                  "MPI_Reduce of 8 bytes (MPI_DOUBLE) with MPI_SUM, root 0");
    checkMismatch([] { allreduce(1, MPI_DOUBLE, MPI_MAX); }, [] { allreduce(1, MPI_DOUBLE, MPI_MIN); },
                  "MPI_Allreduce of 8 bytes (MPI_DOUBLE) with MPI_MAX", "MPI_Allreduce of 8 bytes (MPI_DOUBLE) with MPI_MIN");
    checkMismatch([] { allreduce(1, MPI_INT64_T, MPI_SUM); }, [] { allreduce(1, MPI_DOUBLE, MPI_SUM); },
                  "MPI_Allreduce of 8 bytes (MPI_INT64_T) with MPI_SUM", "MPI_Allreduce of 8 bytes (MPI_DOUBLE) with MPI_SUM");
    checkMismatch([] { allreduce(2, MPI_DOUBLE, MPI_SUM); }, [] { allreduce(1, MPI_DOUBLE, MPI_SUM); },
                  "MPI_Allreduce of 16 bytes (MPI_DOUBLE) with MPI_SUM", "MPI_Allreduce of 8 bytes (MPI_DOUBLE) with MPI_SUM");
    checkMismatch([] { gather(3, 3); }, [] { gather(2, 2); }, "MPI_Gather of 24 bytes (MPI_DOUBLE), root 0",
                  "MPI_Gather of 16 bytes (MPI_DOUBLE), root 0");
    checkMismatch([] { scatter(3, 3); }, [] { scatter(2, 2); }, "MPI_Scatter of 24 bytes (MPI_DOUBLE), root 0",
                  "MPI_Scatter of 16 bytes (MPI_DOUBLE), root 0");
}

TEST_CASE("guarded: a region that has failed by a mismatch can be run again, many times") {
    if (worldSize() == 1) return;
    for (int round = 0; round < 30; ++round) {
        checkMismatch([] { broadcast(1, MPI_INT, 0); }, [] { MPI_Barrier(MPI_COMM_WORLD); }, "MPI_Bcast of 4 bytes (MPI_INT), root 0",
                      "MPI_Barrier");
        checkFreed([] { MPI_Barrier(MPI_COMM_WORLD); });
        checkFreed([] { allreduce(1, MPI_DOUBLE, MPI_SUM); });
    }
}

TEST_CASE("guarded: ranks may describe equal data by types that differ") {
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_commit(&pair);
    MPI_Datatype spread = MPI_DATATYPE_NULL;
    MPI_Type_vector(4, 1, 2, MPI_DOUBLE, &spread);
    MPI_Type_commit(&spread);
    checkMatch([&] { broadcast(2, pair, 0); }, [&] { broadcast(1, spread, 0); });
    checkMatch([&] { broadcast(1, spread, 0); }, [] { broadcast(4, MPI_DOUBLE, 0); });
    checkMatch([] { broadcast(8, MPI_CHAR, 0); }, [] { broadcast(8, MPI_BYTE, 0); });
    checkMatch([] { allreduce(2, MPI_LONG, MPI_SUM); }, [] { allreduce(2, MPI_INT64_T, MPI_SUM); });
    checkMatch([] { broadcast(0, MPI_CHAR, 0); }, [] { broadcast(0, MPI_DOUBLE, 0); });
    MPI_Type_free(&pair);
    MPI_Type_free(&spread);
}

TEST_CASE("guarded: arguments that MPI ignores on a rank are not compared") {
    const auto size = static_cast<std::size_t>(worldSize());
    const std::vector<int> counts(size, 1);
    std::vector<int> places(size);
    for (std::size_t i = 0; i < size; ++i) places[i] = static_cast<int>(i);
    checkMatch([] { gather(2, worldRank() == 0 ? 2 : 77); }, [] { gather(2, worldRank() == 0 ? 2 : 55); });
    checkMatch([] { scatter(worldRank() == 0 ? 2 : 77, 2); }, [] { scatter(worldRank() == 0 ? 2 : 55, 2); });
    const Call inPlace = [] {
        const void* own = worldRank() == 0 ? MPI_IN_PLACE : sent.data();
        MPI_Gather(own, worldRank() == 0 ? 0 : 1, worldRank() == 0 ? MPI_DATATYPE_NULL : MPI_DOUBLE, received.data(), 1, MPI_DOUBLE, 0,
                   MPI_COMM_WORLD);
        MPI_Allgather(MPI_IN_PLACE, worldRank(), MPI_DATATYPE_NULL, received.data(), 1, MPI_DOUBLE, MPI_COMM_WORLD);
    };
    checkMatch(inPlace, inPlace);
    const Call ofMany = [&] {
        MPI_Gatherv(sent.data(), 1, MPI_DOUBLE, received.data(), counts.data(), places.data(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Alltoallv(sent.data(), counts.data(), places.data(), MPI_DOUBLE, received.data(), counts.data(), places.data(), MPI_DOUBLE,
                      MPI_COMM_WORLD);
    };
    checkMatch(ofMany, ofMany);
}

TEST_CASE("guarded: counts that must be equal on all ranks are compared, rank by rank") {
    if (worldSize() == 1) return;
    const auto size = static_cast<std::size_t>(worldSize());
    std::vector<int> counts(size, 2);
    std::vector<int> others = counts;
    ++others.front();
    --others.back();    // the sum is the same
    std::vector<int> places(size);
    for (std::size_t i = 0; i < size; ++i) places[i] = static_cast<int>(3 * i);
    const auto gatherAll = [&](const std::vector<int>& of) {
        MPI_Allgatherv(sent.data(), of[static_cast<std::size_t>(worldRank())], MPI_DOUBLE, received.data(), of.data(), places.data(),
                       MPI_DOUBLE, MPI_COMM_WORLD);
    };
    const auto reduceParts = [&](const std::vector<int>& of) {
        MPI_Reduce_scatter(sent.data(), received.data(), of.data(), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    };
    const std::string bytes = std::to_string(16 * size);
    checkMatch([&] { gatherAll(counts); }, [&] { gatherAll(counts); });
    checkMatch([&] { reduceParts(others); }, [&] { reduceParts(others); });
    checkMismatch([&] { gatherAll(others); }, [&] { gatherAll(counts); }, "MPI_Allgatherv of " + bytes + " bytes: 24, ",
                  "MPI_Allgatherv of " + bytes + " bytes: 16, 16");
    checkMismatch([&] { reduceParts(others); }, [&] { reduceParts(counts); }, "MPI_Reduce_scatter of " + bytes + " bytes: 24, ",
                  "MPI_Reduce_scatter of " + bytes + " bytes: 16, 16");
}

TEST_CASE("guarded: operations of the program are not compared") {
    std::array<MPI_Op, 2> operations{};
    for (MPI_Op& operation : operations) {
        MPI_Op_create(
            [](void* from, void* to, int* count, MPI_Datatype*) {
                for (int i = 0; i < *count; ++i) static_cast<double*>(to)[i] += static_cast<double*>(from)[i];
            },
            1, &operation);
    }
    checkMatch([&] { allreduce(2, MPI_DOUBLE, operations[0]); }, [&] { allreduce(2, MPI_DOUBLE, operations[1]); });
    for (MPI_Op& operation : operations) MPI_Op_free(&operation);
}

namespace {

using Start = std::function<void(MPI_Request*)>;

/// The last rank starts another non-blocking collective than the others. polls: whether the ranks test their requests in place of a wait.
void checkStartedMismatch(const Start& ofLast, const Start& ofOthers, const std::string& textOfLast, const std::string& textOfOthers,
                          bool polls) {
    CAPTURE(textOfLast);
    const ferry::ExceptionList failures = failuresOf([&] {
        allreduce(3, MPI_DOUBLE, MPI_SUM);
        MPI_Request agreed = MPI_REQUEST_NULL;
        MPI_Ibarrier(MPI_COMM_WORLD, &agreed);
        MPI_Request request = MPI_REQUEST_NULL;
        isLast() ? ofLast(&request) : ofOthers(&request);
        MPI_Wait(&agreed, MPI_STATUS_IGNORE);
        for (int isOver = 0; polls && isOver == 0;) MPI_Test(&request, &isOver, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    });
    REQUIRE(failures.size() == 1);
    const auto* mismatch = failures.front().as<ferry::CollectiveMismatch>();
    REQUIRE(mismatch != nullptr);
    CHECK(mismatch->here().rank == worldSize() - 1);
    CHECK(mismatch->there().rank == 0);
    CHECK(mismatch->here().call == textOfLast);
    CHECK(mismatch->there().call == textOfOthers);
    checkUsable();
}

}    // namespace

TEST_CASE("guarded: ranks whose non-blocking collectives differ fail, and no rank makes them") {
    if (worldSize() == 1) return;
    const Start barrier = [](MPI_Request* request) { MPI_Ibarrier(MPI_COMM_WORLD, request); };
    const auto broadcastFrom = [](int root, int count) {
        return [=](MPI_Request* request) { MPI_Ibcast(sent.data(), count, MPI_DOUBLE, root, MPI_COMM_WORLD, request); };
    };
    const auto sumOf = [](int count, MPI_Op operation) {
        return [=](MPI_Request* request) {
            MPI_Iallreduce(sent.data(), received.data(), count, MPI_DOUBLE, operation, MPI_COMM_WORLD, request);
        };
    };
    const std::string broadcasted = "MPI_Ibcast of 24 bytes (MPI_DOUBLE), root 0";
    for (const bool polls : {false, true}) {
        checkStartedMismatch(barrier, broadcastFrom(0, 3), "MPI_Ibarrier", broadcasted, polls);
        checkStartedMismatch(broadcastFrom(1, 3), broadcastFrom(0, 3), "MPI_Ibcast of 24 bytes (MPI_DOUBLE), root 1", broadcasted, polls);
        checkStartedMismatch(broadcastFrom(0, 4), broadcastFrom(0, 3), "MPI_Ibcast of 32 bytes (MPI_DOUBLE), root 0", broadcasted, polls);
        checkStartedMismatch(sumOf(1, MPI_MAX), sumOf(1, MPI_SUM), "MPI_Iallreduce of 8 bytes (MPI_DOUBLE) with MPI_MAX",
                             "MPI_Iallreduce of 8 bytes (MPI_DOUBLE) with MPI_SUM", polls);
    }
}

TEST_CASE("guarded: ranks may describe equal data of non-blocking collectives by types that differ") {
    MPI_Datatype triple = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(3, MPI_DOUBLE, &triple);
    MPI_Type_commit(&triple);
    const ferry::ExceptionList failures = failuresOf([&] {
        for (int i = 0; i < 3; ++i) {
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Ibcast(sent.data(), isLast() ? 1 : 3, isLast() ? triple : MPI_DOUBLE, 0, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    });
    CHECK(failures.size() == 0);
    MPI_Type_free(&triple);
}
