#include <ferry/device/cuda/PagedTransfers.hpp>

#include <algorithm>
#include <cstring>
#include <thread>

#include <cuda_runtime_api.h>

namespace ferry::detail {

namespace {

constexpr std::size_t BufferBytes = std::size_t{1} << 20;
constexpr std::size_t FewBytes = std::size_t{64} << 10;      // the driver is as fast
constexpr std::size_t ManyBytes = std::size_t{1} << 20;      // worth several threads
constexpr std::size_t CopyBytes = std::size_t{128} << 10;    // of one thread at a time

std::size_t threadCount() { return std::clamp<std::size_t>(std::thread::hardware_concurrency() / 2, 1, 8); }

bool isPaged(const void* host) {
    cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, host) == cudaSuccess) return attributes.type == cudaMemoryTypeUnregistered;
    static_cast<void>(cudaGetLastError());
    return true;
}

/// Calls work(i) for each i below count, with the threads or alone.
template <class Work>
void forEach(KernelThreads& threads, std::size_t count, bool isLarge, Work& work) {
    const HostKernel kernel{&work, [](void* function, std::size_t begin, std::size_t end, std::size_t& item) {
                                for (item = begin; item < end; ++item) (*static_cast<Work*>(function))(item);
                            }};
    std::size_t item = 0;
    if (isLarge)
        static_cast<void>(threads.run(count, kernel));
    else
        kernel.run(&work, 0, count, item);
}

}    // namespace

PagedTransfers::PagedTransfers() : threads_(threadCount()) {}

PagedTransfers::~PagedTransfers() {
    for (const Buffer& buffer : buffers_) {
        if (buffer.free != nullptr) static_cast<void>(cudaEventDestroy(buffer.free));
        static_cast<void>(cudaFreeHost(buffer.memory));
    }
}

void PagedTransfers::removeStaging(const std::byte* memory) noexcept {
    std::erase_if(staging_, [memory](const auto& each) { return each.first == memory; });
}

bool PagedTransfers::isStaging(const void* host) const noexcept {
    const auto* byte = static_cast<const std::byte*>(host);
    return std::any_of(staging_.begin(), staging_.end(),
                       [byte](const auto& each) { return byte >= each.first && byte < each.first + each.second; });
}

bool PagedTransfers::makeBuffers() {
    const std::size_t wanted = 2 * threads_.count();
    buffers_.reserve(wanted);
    while (buffers_.size() < wanted) {
        void* memory = nullptr;
        Buffer buffer;
        if (cudaMallocHost(&memory, BufferBytes) != cudaSuccess) return false;
        buffer.memory = static_cast<std::byte*>(memory);
        if (cudaEventCreateWithFlags(&buffer.free, cudaEventDisableTiming) != cudaSuccess) {
            static_cast<void>(cudaFreeHost(memory));
            return false;
        }
        buffers_.push_back(buffer);
    }
    return true;
}

PagedTransfers::Buffer PagedTransfers::take() {
    const std::lock_guard lock(mutex_);
    return buffers_[taken_++ % buffers_.size()];
}

void PagedTransfers::giveBack(Buffer buffer) {
    const std::lock_guard lock(mutex_);
    buffers_[givenBack_++ % buffers_.size()] = buffer;
}

bool PagedTransfers::needsBuffer(const DevicePiece& piece) {
    return piece.bytes >= FewBytes && !isStaging(piece.host) && isPaged(piece.host) && makeBuffers();
}

void PagedTransfers::addParts(const DevicePiece& piece) {
    for (std::size_t begin = 0; begin < piece.bytes; begin += BufferBytes) {
        const std::size_t bytes = std::min(BufferBytes, piece.bytes - begin);
        if (ends_.empty() || groupBytes_ + bytes > BufferBytes) {
            ends_.push_back(parts_.size());
            groupBytes_ = 0;
        }
        parts_.push_back({piece.device + begin, static_cast<std::byte*>(piece.host) + begin, bytes});
        ends_.back() = parts_.size();
        groupBytes_ += bytes;
    }
}

template <class Transfer>
int PagedTransfers::transferParts(Transfer transfer) {
    error_ = cudaSuccess;
    auto work = [&](std::size_t group) {
        const std::size_t begin = group == 0 ? 0 : ends_[group - 1];
        const Buffer buffer = take();
        int code = cudaEventSynchronize(buffer.free);
        if (code == cudaSuccess) code = transfer(std::span(parts_).subspan(begin, ends_[group] - begin), buffer);
        giveBack(buffer);
        if (code == cudaSuccess) return;
        const std::lock_guard lock(mutex_);
        if (error_ == cudaSuccess) error_ = code;
    };
    forEach(threads_, ends_.size(), ends_.size() > 1, work);
    return error_;
}

int PagedTransfers::beginTransfers(std::span<const DevicePiece> pieces, bool isToDevice) {
    parts_.clear();
    ends_.clear();
    for (const DevicePiece& piece : pieces) {
        if (needsBuffer(piece)) {
            addParts(piece);
            continue;
        }
        cudaError_t code = isToDevice ? cudaMemcpyAsync(piece.device, piece.host, piece.bytes, cudaMemcpyHostToDevice, nullptr)
                                      : cudaMemcpyAsync(piece.host, piece.device, piece.bytes, cudaMemcpyDeviceToHost, nullptr);
        const bool isOthers = piece.bytes >= FewBytes && !isStaging(piece.host);    // memory that the program may write at once
        if (code == cudaSuccess && isToDevice && isOthers) code = cudaStreamSynchronize(nullptr);
        if (code != cudaSuccess) return code;
    }
    return cudaSuccess;
}

int PagedTransfers::copyTo(std::span<const DevicePiece> pieces) {
    if (const int code = beginTransfers(pieces, true); code != cudaSuccess) return code;
    return transferParts([](std::span<const DevicePiece> parts, const Buffer& buffer) {
        std::byte* place = buffer.memory;
        for (const DevicePiece& part : parts) {
            std::memcpy(place, part.host, part.bytes);
            const cudaError_t code = cudaMemcpyAsync(part.device, place, part.bytes, cudaMemcpyHostToDevice, nullptr);
            if (code != cudaSuccess) return code;
            place += part.bytes;
        }
        return cudaEventRecord(buffer.free, nullptr);
    });
}

int PagedTransfers::copyFrom(std::span<const DevicePiece> pieces) {
    if (const int code = beginTransfers(pieces, false); code != cudaSuccess) return code;
    const int error = transferParts([](std::span<const DevicePiece> parts, const Buffer& buffer) {
        std::byte* place = buffer.memory;
        for (const DevicePiece& part : parts) {
            const cudaError_t begun = cudaMemcpyAsync(place, part.device, part.bytes, cudaMemcpyDeviceToHost, nullptr);
            if (begun != cudaSuccess) return begun;
            place += part.bytes;
        }
        cudaError_t code = cudaEventRecord(buffer.free, nullptr);
        if (code == cudaSuccess) code = cudaEventSynchronize(buffer.free);
        if (code != cudaSuccess) return code;
        place = buffer.memory;
        for (const DevicePiece& part : parts) {
            std::memcpy(part.host, place, part.bytes);
            place += part.bytes;
        }
        return code;
    });
    return error == cudaSuccess ? cudaStreamSynchronize(nullptr) : error;
}

void PagedTransfers::copyOnHost(std::span<const HostCopy> copies) {
    std::size_t bytes = 0;
    for (const HostCopy& each : copies) bytes += each.bytes;
    // Neighbours in the list go to one thread, about CopyBytes at a time.
    ends_.clear();
    std::size_t sum = 0;
    for (std::size_t i = 0; i < copies.size(); ++i) {
        sum += copies[i].bytes;
        if (sum < CopyBytes && i + 1 < copies.size()) continue;
        ends_.push_back(i + 1);
        sum = 0;
    }
    auto work = [&](std::size_t group) {
        for (std::size_t i = group == 0 ? 0 : ends_[group - 1]; i < ends_[group]; ++i)
            std::memcpy(copies[i].to, copies[i].from, copies[i].bytes);
    };
    forEach(threads_, ends_.size(), bytes >= ManyBytes, work);
}

}    // namespace ferry::detail
