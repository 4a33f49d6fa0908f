#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/device/image/ImageActions.hpp>
#include <ferry/device/image/ImagePlan.hpp>
#include <ferry/device/runtime/Runtime.hpp>

namespace ferry::detail {

/// Brings a part of a copy back to the host: the part that a View shows. The other members of the host stay as they are.
///
/// Follows the pointers in the image. Arrays that were sent from where they lie are only noted.
/// Errors: those of ImageReturn.
class ImagePartReturn {
public:
    static constexpr bool isDiscovery = false;
    static constexpr bool isReturn = true;

    ImagePartReturn(ImagePlan& plan, std::byte* image, std::byte* device, std::string_view deviceName)
        : plan_(plan),
          image_(image),
          device_(device),
          deviceName_(deviceName) {}

    void giveBack(void* root, std::size_t count, const ImageType& type);
    /// Arrays that the caller still has to bring back.
    const std::vector<DevicePiece>& directArrays() const noexcept { return direct_; }

    void block(void* host, const std::byte* image, std::size_t bytes) noexcept { std::memcpy(host, image, bytes); }
    void state(std::uint32_t) noexcept {}
    std::uintptr_t addressOf(const std::byte* place) const noexcept { return number(device_) + static_cast<std::size_t>(place - image_); }
    template <class Where, std::size_t N>
    void words(const std::byte* image, const std::array<std::uintptr_t, N>& words) {
        if (std::memcmp(image, words.data(), sizeof(words)) != 0) failShape(placeOf<Where>());
    }
    template <class Where, class U, class V>
    std::uintptr_t shared(const U* host, std::size_t count, bool isMutable) {
        return host == nullptr || count == 0 ? 0 : follow(const_cast<U*>(host), count, imageTypeOf<U, V>(), isMutable);
    }
    template <class Where, class U, class V>
    std::uintptr_t owned(const U* host, std::size_t count, LeadBy) {
        return shared<Where, U, V>(host, count, true);
    }
    template <class Where, class U, class V, class P>
    void pointer(P& host, const std::byte* image) {
        const HostTarget target = hostOf(plan_, addressIn(image), number(device_), sizeof(U), true, placeOf<Where>(), deviceName_);
        rewire(host, 1, target);
        if (!target.isEnd) shared<Where, U, V>(host, 1, !std::is_const_v<std::remove_pointer_t<P>>);
    }
    template <class Where, class U, class V, class P>
    void array(P& host, const std::byte* image, std::size_t count, bool isLengthKept) {
        if (!isLengthKept || (count != 0 && addressIn(image) == 0)) {
            requireArray(host, count * sizeof(U));
            failShape(placeOf<Where>());
        }
        if (count == 0) return;
        const HostTarget target = hostOf(plan_, addressIn(image), number(device_), count * sizeof(U), false, placeOf<Where>(), deviceName_);
        rewire(host, count, target);
        shared<Where, U, V>(host, count, !std::is_const_v<std::remove_pointer_t<P>>);
    }
    [[noreturn]] void failShape(const ImagePlace& place) const;

private:
    struct Visit {
        void* host;
        std::size_t offset;
        std::size_t count;
        const ImageType* type;
    };

    template <class P>
    void rewire(P& host, std::size_t count, const HostTarget& target) {
        if (host == target.host) return;
        plan_.rewired().note(std::addressof(host), target.host, count, target.place);
        host = static_cast<P>(target.host);
    }
    [[noreturn]] static void failHost();
    /// Errors: UsageError unless the copy holds an array of the host with these bytes, so that the host has changed no length.
    void requireArray(const void* host, std::size_t bytes) const;
    static std::uintptr_t number(const void* pointer) noexcept { return reinterpret_cast<std::uintptr_t>(pointer); }
    /// Returns the address on the device.
    std::uintptr_t follow(void* host, std::size_t count, const ImageType& type, bool isMutable);

    ImagePlan& plan_;
    std::byte* image_;
    std::byte* device_;
    std::string_view deviceName_;
    std::vector<Visit> visits_;
    std::map<std::pair<std::size_t, const ImageType*>, std::size_t> known_;    // the most elements that lie there
    std::vector<DevicePiece> direct_;
};

}    // namespace ferry::detail
