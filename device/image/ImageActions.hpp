#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>

#include <ferry/device/image/ImagePlan.hpp>

// The three walks over the objects of a copy. All three visit the same pointers in the same order.

namespace ferry::detail {

template <class U, class V>
const ImageType& imageTypeOf();

/// The member at which a walk found a problem.
struct ImagePlace {
    const std::type_info* owner = nullptr;    ///< the class with the member
    std::string_view member;
};
template <class Where>
ImagePlace placeOf() {
    return {&typeid(typename Where::Owner), Where::name()};
}

/// The address that lies at this place of an image.
inline std::uintptr_t addressIn(const std::byte* image) noexcept {
    std::uintptr_t address = 0;
    std::memcpy(&address, image, sizeof address);
    return address;
}

/// Where a pointer of the device leads on the host.
struct HostTarget {
    void* host = nullptr;
    std::uintptr_t place = RewiredPointers::Null;    ///< in the image
    bool isEnd = false;                              ///< of an array, and no object
};
/// The object of the host for an address on the device; null for null. bytes: of the object. mayBeEnd: the end of an array will do.
/// Errors: DeviceError (StrayPointer).
HostTarget hostOf(const ImagePlan& plan, std::uintptr_t address, std::uintptr_t device, std::size_t bytes, bool mayBeEnd,
                  const ImagePlace& place, std::string_view deviceName);
/// The UsageError for a null pointer whose count is not 0.
[[noreturn]] void failNullArrayAt(const ImagePlace& place);
/// The UsageError for a field that does not lie in its object.
[[noreturn]] void failOutside(const ImagePlace& place);
[[noreturn]] void failChangedShape(const ImagePlace& place, std::string_view deviceName);

/// The first walk: finds the objects.
class ImageDiscovery {
public:
    static constexpr bool isDiscovery = true;
    static constexpr bool isReturn = false;

    explicit ImageDiscovery(ImagePlan& plan) : plan_(plan) {}

    ImagePlan& plan() noexcept { return plan_; }
    void block(const void*, std::byte*, std::size_t) noexcept {}
    void state(std::uint32_t value) { plan_.slots().push_back(value); }
    template <class Where, std::size_t N>
    void words(std::byte*, const std::array<std::uintptr_t, N>&) noexcept {}

    template <class Where, class U, class V>
    std::uintptr_t shared(const U* host, std::size_t count, bool isMutable) {
        plan_.slots().push_back(plan_.numberOf(host, count, imageTypeOf<U, V>(), isMutable, LeadBy::Array));
        return 0;
    }
    template <class Where, class U, class V>
    std::uintptr_t owned(const U* host, std::size_t count, LeadBy lead) {
        plan_.slots().push_back(plan_.addOwned(host, count, imageTypeOf<U, V>(), lead));
        return 0;
    }
    template <class Where, class U, class V, class P>
    void pointer(P& host, std::byte*) {
        constexpr bool isMutable = !std::is_const_v<std::remove_pointer_t<P>>;
        plan_.slots().push_back(plan_.numberOf<U>(host, 1, imageTypeOf<U, V>(), isMutable, LeadBy::Raw));
    }
    template <class Where, class U, class V, class P>
    void array(P& host, std::byte*, std::size_t count, bool) {
        shared<Where, U, V>(host, count, !std::is_const_v<std::remove_pointer_t<P>>);
    }
    std::uintptr_t addressOf(const std::byte*) const noexcept { return 0; }

private:
    ImagePlan& plan_;
};

/// The common part of the second and the third walk, which take the slots that the first walk made.
class ImageSlots {
public:
    /// null: the address that null pointers get.
    ImageSlots(ImagePlan& plan, const std::byte* image, const std::byte* device, std::uintptr_t null = 0) noexcept
        : blocks_(plan.blocks().data()),
          slots_(plan.slots().data()),
          slotCount_(plan.slots().size()),
          device_(reinterpret_cast<std::uintptr_t>(device)),
          null_(null),
          image_(image) {}

    void begin(const ImageBlock& block) noexcept { next_ = block.firstSlot; }
    /// The address on the device of a place in the image.
    std::uintptr_t addressOf(const std::byte* place) const noexcept { return device_ + static_cast<std::size_t>(place - image_); }
    /// Whether the host's objects have the same shape as in the first walk.
    bool isSame() const noexcept { return isSame_; }
    /// Goes on where a copy of this walk has stopped.
    void goOn(const ImageSlots& copy) noexcept {
        next_ = copy.next_;
        isSame_ = copy.isSame_;
    }

protected:
    std::uint32_t take() noexcept {
        if (next_ < slotCount_) return slots_[next_++];
        isSame_ = false;
        return 0;
    }
    std::uintptr_t addressOf(std::uint32_t number) const noexcept { return number == 0 ? 0 : device_ + blocks_[number - 1].offset; }
    /// Compares the host's pointer with the pointer of the first walk, and returns its address on the device. mayDiffer: the pointer may
    /// have changed since then.
    std::uintptr_t takeTarget(const void* host, std::size_t count, bool mayDiffer = false) noexcept {
        const std::uint32_t number = take();
        if (number == 0) {
            isSame_ &= host == nullptr || count == 0 || mayDiffer;
            return null_;
        }
        const ImageBlock& block = blocks_[number - 1];
        const bool leadsThere = block.host == host;
        isSame_ &= leadsThere | mayDiffer;
        isSame_ &= block.count == count;
        return device_ + block.offset;
    }

    const ImageBlock* blocks_;
    const std::uint32_t* slots_;
    std::size_t slotCount_;
    std::size_t next_ = 0;
    std::uintptr_t device_;
    std::uintptr_t null_;
    const std::byte* image_;
    bool isSame_ = true;
};

/// The second walk: writes the image. isSame() is false afterwards when the shape has changed since the first walk.
class ImageWriter : public ImageSlots {
public:
    static constexpr bool isDiscovery = false;
    static constexpr bool isReturn = false;

    using ImageSlots::ImageSlots;

    /// Writes all blocks that are gathered. Stops when the shape has changed. threads: get the arrays of numbers, which are then not
    /// written here.
    static bool writeAll(ImagePlan& plan, std::byte* image, const std::byte* device, std::uintptr_t null = 0,
                         ImageTransfers* threads = nullptr);
    /// As writeAll().
    bool writeBlocks(const ImagePlan& plan, std::byte* image, ImageTransfers* threads = nullptr);

    /// Lets pointers without an owner lead elsewhere than in the first walk. The image has them as in the first walk.
    void setTolerant(bool isTolerant) noexcept { isTolerant_ = isTolerant; }
    /// Whether write() begins each object with zeros. Otherwise its place may have bytes of the objects around it.
    void setFresh(bool isFresh) noexcept { isFresh_ = isFresh; }
    bool isFresh() const noexcept { return isFresh_; }

    void block(const void* host, std::byte* image, std::size_t bytes) noexcept { std::memcpy(image, host, bytes); }
    void state(std::uint32_t value) noexcept { isSame_ &= take() == value; }
    template <class Where, std::size_t N>
    void words(std::byte* image, const std::array<std::uintptr_t, N>& words) noexcept {
        std::memcpy(image, words.data(), sizeof(words));
    }
    template <class Where, class U, class V>
    std::uintptr_t shared(const U* host, std::size_t count, bool) noexcept {
        return takeTarget(host, count);
    }
    template <class Where, class U, class V>
    std::uintptr_t owned(const U* host, std::size_t count, LeadBy) noexcept {
        return takeTarget(host, count);
    }
    template <class Where, class U, class V, class P>
    void pointer(P& host, std::byte* image) noexcept {
        array<Where, U, V>(host, image, 1, true);
    }
    template <class Where, class U, class V, class P>
    void array(P& host, std::byte* image, std::size_t count, bool) noexcept {
        const std::uintptr_t address = takeTarget(host, count, isTolerant_);
        std::memcpy(image, &address, sizeof address);
    }

private:
    bool isFresh_ = false;
    bool isTolerant_ = false;
};

/// The third walk: brings values back to the host.
class ImageReturn : public ImageSlots {
public:
    static constexpr bool isDiscovery = false;
    static constexpr bool isReturn = true;

    ImageReturn(ImagePlan& plan, const std::byte* image, const std::byte* device, std::string_view deviceName) noexcept
        : ImageSlots(plan, image, device),
          plan_(plan),
          deviceName_(deviceName) {}

    /// threads: have the arrival of the image, and get the arrays of numbers, which then do not come back here.
    /// Errors: UsageError when the host's objects have changed their shape since they were copied. DeviceError (StrayPointer,
    /// ChangedShape).
    static void giveBackAll(ImagePlan& plan, std::byte* image, const std::byte* device, std::string_view deviceName,
                            ImageTransfers* threads = nullptr);

    void block(void* host, const std::byte* image, std::size_t bytes) noexcept { std::memcpy(host, image, bytes); }
    void state(std::uint32_t value) {
        if (take() != value) failHost();
    }
    template <class Where, std::size_t N>
    void words(const std::byte* image, const std::array<std::uintptr_t, N>& words) {
        if (std::memcmp(image, words.data(), sizeof(words)) != 0) failShape(placeOf<Where>());
    }
    template <class Where, class U, class V>
    std::uintptr_t shared(const U* host, std::size_t count, bool) {
        return target(nullptr, host, count);
    }
    template <class Where, class U, class V>
    std::uintptr_t owned(const U* host, std::size_t count, LeadBy) {
        return target(nullptr, host, count);
    }
    template <class Where, class U, class V, class P>
    void pointer(P& host, const std::byte* image) {
        const std::uintptr_t expected = target(std::addressof(host), host, 1);
        const std::uintptr_t found = addressIn(image);
        if (found != expected) host = static_cast<P>(rewire(std::addressof(host), found, 1, sizeof(U), true, &placeOf<Where>));
    }
    template <class Where, class U, class V, class P>
    void array(P& host, const std::byte* image, std::size_t count, bool isLengthKept) {
        const std::uintptr_t expected = target(std::addressof(host), host, count);
        const std::uintptr_t found = addressIn(image);
        if (found == expected && isLengthKept && (found != 0 || count == 0)) return;
        if (expected == 0 && count != 0) failHost();
        if (!isLengthKept || (found == 0 && count != 0)) failShape(placeOf<Where>());
        if (count != 0) host = static_cast<P>(rewire(std::addressof(host), found, count, count * sizeof(U), false, &placeOf<Where>));
    }
    [[noreturn]] void failShape(const ImagePlace& place) const { failChangedShape(place, deviceName_); }

private:
    /// Compares the host's pointer, and returns its address on the device. pointer: its address, or null for a pointer that no kernel may
    /// change.
    std::uintptr_t target(const void* pointer, const void* host, std::size_t count) {
        const std::uint32_t number = take();
        if (number != 0) {
            const ImageBlock& block = blocks_[number - 1];
            if (block.host == host && block.count == count) return device_ + block.offset;
        } else if (isSame_ && (host == nullptr || count == 0)) {
            return 0;
        }
        return rewiredTarget(pointer, host, count);
    }
    /// The address on the device for a pointer that an earlier fetch() has changed. Errors: UsageError for another one.
    [[gnu::cold]] std::uintptr_t rewiredTarget(const void* pointer, const void* host, std::size_t count) const;
    /// The new target on the host of a pointer that a kernel has changed. Errors: DeviceError (StrayPointer).
    [[gnu::cold]] void* rewire(const void* pointer, std::uintptr_t found, std::size_t count, std::size_t bytes, bool mayBeEnd,
                               ImagePlace (*place)());
    [[noreturn]] static void failHost();

    ImagePlan& plan_;
    std::string_view deviceName_;
};

/// A text such as "Atoms::positions".
std::string textOfPlace(const ImagePlace& place);

}    // namespace ferry::detail
