#pragma once

#include <mpi.h>

#include <ferry/serialization/ints/BlockLayout.hpp>

namespace ferry {

/// The description for MPI of an array that lies in blocks: a datatype for one element, and their number. The address is that of the first
/// element.
///
/// Ownership: the datatype. Errors: MpiError.
class MpiBlockType {
public:
    explicit MpiBlockType(const BlockLayout& blocks);
    MpiBlockType(const MpiBlockType&) = delete;
    MpiBlockType& operator=(const MpiBlockType&) = delete;
    ~MpiBlockType();

    MPI_Datatype type() const noexcept { return type_; }
    int count() const noexcept { return count_; }

private:
    int count_;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}    // namespace ferry
