#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace ferry::detail {

/// Reads a table that the compiler has made for debuggers or for the unwinder, front to back.
///
/// Ownership: does not own the bytes, which must outlive the reader.
/// Errors: reading past the end gives zeros; isGood() is false from then on.
class DwarfReader {
public:
    using Bytes = std::span<const std::uint8_t>;

    explicit DwarfReader(Bytes bytes, std::uint64_t place = 0) noexcept : all_(bytes) { goTo(place); }

    bool isGood() const noexcept { return isGood_; }
    bool isAtEnd() const noexcept { return place_ == all_.size(); }
    std::size_t place() const noexcept { return place_; }
    Bytes rest() const noexcept { return all_.subspan(place_); }

    void goTo(std::uint64_t place) noexcept {
        if (place > all_.size()) fail();
        place_ = isGood_ ? static_cast<std::size_t>(place) : all_.size();
    }
    void fail() noexcept {
        isGood_ = false;
        place_ = all_.size();
    }
    Bytes take(std::uint64_t byteCount) noexcept {
        if (byteCount > all_.size() - place_) fail();
        if (!isGood_) return {};
        const Bytes taken = all_.subspan(place_, static_cast<std::size_t>(byteCount));
        place_ += taken.size();
        return taken;
    }
    template <class Value>
    Value fixed() noexcept {
        Value value{};
        const Bytes bytes = take(sizeof value);
        if (bytes.size() == sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
    /// A number of 1, 2, 3, 4 or 8 bytes.
    std::uint64_t number(std::size_t byteCount) noexcept {
        switch (byteCount) {
            case 1: return fixed<std::uint8_t>();
            case 2: return fixed<std::uint16_t>();
            case 3: {
                constexpr bool isLittle = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
                const std::uint64_t first = fixed<std::uint8_t>();
                const std::uint64_t second = fixed<std::uint8_t>();
                const std::uint64_t third = fixed<std::uint8_t>();
                return isLittle ? first | second << 8 | third << 16 : first << 16 | second << 8 | third;
            }
            case 4: return fixed<std::uint32_t>();
            case 8: return fixed<std::uint64_t>();
            default: fail(); return 0;
        }
    }
    /// A number of variable length (LEB128).
    std::uint64_t unsignedNumber() noexcept {
        unsigned bitCount = 0;
        std::uint8_t last = 0;
        return digits(bitCount, last);
    }
    std::int64_t signedNumber() noexcept {
        unsigned bitCount = 0;
        std::uint8_t last = 0;
        std::uint64_t value = digits(bitCount, last);
        if ((last & 0x40) != 0 && bitCount < 64) value |= ~std::uint64_t{0} << bitCount;
        return static_cast<std::int64_t>(value);
    }
    /// Text up to a zero byte.
    std::string_view text() noexcept {
        const Bytes left = rest();
        const void* const end = left.empty() ? nullptr : std::memchr(left.data(), 0, left.size());
        if (end == nullptr) {
            fail();
            return {};
        }
        const auto length = static_cast<std::size_t>(static_cast<const std::uint8_t*>(end) - left.data());
        place_ += length + 1;
        return {reinterpret_cast<const char*>(left.data()), length};
    }

private:
    std::uint64_t digits(unsigned& bitCount, std::uint8_t& last) noexcept {
        std::uint64_t value = 0;
        do {
            last = fixed<std::uint8_t>();
            if (bitCount >= 64) fail();
            if (!isGood_) return 0;
            value |= static_cast<std::uint64_t>(last & 0x7f) << bitCount;
            bitCount += 7;
        } while ((last & 0x80) != 0);
        return value;
    }

    Bytes all_;
    std::size_t place_ = 0;
    bool isGood_ = true;
};

}    // namespace ferry::detail
