#pragma once

namespace bench {

/// Nanoseconds of CPU time that this thread has used.
double threadCpuNs();

/// Nanoseconds of wall-clock time.
double wallNs();

}    // namespace bench
