#pragma once

#include <cstddef>
#include <vector>

namespace ferry::detail {

/// Tells the kernels of one source where failures are recorded. The memory holds SiteFailures. Returns an error number of CUDA.
using KernelSource = int (*)(void* failures);

/// Adds a source with kernels. Each source of nvcc calls this before main. Returns true.
bool noteKernelSource(KernelSource source);

/// The sources that were added, from this one on.
std::vector<KernelSource> kernelSourcesFrom(std::size_t first);

}    // namespace ferry::detail
