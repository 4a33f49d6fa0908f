#include <ferry/benchmarks/support/Clocks.hpp>

#include <time.h>

namespace bench {

namespace {

double readNs(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

}    // namespace

double threadCpuNs() { return readNs(CLOCK_THREAD_CPUTIME_ID); }

double wallNs() { return readNs(CLOCK_MONOTONIC); }

}    // namespace bench
