#pragma once

#include <utility>

#include <mpi.h>

#include <ferry/serialization/ints/BlockLayout.hpp>

namespace ferry::detail {

/// The description for MPI of an array that lies in blocks: a datatype for one element, and the number of elements. The address of the
/// array is that of its first element.
///
/// Ownership: owns the datatype. Errors: MpiError.
class MpiBlockType {
public:
    explicit MpiBlockType(const BlockLayout& blocks);
    MpiBlockType(const MpiBlockType&) = delete;
    MpiBlockType& operator=(const MpiBlockType&) = delete;
    ~MpiBlockType();

    MPI_Datatype type() const noexcept { return type_; }
    int count() const noexcept { return count_; }
    /// Leaves the datatype to the caller, who frees it.
    MPI_Datatype release() noexcept { return std::exchange(type_, MPI_DATATYPE_NULL); }

private:
    int count_;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}    // namespace ferry::detail
