#include <ferry/device/runtime/Runtime.hpp>

#include <ferry/device/failure/DeviceError.hpp>

namespace ferry::detail {

namespace {

std::size_t bytesOf(std::span<const DevicePiece> pieces) {
    std::size_t bytes = 0;
    for (const DevicePiece& piece : pieces) bytes += piece.bytes;
    return bytes;
}

/// An event of a device on which nothing is ever under way.
class ReachedEvent final : public RuntimeEvent {
public:
    bool isReached() override { return true; }
    void wait() override {}
};

}    // namespace

DeviceBlock Runtime::reserve(std::size_t bytes) {
    ++transfers_.allocations;
    return doReserve(bytes);
}

std::byte* Runtime::reserveStaging(std::size_t bytes) {
    ++transfers_.allocations;
    return doReserveStaging(bytes);
}

void Runtime::copyTo(std::byte* device, const void* host, std::size_t bytes) {
    if (bytes == 0) return;
    doCopyTo(device, host, bytes);
    ++transfers_.toDevice;
    transfers_.toDeviceBytes += bytes;
}

void Runtime::copyFrom(void* host, const std::byte* device, std::size_t bytes) {
    if (bytes == 0) return;
    doCopyFrom(host, device, bytes);
    ++transfers_.fromDevice;
    transfers_.fromDeviceBytes += bytes;
}

void Runtime::copyWithin(std::byte* to, const std::byte* from, std::size_t bytes) {
    wait();
    if (bytes != 0) doCopyWithin(to, from, bytes);
}

void Runtime::waitAndCopyFrom(std::byte* staging, const std::byte* device, std::size_t bytes) {
    if (bytes == 0) return wait();
    doWaitAndCopyFrom(staging, device, bytes);
    ++transfers_.fromDevice;
    transfers_.fromDeviceBytes += bytes;
}

void Runtime::copyManyTo(std::span<const DevicePiece> pieces) {
    if (pieces.empty()) return;
    doCopyManyTo(pieces);
    ++transfers_.toDevice;
    ++transfers_.batches;
    transfers_.toDeviceBytes += bytesOf(pieces);
}

void Runtime::copyManyFrom(std::span<const DevicePiece> pieces) {
    if (pieces.empty()) return;
    doCopyManyFrom(pieces);
    ++transfers_.fromDevice;
    ++transfers_.batches;
    transfers_.fromDeviceBytes += bytesOf(pieces);
}

void Runtime::run(std::size_t count, const HostKernel& kernel, const LaunchPlace& launch) {
    wait();    // failures of earlier launches come first
    ++transfers_.launches;
    if (count != 0) doRun(count, kernel, launch);
}

void Runtime::launch(QueueNumber, std::size_t count, const HostKernel& kernel, const LaunchPlace& launch) {
    ++transfers_.launches;
    if (count != 0) doLaunch(count, kernel, launch);
}

void Runtime::launch(QueueNumber queue, const CompiledKernel& kernel, const LaunchPlace& launch) {
    ++transfers_.launches;
    doLaunch(queue, kernel, launch);
}

std::unique_ptr<RuntimeEvent> RuntimeQueues::mark(QueueNumber) { return std::make_unique<ReachedEvent>(); }

void Runtime::doWaitAndCopyFrom(std::byte* staging, const std::byte* device, std::size_t bytes) {
    wait();
    doCopyFrom(staging, device, bytes);
}

void Runtime::doCopyManyTo(std::span<const DevicePiece> pieces) {
    for (const DevicePiece& piece : pieces) doCopyTo(piece.device, piece.host, piece.bytes);
}

void Runtime::doCopyManyFrom(std::span<const DevicePiece> pieces) {
    for (const DevicePiece& piece : pieces) doCopyFrom(piece.host, piece.device, piece.bytes);
}

void Runtime::doRun(std::size_t, const HostKernel&, const LaunchPlace&) {
    throw DeviceError(DeviceProblem::NoDevice, name(), "a function of the host cannot be a kernel here: use Device::host() for it");
}

void Runtime::doLaunch(std::size_t count, const HostKernel& kernel, const LaunchPlace& launch) { doRun(count, kernel, launch); }

void Runtime::doLaunch(QueueNumber, const CompiledKernel&, const LaunchPlace&) {
    throw DeviceError(DeviceProblem::NoDevice, name(), "blocks of threads are for kernels of CUDA: use Device::cuda() for them");
}

std::unique_ptr<RuntimeProgram> Runtime::doBuild(KernelText) {
    throw DeviceError(DeviceProblem::NoDevice, name(), "kernels in OpenCL C cannot run here: use Device::openCl() for them");
}

}    // namespace ferry::detail
