// Kernels in Fortran under a driver in C++. Exceptions pass through the Fortran frames, and the driver frees the objects of the kernels.
#include <string>

#include <ferry/tests/guard/Codes.hpp>
#include <ferry/tests/guard/CommonFile.hpp>

namespace ferry::test {

namespace {

Faults* presentFaults = nullptr;

/// Frees at the end, and when an exception passes.
class FreeAtEnd {
public:
    explicit FreeAtEnd(void (*free)()) : free_(free) {}
    FreeAtEnd(const FreeAtEnd&) = delete;
    FreeAtEnd& operator=(const FreeAtEnd&) = delete;
    ~FreeAtEnd() { free_(); }

private:
    void (*free_)();
};

}    // namespace

extern "C" {
void ferry_test_step() { presentFaults->step(); }
void ferry_test_fortran_code(const MPI_Fint* communicator, double* total);
void ferry_test_free_fortran();
void ferry_test_fortran_2008_code(const MPI_Fint* communicator, const char* fileName, double* total);
void ferry_test_free_fortran_2008();
}

double fortran(MPI_Comm communicator, Faults& faults) {
    presentFaults = &faults;
    const FreeAtEnd free(ferry_test_free_fortran);
    const MPI_Fint number = MPI_Comm_c2f(communicator);
    double total = 0;
    ferry_test_fortran_code(&number, &total);
    return total;
}

double fortran2008(MPI_Comm communicator, Faults& faults) {
    presentFaults = &faults;
    const std::string fileName = commonFileName(communicator);
    const FreeAtEnd free(ferry_test_free_fortran_2008);
    const MPI_Fint number = MPI_Comm_c2f(communicator);
    double total = 0;
    ferry_test_fortran_2008_code(&number, fileName.c_str(), &total);
    return total;
}

}    // namespace ferry::test
