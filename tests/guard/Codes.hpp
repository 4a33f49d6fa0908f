#pragma once

#include <array>
#include <string>

#include <mpi.h>

#include <ferry/tests/guard/Faults.hpp>

namespace ferry::test {

/// Small codes in plain MPI, as people write them. `nested` has inner regions. The last two are in Fortran, if there is a Fortran
/// compiler.
/// Each call of MPI has a call of faults.step() before it.
/// Each code returns a number that depends on all data that it has received, and is the same in each run.
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
double bridges(MPI_Comm communicator, Faults& faults);
double fortran(MPI_Comm communicator, Faults& faults);
double fortran2008(MPI_Comm communicator, Faults& faults);

struct Code {
    const char* name;
    double (*run)(MPI_Comm communicator, Faults& faults);
};

inline constexpr std::array codes{
    Code{"jacobi", jacobi},
    Code{"ring", ring},
    Code{"dynamicExchange", dynamicExchange},
    Code{"splitter", splitter},
    Code{"persistent", persistent},
    Code{"probed", probed},
    Code{"overlap", overlap},
    Code{"storage", storage},
    Code{"nested", nested},
    Code{"destructors", destructors},
    Code{"bridges", bridges},
#ifdef FERRY_HAS_FORTRAN
    Code{"fortran", fortran},
    Code{"fortran2008", fortran2008},
#endif
};

}    // namespace ferry::test
