#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace ferry::pmpi {

/// Reads tables that the compiler has made for the unwinder, from front to back.
///
/// Errors: reading past the end or an unknown encoding gives zeros; isGood() is false from then on.
class TableReader {
public:
    /// The encoding of a pointer (DW_EH_PE_...).
    using Encoding = std::uint8_t;
    static constexpr Encoding Omitted = 0xff;

    explicit TableReader(std::span<const std::uint8_t> bytes) : rest_(bytes), isGood_(!bytes.empty()) {}
    /// Reads from an address to the end of its segment.
    explicit TableReader(std::uintptr_t address);

    bool isGood() const noexcept { return isGood_; }
    /// The address of the next byte.
    std::uintptr_t place() const noexcept { return reinterpret_cast<std::uintptr_t>(rest_.data()); }

    template <class Value>
    Value fixed() {
        Value value{};
        if (!require(sizeof value)) return value;
        std::memcpy(&value, rest_.data(), sizeof value);
        rest_ = rest_.subspan(sizeof value);
        return value;
    }
    std::uint8_t byte() { return fixed<std::uint8_t>(); }
    /// A number of variable length (LEB128).
    std::uint64_t unsignedNumber();
    std::int64_t signedNumber();
    /// Reads text up to a zero byte.
    std::string_view text();
    void skip(std::uint64_t byteCount);
    /// Reads a pointer. functionStart: the base of some encodings.
    std::uintptr_t pointer(Encoding encoding, std::uintptr_t functionStart = 0);

    /// The number of bytes of a pointer that is not omitted; 0: the number varies.
    static std::size_t bytesOf(Encoding encoding) noexcept;

private:
    bool require(std::uint64_t byteCount);
    std::uintptr_t number(Encoding encoding);
    std::uint64_t digits(unsigned& bitCount, bool& isNegative);

    std::span<const std::uint8_t> rest_;
    bool isGood_;
};

}    // namespace ferry::pmpi
