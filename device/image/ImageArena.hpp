#pragma once

#include <cstddef>
#include <vector>

#include <ferry/device/image/DeviceImage.hpp>
#include <ferry/device/image/ImagePlan.hpp>
#include <ferry/device/runtime/Runtime.hpp>

namespace ferry::detail {

/// The memory of one copy, on the device and for gathering. Kept for the next copy when the copy ends.
///
/// Ownership: refers to the runtime and to the objects of the host, which outlive the arena's use.
class ImageArena final : public CopiedObjects {
public:
    explicit ImageArena(Runtime& runtime);
    ImageArena(const ImageArena&) = delete;
    ImageArena& operator=(const ImageArena&) = delete;
    ~ImageArena() override;

    /// Copies count objects and all that they lead to.
    void send(void* root, std::size_t count, const ImageType& type, bool isMutable);
    /// Sends the values again; a new image when the shape has changed.
    void update();
    void fetch();
    /// type: of the part that comes back.
    void fetchPart(const ImageType& type);
    /// Takes the present image from the device. Errors: those of the kernels. UsageError when the host's objects have another shape than at
    /// the copy. DeviceError (StrayPointer).
    DeviceImage leave() { return leave(false); }
    /// As leave(). The large arrays stay on the device; the image has their length, and arrays() their place.
    DeviceImage leaveWithoutArrays() { return leave(true); }
    /// Puts an image on the device, with no objects of the host. Arrays that travel apart belong to arrivingArrays().
    void arrive(DeviceImage image);
    /// The place on the device of the arrays of an image that has left without them.
    std::byte* arrays(const DeviceImage& image) const noexcept { return device_.address + image.bytes.size(); }
    /// The place for the arrays of an image that has arrived without them.
    DeviceBlock arrivingArrays() const noexcept { return {device_.address + (arrivedBytes_ - arrived_.arrayBytes), arrived_.arrayBytes}; }
    /// Ends the copy. Keeps the memory and the plan, in case the object is copied again.
    void retire() noexcept;

    /// The device's address of an object of the host. Errors: DeviceError (NotCopied).
    std::byte* addressOf(const void* host) const;
    std::byte* root() const noexcept;
    const ImagePlan& plan() const noexcept { return plan_; }
    /// The object that was copied last, also after the copy has ended.
    const void* lastRoot() const noexcept { return lastRoot_; }

    void setForbidden(bool isForbidden) noexcept override;

private:
    /// Writes the image by the present plan. Returns false when the objects have another shape.
    bool writeImage();
    void sendImage();
    /// Forgets the objects of the host, and keeps the memory.
    void forget() noexcept;
    /// Errors: UsageError after a failed update().
    void requireCopy() const;
    void reserve();
    void reserveDevice(std::size_t bytes);
    void fetchStaged();
    void fetchInParts(ImageTransfers& threads);
    /// Null for a small image.
    ImageTransfers* threadsForImage() noexcept;
    void markObjects() noexcept;
    DeviceImage leave(bool isWithoutArrays);
    /// An image of the present copy without its bytes: the type, the root and the places of pointers.
    DeviceImage describe();

    Runtime& runtime_;
    ImagePlan plan_;
    DeviceBlock device_;
    std::byte* staging_ = nullptr;
    std::size_t stagingBytes_ = 0;
    std::vector<DevicePiece> pieces_;    // kept for its memory
    bool isUnderWay_ = false;            // the image that was written has been sent

    void* root_ = nullptr;
    const void* lastRoot_ = nullptr;
    std::size_t count_ = 0;
    const ImageType* type_ = nullptr;
    bool isMutable_ = false;
    DeviceImage arrived_;    // an image without objects of the host, and without its bytes
    std::size_t arrivedBytes_ = 0;
};

}    // namespace ferry::detail
