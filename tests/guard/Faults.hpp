#pragma once

#include <mpi.h>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry::test {

/// What the tests throw: it says where.
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
    /// Throws at no step.
    Faults() = default;
    /// step: from 1; 0: none.
    Faults(int rank, int step) : rank_(rank), armed_(step) {}

    /// Before a call of MPI.
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
