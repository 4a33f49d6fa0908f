#pragma once

#include <cstddef>

#include <mpi.h>

namespace ferry::detail {

/// A datatype with which MPI receives a message for which there is no memory. MPI keeps the first bytes. All other bytes overwrite each
/// other in a small room behind them.
///
/// By the standard a receive that is too short would do, but Open MPI 4 writes beyond its end. Ownership: owns the datatype, of which one
/// is received; MPI keeps it until then. Errors: MpiError.
class MpiDropType {
public:
    /// The room behind the first bytes, into which all dropped bytes go.
    static constexpr std::size_t roomBytes = 4096;

    MpiDropType(int keptBytes, int messageBytes);
    MpiDropType(const MpiDropType&) = delete;
    MpiDropType& operator=(const MpiDropType&) = delete;
    ~MpiDropType();

    MPI_Datatype type() const noexcept { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}    // namespace ferry::detail
