#pragma once

namespace bench {

/// Nanoseconds of CPU time that this thread has used.
double threadCpuNs();

/// Nanoseconds on the wall.
double wallNs();

}    // namespace bench
