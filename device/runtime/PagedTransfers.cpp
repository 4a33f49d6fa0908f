#include <ferry/device/runtime/PagedTransfers.hpp>

#include <algorithm>
#include <cstring>

namespace ferry::detail {

namespace {

constexpr std::size_t BufferBytes = std::size_t{1} << 20;
constexpr std::size_t FewBytes = std::size_t{64} << 10;    // one thread is as fast
constexpr std::size_t MostBuffers = TransferLane::Fences / 2;

}    // namespace

PagedTransfers::~PagedTransfers() {
    for (std::byte* buffer : buffers_) lane_.freeBuffer(buffer);
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
    const std::size_t wanted = std::min(2 * threads_.count(), MostBuffers);
    buffers_.reserve(wanted);
    while (buffers_.size() < wanted) {
        std::byte* memory = lane_.makeBuffer(BufferBytes);
        if (memory == nullptr) return false;
        buffers_.push_back(memory);
    }
    return true;
}

bool PagedTransfers::needsBuffer(const DevicePiece& piece) {
    return piece.bytes >= FewBytes && !isStaging(piece.host) && lane_.isPaged(piece.host) && makeBuffers();
}

void PagedTransfers::addParts(const DevicePiece& piece) {
    for (std::size_t begin = 0, bytes = 0; begin < piece.bytes; begin += bytes) {
        bytes = std::min(BufferBytes, piece.bytes - begin);
        if (ends_.empty() || groupBytes_ + bytes > BufferBytes) {
            ends_.push_back(parts_.size());
            groupBytes_ = 0;
        }
        parts_.push_back({piece.device + begin, static_cast<std::byte*>(piece.host) + begin, bytes});
        ends_.back() = parts_.size();
        groupBytes_ += bytes;
    }
}

int PagedTransfers::beginTransfers(std::span<const DevicePiece> pieces, bool isToDevice) {
    parts_.clear();
    ends_.clear();
    for (const DevicePiece& piece : pieces) {
        if (needsBuffer(piece)) {
            addParts(piece);
            continue;
        }
        int code = isToDevice ? lane_.beginCopyTo(piece.device, piece.host, piece.bytes)
                              : lane_.beginCopyFrom(piece.host, piece.device, piece.bytes);
        const bool isOthers = piece.bytes >= FewBytes && !isStaging(piece.host);    // memory that the program may write at once
        if (code == 0 && isToDevice && isOthers) code = lane_.waitForAll();
        if (code != 0) return code;
    }
    return 0;
}

std::span<const DevicePiece> PagedTransfers::partsOf(std::size_t group) const noexcept {
    const std::size_t begin = group == 0 ? 0 : ends_[group - 1];
    return std::span(parts_).subspan(begin, ends_[group] - begin);
}

void PagedTransfers::fillBuffer(std::size_t group) noexcept {
    std::byte* place = bufferOf(group);
    for (const DevicePiece& part : partsOf(group)) {
        std::memcpy(place, part.host, part.bytes);
        place += part.bytes;
    }
}

void PagedTransfers::emptyBuffer(std::size_t group) noexcept {
    const std::byte* place = bufferOf(group);
    for (const DevicePiece& part : partsOf(group)) {
        std::memcpy(part.host, place, part.bytes);
        place += part.bytes;
    }
}

int PagedTransfers::sendGroup(std::size_t group) {
    const std::byte* place = bufferOf(group);
    for (const DevicePiece& part : partsOf(group)) {
        if (const int code = lane_.beginCopyTo(part.device, place, part.bytes); code != 0) return code;
        place += part.bytes;
    }
    return lane_.setFence(fenceOf(group));
}

int PagedTransfers::receiveGroup(std::size_t group) {
    std::byte* place = bufferOf(group);
    for (const DevicePiece& part : partsOf(group)) {
        if (const int code = lane_.beginCopyFrom(place, part.device, part.bytes); code != 0) return code;
        place += part.bytes;
    }
    return lane_.setFence(fenceOf(group));
}

// A buffer is filled again when the transfer from it has ended.
int PagedTransfers::sendGroups() {
    const std::size_t count = ends_.size();
    if (count == 0) return 0;
    threads_.begin(
        this, [](void* self, std::size_t group) { static_cast<PagedTransfers*>(self)->fillBuffer(group); }, count);
    int code = 0;
    for (std::size_t filling = 0, sent = 0; sent < count && code == 0;) {
        if (sent < filling && threads_.isDone(sent)) {
            code = sendGroup(sent++);
        } else if (filling < count && filling < sent + buffers_.size()) {
            code = lane_.waitForFence(fenceOf(filling));
            if (code == 0) threads_.publish(++filling);
        } else {
            threads_.help();
        }
    }
    threads_.finish();
    return code;
}

// A buffer is used for another transfer when its bytes lie where they belong.
int PagedTransfers::receiveGroups() {
    const std::size_t count = ends_.size();
    if (count == 0) return 0;
    threads_.begin(
        this, [](void* self, std::size_t group) { static_cast<PagedTransfers*>(self)->emptyBuffer(group); }, count);
    int code = 0;
    for (std::size_t begun = 0, arrived = 0; arrived < count && code == 0;) {
        const bool isFree = begun < buffers_.size() || threads_.isDone(begun - buffers_.size());
        if (begun < count && begun < arrived + TransferLane::Ahead && isFree) {
            code = receiveGroup(begun++);
        } else if (arrived < begun) {
            code = lane_.waitForFence(fenceOf(arrived));
            if (code == 0) threads_.publish(++arrived);
        } else {
            threads_.help();
        }
    }
    threads_.finish();
    return code;
}

int PagedTransfers::copyTo(std::span<const DevicePiece> pieces) {
    const int code = beginTransfers(pieces, true);
    return code == 0 ? sendGroups() : code;
}

int PagedTransfers::copyFrom(std::span<const DevicePiece> pieces) {
    int code = beginTransfers(pieces, false);
    if (code == 0) code = receiveGroups();
    return code == 0 ? lane_.waitForAll() : code;
}

}    // namespace ferry::detail
