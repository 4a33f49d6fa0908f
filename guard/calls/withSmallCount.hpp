#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include <mpi.h>

namespace ferry::pmpi {

/// Calls a function with a count and a type that describe the given elements, for calls of MPI whose counts are of type int. More elements
/// than an int counts become one element of a type that lives until the messages of the call are over.
template <class Count, class Call>
int withSmallCount(Count count, MPI_Datatype type, Call call) {
    constexpr Count most = std::numeric_limits<int>::max();
    if (count <= most) [[likely]]
        return call(static_cast<int>(std::max(count, Count{-1})), type);    // the library refuses a count below 0
#if MPI_VERSION >= 4
    struct Whole {
        Whole(const Whole&) = delete;
        Whole& operator=(const Whole&) = delete;
        Whole(Count count, MPI_Datatype element) : result(PMPI_Type_contiguous_c(count, element, &type)) {
            if (result == MPI_SUCCESS) result = PMPI_Type_commit(&type);
        }
        ~Whole() {
            if (type != MPI_DATATYPE_NULL) PMPI_Type_free(&type);
        }

        MPI_Datatype type = MPI_DATATYPE_NULL;
        int result;
    };
    const Whole whole(count, type);
    return whole.result == MPI_SUCCESS ? call(1, whole.type) : whole.result;
#else
    return MPI_ERR_COUNT;
#endif
}

#if MPI_VERSION >= 4
/// Sends a copy of the elements, and receives others in their place. The bytes of the copy may be more than an int counts.
inline int replaceLarge(void* data, MPI_Count count, MPI_Datatype type, int destination, int sentTag, int source, int receivedTag,
                        MPI_Comm communicator, MPI_Status* status) {
    MPI_Count byteCount = 0;
    int result = PMPI_Pack_size_c(count, type, communicator, &byteCount);
    if (result != MPI_SUCCESS) return result;
    std::vector<char> copy(static_cast<std::size_t>(byteCount));
    MPI_Count place = 0;
    result = PMPI_Pack_c(data, count, type, copy.data(), byteCount, &place, communicator);
    if (result != MPI_SUCCESS) return result;
    return MPI_Sendrecv_c(copy.data(), place, MPI_PACKED, destination, sentTag, data, count, type, source, receivedTag, communicator,
                          status);
}
#endif

}    // namespace ferry::pmpi
