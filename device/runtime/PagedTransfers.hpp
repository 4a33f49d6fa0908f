#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <ferry/device/runtime/CopyThreads.hpp>
#include <ferry/device/runtime/Runtime.hpp>
#include <ferry/device/runtime/TransferLane.hpp>

namespace ferry::detail {

/// Transfers between a device and ordinary memory of the host.
///
/// A device reads only memory that stays in place, so that ordinary memory goes through buffers. The driver fills them with one thread,
/// which is several times slower than the transfer itself. Here several threads do, each another buffer. Memory that stays in place needs
/// no buffer.
///
/// Threads: used by one thread at a time.
class PagedTransfers {
public:
    PagedTransfers(TransferLane& lane, CopyThreads& threads) : lane_(lane), threads_(threads) {}
    PagedTransfers(const PagedTransfers&) = delete;
    PagedTransfers& operator=(const PagedTransfers&) = delete;
    ~PagedTransfers();

    /// Staging memory stays in place. Transfers from it go on after copyTo().
    void addStaging(const std::byte* memory, std::size_t bytes) { staging_.emplace_back(memory, bytes); }
    void removeStaging(const std::byte* memory) noexcept;

    /// Returns an error number of the device. Other memory than staging memory may be written again when the call returns.
    int copyTo(std::span<const DevicePiece> pieces);
    /// Returns an error number of the device. Waits for the transfers.
    int copyFrom(std::span<const DevicePiece> pieces);

private:
    /// Begins the transfers of pieces that need no buffer, and splits the others into parts. Returns an error number.
    int beginTransfers(std::span<const DevicePiece> pieces, bool isToDevice);
    bool needsBuffer(const DevicePiece& piece);
    /// Splits the piece, and puts its parts into groups that fit into a buffer.
    void addParts(const DevicePiece& piece);
    bool isStaging(const void* host) const noexcept;
    /// Returns false when the system has no memory for them.
    bool makeBuffers();
    /// One buffer holds the parts of a group, one behind the other.
    std::span<const DevicePiece> partsOf(std::size_t group) const noexcept;
    std::byte* bufferOf(std::size_t group) const noexcept { return buffers_[fenceOf(group)]; }
    std::size_t fenceOf(std::size_t group) const noexcept { return group % buffers_.size(); }
    int sendGroups();
    int sendGroup(std::size_t group);
    int receiveGroups();
    int receiveGroup(std::size_t group);
    void fillBuffer(std::size_t group) noexcept;
    void emptyBuffer(std::size_t group) noexcept;

    TransferLane& lane_;
    CopyThreads& threads_;
    std::vector<std::pair<const std::byte*, std::size_t>> staging_;
    std::vector<std::byte*> buffers_;    // used in turn. The fence of a buffer stands behind the last transfer
    std::vector<DevicePiece> parts_;
    std::vector<std::size_t> ends_;    // of the groups of parts
    std::size_t groupBytes_ = 0;       // of the last group
};

}    // namespace ferry::detail
