// Stands for an MPI library of another family than the one that the guard was built for. It accepts its own handles only.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { world = 0x12345678 };    // no handle of MPICH or Open MPI

int PMPI_Get_library_version(char* text, int* length) {
    strcpy(text, FERRY_OTHER_VERSION);
    *length = (int)strlen(text);
    return 0;
}

int PMPI_Initialized(int* isInitialized) {
    *isInitialized = 1;
    return 0;
}

int PMPI_Init(int* argc, char*** argv) { return argc == NULL || argv == NULL; }

int PMPI_Barrier(int communicator) {
    if (communicator == world) return 0;
    fprintf(stderr, "the other MPI got a handle that is not its own\n");
    abort();
}

int PMPI_Allreduce(const void* given, void* result, int count, int type, int operation, int communicator) {
    (void)given, (void)result, (void)count, (void)type, (void)operation;
    return PMPI_Barrier(communicator);
}

int PMPI_Comm_test_inter(int communicator, int* isInter) {
    *isInter = 0;
    return PMPI_Barrier(communicator);
}

int PMPI_Query_thread(int* level) {
    *level = 0;
    return 0;
}

int PMPI_Finalize(void) { return 0; }

int MPI_Get_library_version(char*, int*) __attribute__((weak, alias("PMPI_Get_library_version")));
int MPI_Init(int*, char***) __attribute__((weak, alias("PMPI_Init")));
int MPI_Barrier(int) __attribute__((weak, alias("PMPI_Barrier")));
int MPI_Finalize(void) __attribute__((weak, alias("PMPI_Finalize")));
