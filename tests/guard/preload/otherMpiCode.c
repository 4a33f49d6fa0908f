// A piece of a program, or a module that a program loads, which uses the other MPI.
#include <stdio.h>

int MPI_Init(int* argc, char*** argv);
int MPI_Barrier(int communicator);
int MPI_Finalize(void);

int useOtherMpi(int argc, char** argv) {
    if (MPI_Init(&argc, &argv) != 0 || MPI_Barrier(0x12345678) != 0 || MPI_Finalize() != 0) return 1;
    puts("the other MPI was used");
    return 0;
}
