#include <ferry/device/image/ImagePartReturn.hpp>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

void ImagePartReturn::giveBack(void* root, std::size_t count, const ImageType& type) {
    follow(root, count, type, true);
    for (std::size_t i = 0; i < visits_.size(); ++i) {    // visits_ grows meanwhile
        const Visit visit = visits_[i];
        std::byte* image = image_ + visit.offset;
        if (visit.type->isFlat)
            std::memcpy(visit.host, image, visit.count * visit.type->bytes);
        else
            visit.type->giveBackPart(*this, visit.host, image, visit.count);
    }
}

std::uintptr_t ImagePartReturn::follow(void* host, std::size_t count, const ImageType& type, bool isMutable) {
    const ImageBlock* block = plan_.atHost(host, count * type.bytes);
    const std::size_t inside =
        block == nullptr ? 0 : static_cast<std::size_t>(static_cast<std::byte*>(host) - static_cast<std::byte*>(block->host));
    if (block == nullptr) failHost();
    const std::size_t offset = block->offset + inside;
    if (!isMutable) return number(device_) + offset;
    std::size_t& most = known_[{offset, &type}];
    if (count > most) {
        most = count;
        if (block->isDirect)
            direct_.push_back({device_ + offset, host, count * type.bytes});
        else
            visits_.push_back({host, offset, count, &type});
    }
    return number(device_) + offset;
}

void ImagePartReturn::requireArray(const void* host, std::size_t bytes) const {
    if (host == nullptr || bytes == 0) return;    // the copy may hold nothing there
    const ImageBlock* block = plan_.atHost(host, bytes);
    if (block == nullptr || block->host != host || block->bytes() != bytes) failHost();
}

void ImagePartReturn::failHost() {
    throw UsageError(
        "fetch() of a part: the objects of the host have changed their shape since they were copied to the device; update() takes a "
        "new shape there");
}

void ImagePartReturn::failShape(const ImagePlace& place) const { failChangedShape(place, deviceName_); }

}    // namespace ferry::detail
