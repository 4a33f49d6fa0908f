#pragma once

#include <array>
#include <string>

#include <mpi.h>

#include <ferry/tests/connector/pmpi/Faults.hpp>

namespace ferry::test {

/// Small codes as people write them, in plain MPI (`nested` with regions inside); before each call of MPI stands faults.step(). Each
/// returns a number that depends on all that it has received, the same in each run.
double jacobi(MPI_Comm communicator, Faults& faults);
double ring(MPI_Comm communicator, Faults& faults);
double dynamicExchange(MPI_Comm communicator, Faults& faults);
double splitter(MPI_Comm communicator, Faults& faults);
double persistent(MPI_Comm communicator, Faults& faults);
double probed(MPI_Comm communicator, Faults& faults);
double overlap(MPI_Comm communicator, Faults& faults);
double storage(MPI_Comm communicator, Faults& faults);
double nested(MPI_Comm communicator, Faults& faults);
double destructors(MPI_Comm communicator, Faults& faults);

struct Code {
    const char* name;
    double (*run)(MPI_Comm communicator, Faults& faults);
};

inline constexpr std::array<Code, 10> codes{{
    {"jacobi", jacobi},
    {"ring", ring},
    {"dynamicExchange", dynamicExchange},
    {"splitter", splitter},
    {"persistent", persistent},
    {"probed", probed},
    {"overlap", overlap},
    {"storage", storage},
    {"nested", nested},
    {"destructors", destructors},
}};

}    // namespace ferry::test
