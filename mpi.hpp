#pragma once

/// Ferry over a communicator of a program that uses MPI itself. The program includes <mpi.h> and finalizes MPI.
///
///     #include <mpi.h>
///
///     #include <ferry/mpi.hpp>
///
///     int main(int argc, char** argv) {
///         MPI_Init(&argc, &argv);
///         {
///             ferry::Connector connector(ferry::mpiTransport(MPI_COMM_WORLD));
///             connector.barrier();
///         }
///         MPI_Finalize();
///     }

#include <ferry/connector.hpp>
#include <ferry/connector/communicatorOf.hpp>
#include <ferry/connector/datatypeOf.hpp>
#include <ferry/connector/transport/mpi/MpiTransport.hpp>
#include <ferry/connector/transport/mpi/calls/MpiError.hpp>
