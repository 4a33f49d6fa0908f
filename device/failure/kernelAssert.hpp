#pragma once

// xassert in kernels of CUDA. A kernel can neither throw nor allocate: a failed check is recorded, and the thread of the kernel ends there.
// The device stays usable. The host throws the AssertionFailure from its next wait.

#ifdef __CUDACC__

#include <ferry/device/failure/KernelSources.hpp>
#include <ferry/device/failure/SiteRecorder.hpp>
#include <ferry/serialization/exception/xassert.hpp>

namespace ferry::detail {

static __device__ SiteFailures* kernelFailures;    // each source of nvcc has its own; null until there is a device

static int setKernelFailures(void* failures) { return static_cast<int>(cudaMemcpyToSymbol(kernelFailures, &failures, sizeof failures)); }
[[maybe_unused]] static const bool isKernelSource = noteKernelSource(&setKernelFailures);

#ifdef __CUDA_ARCH__

/// Records the failure, and ends the thread of the kernel.
#pragma nv_exec_check_disable
template <class... Arguments>
__host__ __device__ inline void failInKernel(const SiteValues& values, const char* text, const char* file, int line,
                                             const Arguments&... messageAndArguments) {
    SiteFailures* failures = kernelFailures;
    if (failures != nullptr) {
        const unsigned place = atomicAdd(&failures->count, 1u);
        if (place < SiteRecords::Kept) {
            SiteRecord& record = failures->records->kept[place];
            fillSite(record, values, text, file, line, messageAndArguments...);
            record.block[0] = blockIdx.x;
            record.block[1] = blockIdx.y;
            record.block[2] = blockIdx.z;
            record.thread[0] = threadIdx.x;
            record.thread[1] = threadIdx.y;
            record.thread[2] = threadIdx.z;
            record.values.item = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
            atomicAdd(&failures->records->count, 1u);
        }
    }
    asm volatile("exit;");
}

#endif

}    // namespace ferry::detail

#ifdef __CUDA_ARCH__

// xassert.hpp is included once, above, so that the macros stay as they are from here on.
#undef FERRY_ASSERT_CHECK
#undef FERRY_ASSERT_SKIP
#define FERRY_ASSERT_CHECK(text_, condition_, ...)                                                                                \
    do {                                                                                                                          \
        if (const ::ferry::detail::SiteValues failed_ = ::ferry::detail::siteValues(::ferry::detail::Decomposer() <= condition_); \
            failed_.isFailed) {                                                                                                   \
            ::ferry::detail::failInKernel(failed_, text_, __FILE__, __LINE__ __VA_OPT__(, ) __VA_ARGS__);                         \
        }                                                                                                                         \
    } while (false)
#define FERRY_ASSERT_SKIP(condition_, ...) \
    do {                                   \
        if (false) {                       \
            static_cast<void>(condition_); \
        }                                  \
    } while (false)

#endif

#endif
