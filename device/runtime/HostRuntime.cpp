#include <ferry/device/runtime/HostRuntime.hpp>

#include <cstring>
#include <new>
#include <utility>

#include <unistd.h>

#include <ferry/device/failure/KernelFailure.hpp>
#include <ferry/device/runtime/Poison.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

constexpr std::align_val_t StagingAlignment{4096};

std::size_t memoryOfMachine() noexcept {
    return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// While the object lives, kernels may use the memory of the device and must not use copied objects.
/// Errors: UsageError when another one lives: the end of an inner kernel would take the memory away from the kernel around it. Those of
/// MappedMemory::allow().
class KernelTime {
public:
    KernelTime(std::atomic<bool>& isRunning, MappedMemory& memory, std::span<CopiedObjects* const> copied)
        : isRunning_(isRunning),
          memory_(memory),
          copied_(copied) {
        if (isRunning_.exchange(true)) throw UsageError("a kernel launched a kernel on its own device: launches are for the host");
        try {
            memory_.allow();
        } catch (...) {
            isRunning_ = false;
            throw;
        }
        setForbidden(true);
    }
    KernelTime(const KernelTime&) = delete;
    KernelTime& operator=(const KernelTime&) = delete;
    ~KernelTime() {
        setForbidden(false);
        memory_.forbid();
        isRunning_ = false;
    }

private:
    void setForbidden(bool isForbidden) noexcept {
        if (!canPoison()) return;
        for (CopiedObjects* objects : copied_) objects->setForbidden(isForbidden);
    }

    std::atomic<bool>& isRunning_;
    MappedMemory& memory_;
    std::span<CopiedObjects* const> copied_;
};

}    // namespace

HostRuntime::HostRuntime(std::size_t threads, std::size_t memoryBytes)
    : memory_(memoryBytes != 0 ? memoryBytes : memoryOfMachine()),
      threads_(threads) {}

DeviceBlock HostRuntime::doReserve(std::size_t bytes) { return memory_.reserve(bytes); }

void HostRuntime::release(DeviceBlock block) noexcept {
    unpoison(block.address, block.bytes);
    memory_.release(block);
}

std::byte* HostRuntime::doReserveStaging(std::size_t bytes) { return static_cast<std::byte*>(::operator new(bytes, StagingAlignment)); }

void HostRuntime::releaseStaging(std::byte* memory, std::size_t) noexcept { ::operator delete(memory, StagingAlignment); }

void HostRuntime::doCopyTo(std::byte* device, const void* host, std::size_t bytes) {
    std::memcpy(memory_.forTransfer(device, bytes), host, bytes);
}

void HostRuntime::doCopyFrom(void* host, const std::byte* device, std::size_t bytes) {
    std::memcpy(host, memory_.forTransfer(device, bytes), bytes);
}

void HostRuntime::doCopyWithin(std::byte* to, const std::byte* from, std::size_t bytes) {
    std::memcpy(memory_.forTransfer(to, bytes), memory_.forTransfer(from, bytes), bytes);
}

KernelThreads::Failure HostRuntime::runAllowed(std::size_t count, const HostKernel& kernel) {
    const KernelTime time(isRunning_, memory_, copied());
    return threads_.run(count, kernel);
}

void HostRuntime::doRun(std::size_t count, const HostKernel& kernel, const LaunchPlace& launch) {
    KernelThreads::Failure failure = runAllowed(count, kernel);
    if (failure.exception != nullptr) throwKernelFailure(std::move(failure.exception), name(), launch, failure.item);
}

void HostRuntime::doLaunch(std::size_t count, const HostKernel& kernel, const LaunchPlace& launch) {
    KernelThreads::Failure failure = runAllowed(count, kernel);
    if (failure.exception == nullptr || failure_.exception != nullptr) return;
    failure_ = std::move(failure);
    failedLaunch_ = launch;
}

void HostRuntime::wait() {
    if (failure_.exception == nullptr) return;
    const KernelThreads::Failure failure = std::exchange(failure_, {});
    throwKernelFailure(failure.exception, name(), failedLaunch_, failure.item);
}

}    // namespace ferry::detail
