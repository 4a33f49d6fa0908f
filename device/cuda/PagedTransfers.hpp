#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <ferry/device/runtime/KernelThreads.hpp>
#include <ferry/device/runtime/Runtime.hpp>

struct CUevent_st;    // an event of CUDA

namespace ferry::detail {

/// Transfers between a CUDA device and ordinary memory of the host.
///
/// A device reads only memory that stays in place, so that ordinary memory goes through buffers. The driver fills them with one thread,
/// which is several times slower than the transfer itself. Here several threads do, each with a buffer of its own. Memory that stays in
/// place needs no buffer.
///
/// Threads: used by one thread at a time.
class PagedTransfers {
public:
    PagedTransfers();
    PagedTransfers(const PagedTransfers&) = delete;
    PagedTransfers& operator=(const PagedTransfers&) = delete;
    ~PagedTransfers();

    /// Staging memory stays in place. Transfers from it go on after copyTo().
    void addStaging(const std::byte* memory, std::size_t bytes) { staging_.emplace_back(memory, bytes); }
    void removeStaging(const std::byte* memory) noexcept;

    /// Returns an error number of CUDA. Other memory than staging memory may be written again when the call returns.
    int copyTo(std::span<const DevicePiece> pieces);
    /// Returns an error number of CUDA. Waits for the transfers.
    int copyFrom(std::span<const DevicePiece> pieces);
    /// Copies with several threads where that is worth it.
    void copyOnHost(std::span<const HostCopy> copies);

private:
    /// Memory that stays in place, and the end of the last transfer from it.
    struct Buffer {
        std::byte* memory = nullptr;
        CUevent_st* free = nullptr;
    };

    /// Begins the transfers of pieces that need no buffer, and splits the others into parts. Returns an error number of CUDA.
    int beginTransfers(std::span<const DevicePiece> pieces, bool isToDevice);
    /// Calls transfer(parts, buffer) for each group of parts. Returns the first error.
    template <class Transfer>
    int transferParts(Transfer transfer);
    bool needsBuffer(const DevicePiece& piece);
    /// Splits the piece, and puts its parts into groups that fit into a buffer.
    void addParts(const DevicePiece& piece);
    bool isStaging(const void* host) const noexcept;
    /// Returns false when the system has no memory for them.
    bool makeBuffers();
    Buffer take();
    void giveBack(Buffer buffer);

    KernelThreads threads_;
    std::vector<std::pair<const std::byte*, std::size_t>> staging_;
    std::vector<DevicePiece> parts_;
    std::vector<std::size_t> ends_;    // of the groups of parts or copies that one thread does at a time
    std::size_t groupBytes_ = 0;       // of the last group
    std::mutex mutex_;                 // of the rest
    std::vector<Buffer> buffers_;      // a ring: threads take the buffer that was given back first
    std::size_t taken_ = 0;
    std::size_t givenBack_ = 0;
    int error_ = 0;
};

}    // namespace ferry::detail
