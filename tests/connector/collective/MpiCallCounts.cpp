#include <ferry/tests/connector/collective/MpiCallCounts.hpp>

#include <mpi.h>

using ferry::test::mpiCallCounts;

ferry::test::MpiCallCounts& ferry::test::mpiCallCounts() noexcept {
    thread_local MpiCallCounts counts;
    return counts;
}

extern "C" {

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm communicator) {
    ++mpiCallCounts().broadcasts;
    return PMPI_Bcast(data, count, type, root, communicator);
}

int MPI_Allgather(const void* own, int ownCount, MPI_Datatype ownType, void* all, int count, MPI_Datatype type, MPI_Comm communicator) {
    ++mpiCallCounts().allGathers;
    return PMPI_Allgather(own, ownCount, ownType, all, count, type, communicator);
}

int MPI_Allgatherv(const void* own, int ownCount, MPI_Datatype ownType, void* all, const int counts[], const int places[],
                   MPI_Datatype type, MPI_Comm communicator) {
    ++mpiCallCounts().allGathers;
    return PMPI_Allgatherv(own, ownCount, ownType, all, counts, places, type, communicator);
}

int MPI_Alltoall(const void* own, int ownCount, MPI_Datatype ownType, void* all, int count, MPI_Datatype type, MPI_Comm communicator) {
    ++mpiCallCounts().allToAlls;
    return PMPI_Alltoall(own, ownCount, ownType, all, count, type, communicator);
}

int MPI_Alltoallv(const void* own, const int ownCounts[], const int ownPlaces[], MPI_Datatype ownType, void* all, const int counts[],
                  const int places[], MPI_Datatype type, MPI_Comm communicator) {
    ++mpiCallCounts().allToAlls;
    return PMPI_Alltoallv(own, ownCounts, ownPlaces, ownType, all, counts, places, type, communicator);
}

int MPI_Reduce(const void* own, void* combined, int count, MPI_Datatype type, MPI_Op combine, int root, MPI_Comm communicator) {
    ++mpiCallCounts().reductions;
    return PMPI_Reduce(own, combined, count, type, combine, root, communicator);
}

int MPI_Allreduce(const void* own, void* combined, int count, MPI_Datatype type, MPI_Op combine, MPI_Comm communicator) {
    ++mpiCallCounts().reductions;
    return PMPI_Allreduce(own, combined, count, type, combine, communicator);
}

int MPI_Scan(const void* own, void* combined, int count, MPI_Datatype type, MPI_Op combine, MPI_Comm communicator) {
    ++mpiCallCounts().reductions;
    return PMPI_Scan(own, combined, count, type, combine, communicator);
}

int MPI_Barrier(MPI_Comm communicator) {
    ++mpiCallCounts().others;
    return PMPI_Barrier(communicator);
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm communicator) {
    ++mpiCallCounts().others;
    return PMPI_Send(data, count, type, to, tag, communicator);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm communicator, MPI_Request* request) {
    ++mpiCallCounts().others;
    return PMPI_Isend(data, count, type, to, tag, communicator, request);
}

}    // extern "C"
