#pragma once

#include <mpi.h>

#include <ferry/guard/known/MpiMust.hpp>

namespace ferry::pmpi {

/// The tags that the guard uses. marker(): on the communicators of the program, the largest tag of the MPI library. post(): on the guard's
/// communicators of windows.
class ReservedTags {
public:
    static int marker() {
        static const int tag = largest();
        return tag;
    }
    static constexpr int post() { return 1; }

private:
    static int largest() {
        void* value = nullptr;
        int isSet = 0;
        must(PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &isSet), "MPI_Comm_get_attr");
        return isSet != 0 ? *static_cast<int*>(value) : 32767;    // the least upper bound that MPI allows
    }
};

}    // namespace ferry::pmpi
