#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <mpi.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/guard/region/guarded.hpp>

namespace ferry::test {

inline int worldRank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

inline int worldSize() {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/// Whether the stack of the failure begins in this file of the tests. True without the names of stacks.
inline bool begins(const Failure& failure, const std::string& file) {
    const std::vector<detail::StackFrame> stack = failure.origin().stack;
    return stack.empty() || stack.front().file.empty() || stack.front().file.ends_with("/" + file);
}

/// Runs a region on MPI_COMM_WORLD. Returns its failures; an empty list when the region succeeds.
inline ExceptionList failuresOf(const std::function<void()>& function) {
    try {
        guarded(MPI_COMM_WORLD, function);
    } catch (const ExceptionList& list) {
        return list;
    }
    return {};
}

/// Checks that the communicators are usable: another region does a sum and sends a message around the ring.
inline void checkUsable() {
    int sum = 0;
    int received = -1;
    const int rank = worldRank();
    const int size = worldSize();
    const ExceptionList failures = failuresOf([&] {
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    });
    CHECK(failures.size() == 0);
    CHECK(sum == size * (size - 1) / 2);
    CHECK(received == (rank + size - 1) % size);
}

/// Rank 0 throws, and all others are in waiting() or enter it. Checks that all ranks leave with this one failure.
inline void checkFreed(const std::function<void()>& waiting) {
    const ExceptionList failures = failuresOf([&] {
        if (worldRank() == 0) throw std::domain_error("matrix is singular");
        waiting();
    });
    REQUIRE(failures.size() == 1);
    CHECK(failures.front().as<std::domain_error>() != nullptr);
    CHECK(failures.front().what() == std::string("matrix is singular"));
    CHECK(failures.front().rank() == 0);
    CHECK(failures.front().origin().rank == 0);
    checkUsable();
}

}    // namespace ferry::test
