#define CL_TARGET_OPENCL_VERSION 200

#include <ferry/device/opencl/OpenClRuntime.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <tuple>
#include <utility>

#include <CL/cl.h>
#include <fmt/format.h>

#include <ferry/device/failure/DeviceError.hpp>
#include <ferry/device/opencl/OpenClCheck.hpp>
#include <ferry/device/opencl/OpenClProgram.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>

extern "C" ferry::detail::Runtime* ferryMakeOpenClRuntime();
extern "C" ferry::detail::Runtime* ferryMakeOpenClRuntime() { return std::make_unique<ferry::detail::OpenClRuntime>().release(); }

namespace ferry::detail {

namespace {

constexpr std::align_val_t StagingAlignment{4096};

template <class T>
T deviceValue(cl_device_id device, cl_device_info what) {
    T value{};
    return clGetDeviceInfo(device, what, sizeof value, &value, nullptr) == CL_SUCCESS ? value : T{};
}

std::string deviceName(cl_device_id device) {
    std::size_t bytes = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_NAME, 0, nullptr, &bytes) != CL_SUCCESS || bytes == 0) return "?";
    std::string name(bytes, '\0');
    if (clGetDeviceInfo(device, CL_DEVICE_NAME, bytes, name.data(), nullptr) != CL_SUCCESS) return "?";
    name.resize(name.find('\0'));
    return name;
}

/// 0: not usable.
int worthOf(cl_device_id device) {
    const auto memory = deviceValue<cl_device_svm_capabilities>(device, CL_DEVICE_SVM_CAPABILITIES);
    if ((memory & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) == 0 || deviceValue<cl_uint>(device, CL_DEVICE_ADDRESS_BITS) != 64 ||
        deviceValue<cl_bool>(device, CL_DEVICE_COMPILER_AVAILABLE) == CL_FALSE)
        return 0;
    const auto type = deviceValue<cl_device_type>(device, CL_DEVICE_TYPE);
    return (type & CL_DEVICE_TYPE_GPU) != 0 ? 3 : (type & CL_DEVICE_TYPE_ACCELERATOR) != 0 ? 2 : 1;
}

class OpenClEvent final : public RuntimeEvent {
public:
    explicit OpenClEvent(std::string device) : device_(std::move(device)) {}
    ~OpenClEvent() override {
        if (event != nullptr) static_cast<void>(clReleaseEvent(event));
    }

    bool isReached() override {
        cl_int status = CL_COMPLETE;
        checkOpenCl(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), device_,
                    "asking for an event");
        return status <= CL_COMPLETE;    // less: what was before it has failed
    }
    void wait() override { checkOpenCl(clWaitForEvents(1, &event), device_, "waiting for an event"); }

    cl_event event = nullptr;

private:
    std::string device_;
};

}    // namespace

OpenClRuntime::OpenClRuntime() {
    // PoCL shows a second thread no devices while the first thread opens them.
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    try {
        choose();
        cl_int result = CL_SUCCESS;
        context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &result);
        check(result, "opening the device");
        queues_.front() = openQueue();
        KernelRecords none;
        records_ = clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof none, &none, &result);
        check(result, "reserving memory for failures");
    } catch (...) {
        close();
        throw;
    }
}

OpenClRuntime::~OpenClRuntime() { close(); }

void OpenClRuntime::choose() {
    cl_uint count = 0;
    check(clGetPlatformIDs(0, nullptr, &count), "looking for platforms");
    std::vector<cl_platform_id> platforms(count);
    if (count != 0) check(clGetPlatformIDs(count, platforms.data(), nullptr), "looking for platforms");
    int best = 0;
    std::size_t seen = 0;
    for (cl_platform_id platform : platforms) {
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS || count == 0) continue;
        std::vector<cl_device_id> devices(count);
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr) != CL_SUCCESS) continue;
        seen += count;
        for (cl_device_id device : devices) {
            const int worth = worthOf(device);
            if (worth <= best) continue;
            best = worth;
            device_ = device;
        }
    }
    if (best == 0) {
        throw DeviceError(DeviceProblem::NoDevice, name_,
                          fmt::format("none of {} devices has shared virtual memory, addresses of 64 bits and a compiler", seen));
    }
    name_ = fmt::format("OpenCL ({})", deviceName(device_));
    isProcessor_ = (deviceValue<cl_device_type>(device_, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
    mostBytes_ = deviceValue<cl_ulong>(device_, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
}

void OpenClRuntime::close() noexcept {
    for (cl_command_queue queue : queues_) {
        if (queue != nullptr) static_cast<void>(clFinish(queue));
    }
    forget(launches_);
    for (const auto& [address, bytes] : blocks_) clSVMFree(context_, const_cast<std::byte*>(address));
    if (records_ != nullptr) static_cast<void>(clReleaseMemObject(records_));
    for (cl_command_queue queue : queues_) {
        if (queue != nullptr) static_cast<void>(clReleaseCommandQueue(queue));
    }
    if (context_ != nullptr) static_cast<void>(clReleaseContext(context_));
}

cl_command_queue OpenClRuntime::openQueue() const {
    cl_int result = CL_SUCCESS;
    cl_command_queue queue = clCreateCommandQueueWithProperties(context_, device_, nullptr, &result);
    check(result, "making a queue");
    return queue;
}

QueueNumber OpenClRuntime::makeQueue() {
    auto place = std::find(queues_.begin() + 1, queues_.end(), nullptr);
    if (place == queues_.end()) place = queues_.insert(place, nullptr);
    *place = openQueue();
    return static_cast<QueueNumber>(place - queues_.begin());
}

void OpenClRuntime::releaseQueue(QueueNumber number) noexcept {
    cl_command_queue& queue = queues_[static_cast<std::size_t>(number)];
    static_cast<void>(clFinish(queue));
    static_cast<void>(clReleaseCommandQueue(queue));
    queue = nullptr;
}

std::unique_ptr<RuntimeEvent> OpenClRuntime::mark(QueueNumber number) {
    auto event = std::make_unique<OpenClEvent>(name_);
    check(clEnqueueMarkerWithWaitList(queue(number), 0, nullptr, &event->event), "making an event");
    check(clFlush(queue(number)), "making an event");    // so that it is reached without a wait
    return event;
}

void OpenClRuntime::putBehind(QueueNumber number, RuntimeEvent& event) {
    check(clEnqueueBarrierWithWaitList(queue(number), 1, &static_cast<OpenClEvent&>(event).event, nullptr), "waiting for an event");
}

void OpenClRuntime::finish() const {
    for (cl_command_queue queue : queues_) {
        if (queue != nullptr) check(clFinish(queue), "waiting for the device");
    }
}

void OpenClRuntime::check(std::int32_t result, std::string_view action) const { checkOpenCl(result, name_, action); }

DeviceBlock OpenClRuntime::doReserve(std::size_t bytes) {
    const std::size_t wanted = std::max<std::size_t>(bytes, 1);
    void* memory = wanted > mostBytes_ ? nullptr : clSVMAlloc(context_, CL_MEM_READ_WRITE, wanted, 0);
    if (memory == nullptr) {
        throw DeviceError(
            DeviceProblem::OutOfDeviceMemory, name_,
            fmt::format("a copy needs {} bytes in one piece, and the device gives at most {} while that many are free", bytes, mostBytes_));
    }
    auto* address = static_cast<std::byte*>(memory);
    try {
        blocks_.emplace(address, wanted);
    } catch (...) {
        clSVMFree(context_, memory);
        throw;
    }
    return {address, bytes};
}

// A launch may still use the memory.
void OpenClRuntime::release(DeviceBlock block) noexcept {
    for (cl_command_queue queue : queues_) {
        if (queue != nullptr) static_cast<void>(clFinish(queue));
    }
    blocks_.erase(block.address);
    clSVMFree(context_, block.address);
}

std::byte* OpenClRuntime::doReserveStaging(std::size_t bytes) { return static_cast<std::byte*>(::operator new(bytes, StagingAlignment)); }

void OpenClRuntime::releaseStaging(std::byte* memory, std::size_t) noexcept { ::operator delete(memory, StagingAlignment); }

bool OpenClRuntime::holds(const void* address) const noexcept {
    const auto* byte = static_cast<const std::byte*>(address);
    auto block = blocks_.upper_bound(byte);
    if (block == blocks_.begin()) return false;
    --block;
    return byte < block->first + block->second;
}

// The first queue works in order: behind the last transfer, all are done.
void OpenClRuntime::copy(void* to, const void* from, std::size_t bytes, bool isLast) {
    check(clEnqueueSVMMemcpy(queue(), isLast ? CL_TRUE : CL_FALSE, to, from, bytes, 0, nullptr, nullptr), "a transfer");
}

void OpenClRuntime::doCopyTo(std::byte* device, const void* host, std::size_t bytes) { copy(device, host, bytes, true); }

void OpenClRuntime::doCopyFrom(void* host, const std::byte* device, std::size_t bytes) { copy(host, device, bytes, true); }

void OpenClRuntime::doCopyWithin(std::byte* to, const std::byte* from, std::size_t bytes) { copy(to, from, bytes, true); }

void OpenClRuntime::doCopyManyTo(std::span<const DevicePiece> pieces) {
    if (isProcessor_) {
        const DevicePiece whole = map(pieces, CL_MAP_WRITE);
        for (const DevicePiece& piece : pieces) std::memcpy(piece.device, piece.host, piece.bytes);
        unmap(whole);
        return;
    }
    for (const DevicePiece& piece : pieces) copy(piece.device, piece.host, piece.bytes, &piece == &pieces.back());
}

void OpenClRuntime::doCopyManyFrom(std::span<const DevicePiece> pieces) {
    if (isProcessor_) {
        const DevicePiece whole = map(pieces, CL_MAP_READ);
        for (const DevicePiece& piece : pieces) std::memcpy(piece.host, piece.device, piece.bytes);
        unmap(whole);
        return;
    }
    for (const DevicePiece& piece : pieces) copy(piece.host, piece.device, piece.bytes, &piece == &pieces.back());
}

DevicePiece OpenClRuntime::map(std::span<const DevicePiece> pieces, std::uint64_t flags) {
    std::byte* begin = pieces.front().device;
    std::byte* end = begin;
    for (const DevicePiece& piece : pieces) {
        begin = std::min(begin, piece.device);
        end = std::max(end, piece.device + piece.bytes);
    }
    const DevicePiece whole{begin, nullptr, static_cast<std::size_t>(end - begin)};
    check(clEnqueueSVMMap(queue(), CL_TRUE, flags, whole.device, whole.bytes, 0, nullptr, nullptr), "a transfer");
    return whole;
}

void OpenClRuntime::unmap(const DevicePiece& whole) {
    check(clEnqueueSVMUnmap(queue(), whole.device, 0, nullptr, nullptr), "a transfer");
    if (queues_.size() > 1) check(clFinish(queue()), "a transfer");    // launches of other queues come later
}

std::unique_ptr<RuntimeProgram> OpenClRuntime::doBuild(KernelText text) { return std::make_unique<OpenClProgram>(*this, std::move(text)); }

void OpenClRuntime::forget(std::vector<OpenClLaunch>& launches) noexcept {
    for (const OpenClLaunch& launch : launches) static_cast<void>(clReleaseEvent(launch.event));
    launches.clear();
}

void OpenClRuntime::wait() {
    if (queues_.size() > 1) finish();
    if (!launches_.empty())
        check(clEnqueueReadBuffer(queue(), records_, CL_FALSE, 0, sizeof failures_, &failures_, 0, nullptr, nullptr),
              "asking for failures");
    check(clFinish(queue()), "waiting for the device");
    if (launches_.empty()) return;
    for (const OpenClLaunch& launch : launches_) {
        cl_int status = CL_COMPLETE;
        static_cast<void>(clGetEventInfo(launch.event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr));
        if (status >= 0) continue;
        const DeviceError error(DeviceProblem::KernelFault, name_,
                                fmt::format("the kernel {} launched at {}:{} failed: error {} of OpenCL", launch.kernel, launch.place.file,
                                            launch.place.line, status));
        forget(launches_);
        throw error;
    }
    if (failures_ == 0) return forget(launches_);
    std::vector<OpenClLaunch> failed;
    failed.swap(launches_);
    try {
        throwFailure(failed);
    } catch (...) {
        forget(failed);
        throw;
    }
}

// The launches of one queue run in order, so the records of the first launch that failed are among the kept ones.
void OpenClRuntime::throwFailure(const std::vector<OpenClLaunch>& launches) {
    KernelRecords records;
    check(clEnqueueReadBuffer(queue(), records_, CL_TRUE, 0, sizeof records, &records, 0, nullptr, nullptr), "asking for failures");
    const cl_uint none = 0;
    check(clEnqueueWriteBuffer(queue(), records_, CL_TRUE, 0, sizeof none, &none, 0, nullptr, nullptr), "forgetting failures");
    const std::size_t kept = std::min<std::size_t>(records.count, KernelRecords::Kept);
    const KernelRecord& record = *std::min_element(records.kept, records.kept + kept, [](const auto& left, const auto& right) {
        return std::tie(left.launch, left.item) < std::tie(right.launch, right.item);
    });
    if (kept == 0 || record.launch >= launches.size() || record.assertion >= launches[record.launch].text->assertions.size())
        throw DeviceError(DeviceProblem::KernelFault, name_, "a kernel has overwritten the record of failures");
    const OpenClLaunch& launch = launches[record.launch];
    const KernelAssertion& assertion = launch.text->assertions[record.assertion];
    LaunchPlace place = launch.place;
    place.kernel = launch.kernel;
    throwKernelFailure(std::make_exception_ptr(AssertionFailure(assertion.expression, kernelValuesText(assertion, record),
                                                                kernelMessageText(assertion, record), launch.text->file,
                                                                record.line != 0 ? static_cast<int>(record.line) : assertion.line)),
                       name_, place, record.item);
}

}    // namespace ferry::detail
