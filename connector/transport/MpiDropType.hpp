#pragma once

#include <cstddef>

#include <mpi.h>

namespace ferry {

/// How MPI receives a message for which there is no memory: the first bytes are kept, and all others come one over the other into a few
/// bytes behind them.
///
/// A receive that is too short would do by the standard, but Open MPI 4 writes beyond its end. Ownership: the datatype, of which one is
/// received; MPI keeps it until then. Errors: MpiError.
class MpiDropType {
public:
    /// The bytes behind the first ones, for all that is dropped.
    static constexpr std::size_t roomBytes = 4096;

    MpiDropType(int keptBytes, int messageBytes);
    MpiDropType(const MpiDropType&) = delete;
    MpiDropType& operator=(const MpiDropType&) = delete;
    ~MpiDropType();

    MPI_Datatype type() const noexcept { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}    // namespace ferry
