#include <ferry/guard/known/MpiMust.hpp>

#include <unistd.h>
#include <array>
#include <chrono>
#include <cstdio>
#include <thread>

namespace ferry::pmpi {

void abortFor(const char* call, int result) {
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    if (PMPI_Error_string(result, text.data(), &length) != MPI_SUCCESS) length = 0;
    std::fprintf(stderr, "ferry: %s failed in a guarded region, which cannot end without it: %.*s\n", call, length, text.data());
    abortJob(1);
}

void abortJob(int status) noexcept {
    constexpr auto timeForReport = std::chrono::milliseconds(100);
    std::fflush(nullptr);
    std::this_thread::sleep_for(timeForReport);
    PMPI_Abort(MPI_COMM_WORLD, status);
    ::_exit(status);
}

}    // namespace ferry::pmpi
