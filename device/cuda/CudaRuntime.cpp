#include <ferry/device/cuda/CudaRuntime.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <ferry/device/failure/DeviceError.hpp>
#include <ferry/device/failure/KernelSources.hpp>
#include <ferry/device/program/SiteFailure.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

extern "C" ferry::detail::Runtime* ferryMakeCudaRuntime();
extern "C" ferry::detail::Runtime* ferryMakeCudaRuntime() { return std::make_unique<ferry::detail::CudaRuntime>().release(); }

namespace ferry::detail {

namespace {

DeviceProblem problemOf(cudaError_t code) noexcept {
    switch (code) {
        case cudaErrorNoDevice:
        case cudaErrorInsufficientDriver:
        case cudaErrorInitializationError:
        case cudaErrorSystemNotReady:
        case cudaErrorStubLibrary: return DeviceProblem::NoDevice;
        case cudaErrorMemoryAllocation: return DeviceProblem::OutOfDeviceMemory;
        case cudaErrorIllegalAddress:
        case cudaErrorMisalignedAddress:
        case cudaErrorIllegalInstruction:
        case cudaErrorInvalidPc:
        case cudaErrorLaunchFailure:
        case cudaErrorLaunchTimeout:
        case cudaErrorAssert: return DeviceProblem::KernelFault;
        default: return DeviceProblem::DeviceLost;
    }
}

/// The failures of the process, which live as long as the process: kernels know their address.
struct ProcessRecords {
    std::mutex mutex;
    SiteFailures* failures = nullptr;
    SiteRecords* records = nullptr;
    std::size_t sources = 0;    // that know the address
};
ProcessRecords& processRecords() {
    static ProcessRecords& one = *new ProcessRecords;
    return one;
}

class CudaEvent final : public RuntimeEvent {
public:
    explicit CudaEvent(std::string device) : device_(std::move(device)) {}
    ~CudaEvent() override {
        if (event != nullptr) static_cast<void>(cudaEventDestroy(event));
    }

    bool isReached() override {
        const cudaError_t code = cudaEventQuery(event);
        if (code == cudaErrorNotReady) return false;
        check(code);
        return true;
    }
    void wait() override { check(cudaEventSynchronize(event)); }

    cudaEvent_t event = nullptr;

private:
    void check(cudaError_t code) const {
        if (code == cudaSuccess) return;
        throw DeviceError(problemOf(code), device_, fmt::format("waiting for an event failed: {}", cudaGetErrorString(code)));
    }

    std::string device_;
};

}    // namespace

CudaRuntime::CudaRuntime() : threads_(CopyThreads::forThisMachine()), paged_(*this, threads_), images_(*this, threads_) {
    int count = 0;
    check(cudaGetDeviceCount(&count), "looking for devices");
    if (count == 0) throw DeviceError(DeviceProblem::NoDevice, name_, "this machine has no CUDA device");
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0), "asking for the properties of the device");
    check(cudaSetDevice(0), "choosing the device");
    name_ = fmt::format("CUDA ({})", properties.name);
    prepareSources();
    void* marks = nullptr;
    check(cudaMallocHost(&marks, LaunchLog::Kept * sizeof(std::uint32_t)), "reserving memory of the host");
    marks_ = static_cast<std::uint32_t*>(marks);
    try {
        for (cudaEvent_t& fence : fences_) check(cudaEventCreateWithFlags(&fence, cudaEventDisableTiming), "making an event");
        log_ = std::make_unique<LaunchLog>(marks_);
    } catch (...) {
        static_cast<void>(cudaFreeHost(marks_));
        throw;
    }
}

CudaRuntime::~CudaRuntime() {
    static_cast<void>(cudaDeviceSynchronize());
    for (cudaStream_t stream : streams_) {
        if (stream != nullptr) static_cast<void>(cudaStreamDestroy(stream));
    }
    for (cudaEvent_t fence : fences_) static_cast<void>(cudaEventDestroy(fence));
    static_cast<void>(cudaFreeHost(marks_));
}

void CudaRuntime::prepareSources() {
    ProcessRecords& process = processRecords();
    const std::lock_guard lock(process.mutex);
    if (process.failures == nullptr) {
        void* records = nullptr;
        check(cudaHostAlloc(&records, sizeof(SiteRecords), cudaHostAllocMapped | cudaHostAllocPortable), "reserving memory for failures");
        process.records = new (records) SiteRecords;
        void* failures = nullptr;
        check(cudaMalloc(&failures, sizeof(SiteFailures)), "reserving memory for failures");
        const SiteFailures none{0, 0, process.records};
        check(cudaMemcpy(failures, &none, sizeof none, cudaMemcpyHostToDevice), "reserving memory for failures");
        process.failures = static_cast<SiteFailures*>(failures);
    }
    failures_ = process.failures;
    records_ = process.records;
    for (const KernelSource source : kernelSourcesFrom(process.sources)) {
        check(source(failures_), "preparing the kernels of a source");
        ++process.sources;
    }
}

std::string CudaRuntime::launchOr(std::string_view action) const {
    const std::optional<LaunchPlace> place = log_ == nullptr ? std::nullopt : log_->firstNotEnded();
    if (!place) return std::string(action);
    const std::string_view file = place->file;
    return fmt::format("the kernel launched at {}:{}", file.substr(file.rfind('/') + 1), place->line);
}

// Any call may be the first to find the fault of an earlier launch. An error that concerns one call alone is forgotten by
// cudaGetLastError(). After any other error every call fails.
void CudaRuntime::check(int code, std::string_view action) {
    const auto error = static_cast<cudaError_t>(code);
    if (error == cudaSuccess) return;
    if (!loss_.empty()) throw DeviceError(DeviceProblem::DeviceLost, name_, loss_, true);
    const std::string text =
        fmt::format("{} failed: {} ({})", problemOf(error) == DeviceProblem::KernelFault ? launchOr(action) : std::string(action),
                    cudaGetErrorString(error), cudaGetErrorName(error));
    static_cast<void>(cudaGetLastError());
    const cudaError_t now = problemOf(error) == DeviceProblem::NoDevice ? cudaSuccess : cudaStreamQuery(nullptr);
    if (now != cudaSuccess && now != cudaErrorNotReady) {
        loss_ = fmt::format("the device is lost for this process: {}", text);
    }
    if (log_ != nullptr && loss_.size() > 0) log_->clear();
    throw DeviceError(problemOf(error), name_, text, !loss_.empty());
}

DeviceBlock CudaRuntime::doReserve(std::size_t bytes) {
    void* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, bytes);
    if (error == cudaErrorMemoryAllocation) {
        std::size_t free = 0;
        std::size_t total = 0;
        static_cast<void>(cudaGetLastError());
        static_cast<void>(cudaMemGetInfo(&free, &total));
        throw DeviceError(DeviceProblem::OutOfDeviceMemory, name_,
                          fmt::format("a copy needs {} bytes, and {} of {} are free", bytes, free, total));
    }
    check(error, "reserving memory");
    return {static_cast<std::byte*>(memory), bytes};
}

void CudaRuntime::release(DeviceBlock block) noexcept { static_cast<void>(cudaFree(block.address)); }

std::byte* CudaRuntime::doReserveStaging(std::size_t bytes) {
    void* memory = nullptr;
    check(cudaMallocHost(&memory, bytes), "reserving memory of the host");
    auto* const bytesThere = static_cast<std::byte*>(memory);
    try {
        paged_.addStaging(bytesThere, bytes);
    } catch (...) {
        static_cast<void>(cudaFreeHost(memory));
        throw;
    }
    return bytesThere;
}

void CudaRuntime::releaseStaging(std::byte* memory, std::size_t) noexcept {
    paged_.removeStaging(memory);
    static_cast<void>(cudaFreeHost(memory));
}

// The staging memory is written again only after waitForStaging(), so that the host need not wait for a transfer to the device.
void CudaRuntime::doCopyTo(std::byte* device, const void* host, std::size_t bytes) {
    const DevicePiece piece{device, const_cast<void*>(host), bytes};
    doCopyManyTo({&piece, 1});
}

void CudaRuntime::doCopyFrom(void* host, const std::byte* device, std::size_t bytes) {
    const DevicePiece piece{const_cast<std::byte*>(device), host, bytes};
    doCopyManyFrom({&piece, 1});
}

void CudaRuntime::doCopyWithin(std::byte* to, const std::byte* from, std::size_t bytes) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, nullptr), "a copy within the device");
    finish();
}

void CudaRuntime::doCopyManyTo(std::span<const DevicePiece> pieces) { check(paged_.copyTo(pieces), "a transfer to the device"); }

void CudaRuntime::doCopyManyFrom(std::span<const DevicePiece> pieces) { check(paged_.copyFrom(pieces), "a transfer from the device"); }

void CudaRuntime::doWaitAndCopyFrom(std::byte* staging, const std::byte* device, std::size_t bytes) {
    check(cudaMemcpyAsync(staging, device, bytes, cudaMemcpyDeviceToHost, nullptr), "a transfer from the device");
    finish();
    seeFailures();
}

std::byte* CudaRuntime::makeBuffer(std::size_t bytes) noexcept {
    void* memory = nullptr;
    return cudaMallocHost(&memory, bytes) == cudaSuccess ? static_cast<std::byte*>(memory) : nullptr;
}

void CudaRuntime::freeBuffer(std::byte* buffer) noexcept { static_cast<void>(cudaFreeHost(buffer)); }

bool CudaRuntime::isPaged(const void* host) noexcept {
    cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, host) == cudaSuccess) return attributes.type == cudaMemoryTypeUnregistered;
    static_cast<void>(cudaGetLastError());
    return true;
}

int CudaRuntime::beginCopyTo(std::byte* device, const void* host, std::size_t bytes) noexcept {
    isIdle_ = false;
    return cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, nullptr);
}

int CudaRuntime::beginCopyFrom(void* host, const std::byte* device, std::size_t bytes) noexcept {
    return cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, nullptr);
}

int CudaRuntime::setFence(std::size_t number) noexcept { return cudaEventRecord(fences_[number], nullptr); }

int CudaRuntime::waitForFence(std::size_t number) noexcept { return cudaEventSynchronize(fences_[number]); }

int CudaRuntime::waitForAll() noexcept { return cudaStreamSynchronize(nullptr); }

void CudaRuntime::doLaunch(QueueNumber queue, const CompiledKernel& kernel, const LaunchPlace& launch) {
    if (kernel.launch == nullptr) {
        throw DeviceError(DeviceProblem::NoDevice, name_,
                          "a function of the host cannot be a kernel here: kernels of CUDA are launched from a source that nvcc compiles");
    }
    if (log_->isFull()) wait();
    prepareSources();
    isIdle_ = false;
    const cudaStream_t stream = streams_[static_cast<std::size_t>(queue)];
    const std::size_t mark = log_->note(queue, launch);
    const auto code = static_cast<cudaError_t>(kernel.launch(kernel, stream));
    if (code == cudaErrorInvalidConfiguration || code == cudaErrorInvalidValue || code == cudaErrorLaunchOutOfResources) {
        static_cast<void>(cudaGetLastError());
        log_->takeBack();
        throw UsageError(fmt::format("the device {} cannot launch {} blocks of {} threads: {}", name_, kernel.blocks, kernel.threads,
                                     cudaGetErrorString(code)));
    }
    if (code != cudaSuccess) {
        log_->takeBack();
        check(code, "launching a kernel");
    }
    check(cudaMemcpyAsync(marks_ + mark, &failures_->count, sizeof *marks_, cudaMemcpyDeviceToHost, stream), "marking a launch");
}

void CudaRuntime::finish() {
    cudaError_t code = cudaSuccess;
    for (cudaStream_t stream : streams_) {
        const cudaError_t ended = cudaStreamSynchronize(stream);
        if (code == cudaSuccess) code = ended;
    }
    isIdle_ = true;
    if (code != cudaSuccess) check(code, launchOr("waiting for the device"));
}

void CudaRuntime::wait() {
    finish();
    seeFailures();
}

void CudaRuntime::waitForStaging() {
    if (!isIdle_) wait();
}

void CudaRuntime::seeFailures() {
    isIdle_ = true;
    if (records_->count != 0) throwFailures();
    log_->clear();
}

void CudaRuntime::throwFailures() {
    SiteRecords& records = const_cast<SiteRecords&>(*records_);    // no kernel runs
    const auto copy = std::make_unique<SiteRecords>(records);
    records.count = 0;
    check(cudaMemset(failures_, 0, sizeof failures_->count), "forgetting failures");
    const LaunchPlace place = log_->firstFailed(0).value_or(LaunchPlace());
    log_->clear();
    throwSiteFailure(*copy, name_, place);
}

QueueNumber CudaRuntime::makeQueue() {
    auto place = std::find(streams_.begin() + 1, streams_.end(), nullptr);
    if (place == streams_.end()) place = streams_.insert(place, nullptr);
    cudaStream_t stream = nullptr;
    check(cudaStreamCreate(&stream), "making a queue");
    *place = stream;
    return static_cast<QueueNumber>(place - streams_.begin());
}

void CudaRuntime::releaseQueue(QueueNumber number) noexcept {
    cudaStream_t& stream = streams_[static_cast<std::size_t>(number)];
    static_cast<void>(cudaStreamSynchronize(stream));
    static_cast<void>(cudaStreamDestroy(stream));
    stream = nullptr;
}

std::unique_ptr<RuntimeEvent> CudaRuntime::mark(QueueNumber number) {
    auto event = std::make_unique<CudaEvent>(name_);
    check(cudaEventCreateWithFlags(&event->event, cudaEventDisableTiming), "making an event");
    check(cudaEventRecord(event->event, stream(number)), "making an event");
    return event;
}

void CudaRuntime::putBehind(QueueNumber number, RuntimeEvent& event) {
    check(cudaStreamWaitEvent(stream(number), static_cast<CudaEvent&>(event).event, 0), "waiting for an event");
}

}    // namespace ferry::detail
