#include <ferry/guard/known/MpiMust.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace ferry::pmpi {

void abortFor(const char* call, int result) {
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    if (PMPI_Error_string(result, text.data(), &length) != MPI_SUCCESS) length = 0;
    std::fprintf(stderr, "ferry: %s failed in a guarded region, which cannot end without it: %.*s\n", call, length, text.data());
    PMPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
}

}    // namespace ferry::pmpi
