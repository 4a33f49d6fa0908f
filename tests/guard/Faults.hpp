#pragma once

#include <mpi.h>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry::test {

/// The exception that the tests throw. The exception names the rank and the step.
class InjectedFault : public Exception {
public:
    FERRY_EXCEPTION(ferry::test::InjectedFault)
    FERRY_FIELDS(rank, step)
    InjectedFault() = default;
    InjectedFault(int theRank, int theStep);
    int rank = -1;
    int step = 0;
};

/// Counts the steps of one rank through a code, and throws at one of them.
class Faults {
public:
    /// Makes an object that never throws.
    Faults() = default;
    /// step: counted from 1; 0: never throws.
    Faults(int rank, int step) : rank_(rank), armed_(step) {}

    /// Call this before each call of MPI.
    void step() {
        if (++count_ == armed_) fail();
    }
    int count() const noexcept { return count_; }

private:
    [[noreturn]] void fail() const;

    int rank_ = -1;
    int armed_ = 0;
    int count_ = 0;
};

}    // namespace ferry::test
