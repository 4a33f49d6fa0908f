#pragma once

/// Objects, connectors and jobs: all that a program of Ferry's own needs. Doors beside it: <ferry/guarded.hpp> for programs that call MPI
/// themselves, <ferry/mpi.hpp> for a connector over their communicator, <ferry/simulate.hpp> for tests, <ferry/boost.hpp> for types with
/// functions for Boost.Serialization.
///
///     #include <ferry/ferry.hpp>
///
///     int main(int argc, char** argv) {
///         ferry::Application app(argc, argv);
///         return app.runOnAll([](ferry::Connector& connector) { connector.barrier(); });
///     }

#include <ferry/connector.hpp>
#include <ferry/jobs.hpp>
#include <ferry/objects.hpp>
