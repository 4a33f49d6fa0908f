#include <ferry/guard/unwinding/TableReader.hpp>

#include <algorithm>
#include <optional>

#include <ferry/guard/unwinding/LoadedModule.hpp>

namespace ferry::pmpi {

namespace {

// The parts of DW_EH_PE_...: the form of the number, its base, and whether the pointer is stored at the place that it points to.
constexpr TableReader::Encoding formOfPointer = 0x0f;
constexpr TableReader::Encoding baseOfPointer = 0x70;
constexpr TableReader::Encoding isIndirect = 0x80;
constexpr TableReader::Encoding fromZero = 0x00;
constexpr TableReader::Encoding fromItsPlace = 0x10;
constexpr TableReader::Encoding fromFunction = 0x40;

std::span<const std::uint8_t> readableFrom(std::uintptr_t address) {
    const std::optional<LoadedModule> module = LoadedModule::around(address);
    return module ? module->bytesFrom(address) : std::span<const std::uint8_t>();
}

}    // namespace

TableReader::TableReader(std::uintptr_t address) : TableReader(readableFrom(address)) {}

bool TableReader::require(std::uint64_t byteCount) {
    if (byteCount > rest_.size()) {
        isGood_ = false;
        rest_ = {};
    }
    return isGood_;
}

std::uint64_t TableReader::digits(unsigned& bitCount, bool& isNegative) {
    std::uint64_t value = 0;
    std::uint8_t part = 0x80;
    for (bitCount = 0; (part & 0x80) != 0; bitCount += 7) {
        part = byte();
        if (bitCount >= 64) isGood_ = false;
        if (!isGood_) return 0;
        value |= static_cast<std::uint64_t>(part & 0x7f) << bitCount;
    }
    isNegative = (part & 0x40) != 0;
    return value;
}

std::uint64_t TableReader::unsignedNumber() {
    unsigned bitCount = 0;
    bool isNegative = false;
    return digits(bitCount, isNegative);
}

std::int64_t TableReader::signedNumber() {
    unsigned bitCount = 0;
    bool isNegative = false;
    std::uint64_t value = digits(bitCount, isNegative);
    if (isNegative && bitCount < 64) value |= ~std::uint64_t{0} << bitCount;
    return static_cast<std::int64_t>(value);
}

std::string_view TableReader::text() {
    const auto end = std::find(rest_.begin(), rest_.end(), std::uint8_t{0});
    if (end == rest_.end()) {
        isGood_ = false;
        return {};
    }
    const std::string_view found(reinterpret_cast<const char*>(rest_.data()), static_cast<std::size_t>(end - rest_.begin()));
    rest_ = rest_.subspan(found.size() + 1);
    return found;
}

void TableReader::skip(std::uint64_t byteCount) {
    if (require(byteCount)) rest_ = rest_.subspan(byteCount);
}

std::size_t TableReader::bytesOf(Encoding encoding) noexcept {
    switch (encoding & formOfPointer) {
        case 0x0: return sizeof(void*);
        case 0x2:
        case 0xa: return 2;
        case 0x3:
        case 0xb: return 4;
        case 0x4:
        case 0xc: return 8;
        default: return 0;
    }
}

std::uintptr_t TableReader::number(Encoding encoding) {
    switch (encoding & formOfPointer) {
        case 0x0: return fixed<std::uintptr_t>();
        case 0x1: return static_cast<std::uintptr_t>(unsignedNumber());
        case 0x2: return fixed<std::uint16_t>();
        case 0x3: return fixed<std::uint32_t>();
        case 0x4: return static_cast<std::uintptr_t>(fixed<std::uint64_t>());
        case 0x9: return static_cast<std::uintptr_t>(signedNumber());
        case 0xa: return static_cast<std::uintptr_t>(std::int64_t{fixed<std::int16_t>()});
        case 0xb: return static_cast<std::uintptr_t>(std::int64_t{fixed<std::int32_t>()});
        case 0xc: return static_cast<std::uintptr_t>(fixed<std::int64_t>());
        default: isGood_ = false; return 0;
    }
}

std::uintptr_t TableReader::pointer(Encoding encoding, std::uintptr_t functionStart) {
    if (encoding == Omitted) return 0;
    const std::uintptr_t itsPlace = place();
    std::uintptr_t value = number(encoding);
    if (!isGood_ || value == 0) return 0;
    switch (encoding & baseOfPointer) {
        case fromZero: break;
        case fromItsPlace: value += itsPlace; break;
        case fromFunction: value += functionStart; break;
        default: isGood_ = false; return 0;
    }
    if ((encoding & isIndirect) == 0) return value;
    TableReader there(value);
    value = there.fixed<std::uintptr_t>();
    isGood_ = there.isGood();
    return value;
}

}    // namespace ferry::pmpi
