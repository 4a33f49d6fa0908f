/* A program in C: the last rank gives up in the middle, while the others wait for it through a callback of C.
   Arguments: a status for exit(), or `thread`: the rank ends its thread. `thread afterMpi`: all ranks end their threads after MPI_Finalize. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

static int compare(const void* left, const void* right) {
    int one = 1;
    int sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return *(const int*)left - *(const int*)right;
}

int main(int argc, char** argv) {
    int rank = 0;
    int size = 0;
    int numbers[] = {3, 1, 2};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    qsort(numbers, 3, sizeof(int), compare);
    if (argc == 2 && rank == size - 1) {
        if (strcmp(argv[1], "thread") == 0) pthread_exit(NULL);
        exit(atoi(argv[1]));
    }
    qsort(numbers, 3, sizeof(int), compare);
    if (rank == 0) printf("%d %d %d\n", numbers[0], numbers[1], numbers[2]);
    MPI_Finalize();
    if (argc == 3) pthread_exit(NULL);
    return 0;
}
