/* A program in C that looks at the error codes of MPI. The last rank exits with status 7 while the others wait for it. The argument says
 * how the program handles errors, and where it waits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

static int rank = 0;
static int handledCount = 0;

static void handle(MPI_Comm* communicator, int* code, ...) {
    (void)communicator, (void)code;
    ++handledCount;
}

/* The program's own way to end: it frees what it has, and passes the code up. */
static int compute(const char* way, MPI_Comm communicator) {
    double* plate = malloc(100 * sizeof(double));
    int code = MPI_SUCCESS;
    int flag = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    if (plate == NULL) return MPI_ERR_NO_MEM;
    if (strcmp(way, "wait") == 0) {
        code = MPI_Irecv(plate, 100, MPI_DOUBLE, MPI_ANY_SOURCE, 5, communicator, &request);
        if (code == MPI_SUCCESS) code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (strcmp(way, "test") == 0) {
        code = MPI_Irecv(plate, 100, MPI_DOUBLE, MPI_ANY_SOURCE, 5, communicator, &request);
        while (code == MPI_SUCCESS && flag == 0) code = MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    } else if (strcmp(way, "receive") == 0) {
        code = MPI_Recv(plate, 100, MPI_DOUBLE, MPI_ANY_SOURCE, 5, communicator, MPI_STATUS_IGNORE);
    } else if (strcmp(way, "probe") == 0) {
        code = MPI_Probe(MPI_ANY_SOURCE, 5, communicator, MPI_STATUS_IGNORE);
    } else {
        code = MPI_Barrier(communicator);
    }
    free(plate);
    return code;
}

int main(int argc, char** argv) {
    char text[MPI_MAX_ERROR_STRING];
    int size = 0;
    int length = 0;
    MPI_Comm communicator = MPI_COMM_WORLD;
    MPI_Errhandler handler = MPI_ERRORS_RETURN;
    const char* way = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(way, "own") == 0) MPI_Comm_create_errhandler(handle, &handler);
    if (strcmp(way, "duplicate") == 0) MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    if (strcmp(way, "fatal") != 0) MPI_Comm_set_errhandler(communicator, handler);
    MPI_Barrier(communicator);
    if (rank == size - 1) exit(7);
    for (int round = 0; round < 2; ++round) {
        const int code = compute(way, communicator);
        MPI_Error_string(code, text, &length);
        printf("rank %d handled %d: %s\n", rank, handledCount, text);
    }
    fflush(stdout);
    return 9;
}
