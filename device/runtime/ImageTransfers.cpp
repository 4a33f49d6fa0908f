#include <ferry/device/runtime/ImageTransfers.hpp>

#include <algorithm>
#include <cstring>

namespace ferry::detail {

namespace {

constexpr std::size_t ManyBytes = std::size_t{1} << 20;    // worth several threads
constexpr std::size_t PartBytes = std::size_t{512} << 10;
constexpr std::size_t PartFences = TransferLane::Fences / 2;
constexpr std::size_t FirstFence = TransferLane::Fences - PartFences;

}    // namespace

bool ImageTransfers::isLarge(std::size_t bytes) noexcept { return bytes >= ManyBytes; }

void ImageTransfers::prepareImage(std::byte* staging, std::size_t bytes, std::size_t copies) {
    copies_.clear();
    copies_.reserve(copies);
    groups_.clear();
    const std::size_t most = bytes / GroupBytes + bytes / PartBytes + 2;
    groups_.reserve(most);
    image_ = staging;
    imageBytes_ = bytes;
    groupBytes_ = 0;
    gathered_ = sentBytes_ = arrived_ = fetchedParts_ = arrivedParts_ = 0;
    threads_.begin(
        this, [](void* self, std::size_t group) { static_cast<ImageTransfers*>(self)->copyGroup(group); }, most);
}

void ImageTransfers::beginImage(std::byte* device, std::byte* staging, std::size_t bytes, std::size_t copies, bool isInOrder) {
    prepareImage(staging, bytes, copies);
    deviceImage_ = device;
    isReturn_ = false;
    isInOrder_ = isInOrder;
}

void ImageTransfers::beginReturn(std::byte* staging, const std::byte* device, std::size_t bytes, std::size_t copies, bool isInOrder) {
    prepareImage(staging, bytes, copies);
    deviceImage_ = const_cast<std::byte*>(device);
    isReturn_ = true;
    isInOrder_ = isInOrder;
    fetchParts();
}

void ImageTransfers::fetchParts() {
    int code = 0;
    for (; code == 0 && fetchedParts_ * PartBytes < imageBytes_ && fetchedParts_ < arrivedParts_ + TransferLane::Ahead; ++fetchedParts_) {
        const std::size_t begin = fetchedParts_ * PartBytes;
        code = lane_.beginCopyFrom(image_ + begin, deviceImage_ + begin, std::min(PartBytes, imageBytes_ - begin));
        if (code == 0) code = lane_.setFence(FirstFence + fetchedParts_ % PartFences);
    }
    lane_.require(code, "a transfer from the device");
}

void ImageTransfers::arrive(std::size_t end) {
    if (groupBytes_ != 0) endGroup(0);    // the threads have work while this one waits
    while (arrived_ < end) {
        lane_.require(lane_.waitForFence(FirstFence + arrivedParts_++ % PartFences), "a transfer from the device");
        arrived_ = std::min(imageBytes_, arrivedParts_ * PartBytes);
        fetchParts();
    }
}

void ImageTransfers::endGroup(std::size_t end) {
    groups_.push_back({groups_.empty() ? 0 : groups_.back().endCopy, copies_.size(), end});
    groupBytes_ = 0;
    if (!isInOrder_) return;
    threads_.publish(groups_.size());
    if (!isReturn_) sendPart();
}

void ImageTransfers::copyGroup(std::size_t index) noexcept {
    const Group group = groups_.data()[index];
    for (std::size_t i = group.firstCopy; i < group.endCopy; ++i) {
        const HostCopy& copy = copies_.data()[i];
        std::memcpy(copy.to, copy.from, copy.bytes);
    }
}

void ImageTransfers::sendPart() {
    while (gathered_ < groups_.size() && threads_.isDone(gathered_)) ++gathered_;
    const std::size_t end = gathered_ == 0 ? 0 : groups_[gathered_ - 1].end;
    if (end < sentBytes_ + PartBytes && (end < imageBytes_ || end == sentBytes_)) return;
    lane_.require(lane_.beginCopyTo(deviceImage_ + sentBytes_, image_ + sentBytes_, end - sentBytes_), "a transfer to the device");
    sentBytes_ = end;
}

void ImageTransfers::endImage() {
    endGroup(imageBytes_);
    threads_.publish(groups_.size());
    if (isReturn_) {
        awaitArrival(imageBytes_);    // the end of the image may have no array
    } else {
        while (sentBytes_ < imageBytes_) {
            threads_.help();
            sendPart();
        }
    }
    threads_.finish();
}

void ImageTransfers::abandonImage() noexcept {
    threads_.finish();
    if (isReturn_) static_cast<void>(lane_.waitForAll());
}

}    // namespace ferry::detail
