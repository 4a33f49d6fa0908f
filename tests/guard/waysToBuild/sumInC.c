/* What lies between the region and MPI: it calls back, and waits. */
#include <mpi.h>

int sumInC(int (*valueOf)(int), int rank) {
    int value = valueOf(rank);
    int sum = 0;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}
