#include <ferry/device/image/ImageActions.hpp>

#include <fmt/format.h>

#include <ferry/device/failure/DeviceError.hpp>
#include <ferry/device/runtime/ImageTransfers.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/TypeName.hpp>

namespace ferry::detail {

std::string textOfPlace(const ImagePlace& place) {
    if (*place.owner == typeid(void)) return std::string(place.member);
    return fmt::format("{}::{}", typeName(*place.owner), place.member);
}

// The memory of a block may be gone when a pointer to it has changed. So a block is read after a block with a pointer to it was compared,
// and an absorbed one in the first turn too, unless the block around it was compared before.
bool ImageWriter::writeBlocks(const ImagePlan& plan, std::byte* image, ImageTransfers* threads) {
    for (const bool isAbsorbed : {false, true}) {
        bool hasAbsorbed = false;
        for (const ImageBlock& block : plan.blocks()) {
            hasAbsorbed |= block.isAbsorbed;
            const bool isEarly = block.isEarly && !isAbsorbed;
            if ((block.isAbsorbed != isAbsorbed || block.isSkipped || block.isDirect) && !isEarly) continue;
            std::byte* target = image + block.offset;
            if (block.type->isFlat) {
                if (isEarly) continue;
                if (threads != nullptr && !isAbsorbed)
                    threads->add({target, block.host, block.bytes()});
                else
                    std::memcpy(target, block.host, block.bytes());
                continue;
            }
            setFresh(!block.isAbsorbed);
            begin(block);
            block.type->write(*this, block.host, target, block.count);
            if (!isSame()) return false;
        }
        if (!hasAbsorbed) break;
    }
    return true;
}

bool ImageWriter::writeAll(ImagePlan& plan, std::byte* image, const std::byte* device, std::uintptr_t null, ImageTransfers* threads) {
    return ImageWriter(plan, image, device, null).writeBlocks(plan, image, threads);
}

void ImageReturn::giveBackAll(ImagePlan& plan, std::byte* image, const std::byte* device, std::string_view deviceName,
                              ImageTransfers* threads) {
    ImageReturn back(plan, image, device, deviceName);
    for (const ImageBlock& block : plan.blocks()) {
        const bool comesWithOuter = block.isSkipped && (!block.isEarly || block.type->isFlat);
        if (comesWithOuter || block.isDirect || !block.isMutable) continue;
        std::byte* source = image + block.offset;
        if (threads != nullptr) threads->awaitArrival(block.offset + block.bytes());
        if (block.type->isFlat) {
            if (threads != nullptr && !block.isAbsorbed)
                threads->add({block.host, source, block.bytes()});
            else
                std::memcpy(block.host, source, block.bytes());
        } else {
            back.begin(block);
            block.type->giveBack(back, block.host, source, block.count);
        }
    }
}

HostTarget hostOf(const ImagePlan& plan, std::uintptr_t address, std::uintptr_t device, std::size_t bytes, bool mayBeEnd,
                  const ImagePlace& place, std::string_view deviceName) {
    if (address == 0) return {};
    const auto inside = [&](const ImageBlock& block) { return address - device - block.offset; };
    const auto hostIn = [&](const ImageBlock& block) { return static_cast<std::byte*>(block.host) + inside(block); };
    const ImageBlock* block = address >= device ? plan.atOffset(address - device) : nullptr;
    if (block != nullptr && block->bytes() - inside(*block) >= bytes) return {hostIn(*block), address - device, false};
    const ImageBlock* array = mayBeEnd && address >= device ? plan.atEnd(address - device) : nullptr;
    if (array != nullptr) return {hostIn(*array), address - device, true};
    const std::string found =
        block == nullptr
            ? fmt::format("no copied object: {:#x}, where the copy lies from {:#x} to {:#x}", address, device, device + plan.imageBytes())
            : fmt::format("{} bytes at {:#x}, of which {} lie in the copied object", bytes, address, block->bytes() - inside(*block));
    throw DeviceError(DeviceProblem::StrayPointer, deviceName,
                      fmt::format("a kernel left a pointer in {} that leads to {}", textOfPlace(place), found));
}

void failNullArrayAt(const ImagePlace& place) {
    throw UsageError(fmt::format("{} is null, but the length of the array is not 0: set the length to 0", textOfPlace(place)));
}

void failOutside(const ImagePlace& place) {
    throw UsageError(
        fmt::format("{} is a reference or a static member, and lies outside of its object, so that it cannot go to a device: "
                    "make it a pointer or a member, or leave it out with a View",
                    textOfPlace(place)));
}

void failChangedShape(const ImagePlace& place, std::string_view deviceName) {
    throw DeviceError(
        DeviceProblem::ChangedShape, deviceName,
        fmt::format("a kernel changed the shape of {}: an array, vector, text, span, optional or variant keeps its length and "
                    "its alternative on a device",
                    textOfPlace(place)));
}

std::uintptr_t ImageReturn::rewiredTarget(const void* pointer, const void* host, std::size_t count) const {
    const std::uintptr_t* place = isSame_ ? plan_.rewired().placeOf(pointer, host, count) : nullptr;
    if (place == nullptr) failHost();
    return *place == RewiredPointers::Null ? 0 : device_ + *place;
}

void* ImageReturn::rewire(const void* pointer, std::uintptr_t found, std::size_t count, std::size_t bytes, bool mayBeEnd,
                          ImagePlace (*place)()) {
    const HostTarget target = hostOf(plan_, found, device_, bytes, mayBeEnd, place(), deviceName_);
    plan_.rewired().note(pointer, target.host, count, target.place);
    return target.host;
}

void ImageReturn::failHost() {
    throw UsageError(
        "the objects of the host have changed their shape since they were copied to the device: before fetch(), pointers, lengths and "
        "alternatives stay as they were; update() takes a new shape to the device");
}

}    // namespace ferry::detail
