#pragma once

#include <cstddef>
#include <vector>

#include <ferry/device/runtime/CopyThreads.hpp>
#include <ferry/device/runtime/TransferLane.hpp>

namespace ferry::detail {

/// Bytes that are copied from one place of the host to another.
struct HostCopy {
    void* to = nullptr;
    const void* from = nullptr;
    std::size_t bytes = 0;
};

/// The transfer of a large image between a device and staging memory, with several threads.
///
/// The image travels in parts: its first parts are on their way to the device while threads gather the arrays of the later ones, and the
/// caller still writes the objects. On the way back, threads scatter the arrays of one part while the next one arrives.
///
/// Threads: used by one thread at a time.
class ImageTransfers {
public:
    ImageTransfers(TransferLane& lane, CopyThreads& threads) : lane_(lane), threads_(threads) {}
    ImageTransfers(const ImageTransfers&) = delete;
    ImageTransfers& operator=(const ImageTransfers&) = delete;

    /// Whether an image of these bytes is worth several threads.
    static bool isLarge(std::size_t bytes) noexcept;
    /// Begins to send an image. copies: the most calls of add(). isInOrder: add() is called by ascending places, and the bytes before a
    /// place are written by then.
    void beginImage(std::byte* device, std::byte* staging, std::size_t bytes, std::size_t copies, bool isInOrder);
    /// Begins to fetch an image into the staging memory. isInOrder: the arrays may be written while the caller still reads the image.
    void beginReturn(std::byte* staging, const std::byte* device, std::size_t bytes, std::size_t copies, bool isInOrder);
    /// Lets a thread copy an array into the image, or out of it.
    void add(const HostCopy& copy) {
        copies_.push_back(copy);
        groupBytes_ += copy.bytes;
        if (groupBytes_ < GroupBytes) return;
        endGroup(isReturn_ ? 0 : static_cast<std::size_t>(static_cast<std::byte*>(copy.to) - image_) + copy.bytes);
    }
    /// Waits until the bytes of the image before this place have arrived.
    void awaitArrival(std::size_t end) {
        if (end > arrived_) arrive(end);
    }
    /// The image is written, or read: waits for the threads, and on the way back for the device. Errors: DeviceError.
    void endImage();
    /// As endImage(), after an error.
    void abandonImage() noexcept;

private:
    static constexpr std::size_t GroupBytes = std::size_t{64} << 10;    // that one thread copies at a time

    /// Copies that one thread does at a time, and the end of the part of the image that is complete with them.
    struct Group {
        std::size_t firstCopy = 0;
        std::size_t endCopy = 0;
        std::size_t end = 0;
    };

    void prepareImage(std::byte* staging, std::size_t bytes, std::size_t copies);
    /// end: of the part of the image, on the way to the device.
    void endGroup(std::size_t end);
    void copyGroup(std::size_t group) noexcept;
    /// Sends the next part of the image when the threads have gathered it.
    void sendPart();
    /// Begins some of the next transfers from the device.
    void fetchParts();
    void arrive(std::size_t end);

    TransferLane& lane_;
    CopyThreads& threads_;

    std::byte* image_ = nullptr;
    std::byte* deviceImage_ = nullptr;
    std::size_t imageBytes_ = 0;
    bool isReturn_ = false;
    bool isInOrder_ = false;
    std::vector<HostCopy> copies_;    // this and the next one do not move while threads read them
    std::vector<Group> groups_;
    std::size_t groupBytes_ = 0;    // of the last group
    std::size_t gathered_ = 0;      // groups at the beginning that are done
    std::size_t sentBytes_ = 0;
    std::size_t fetchedParts_ = 0;    // whose transfers have begun
    std::size_t arrivedParts_ = 0;
    std::size_t arrived_ = 0;    // bytes
};

}    // namespace ferry::detail
