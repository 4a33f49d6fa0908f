// The forms are those of the DWARF Debugging Information Format, versions 2 to 5. Numbers of attributes and forms are named there (7.5).
#include <ferry/serialization/exception/debug/DebugUnit.hpp>

#include <algorithm>

#include <ferry/serialization/exception/debug/ElfFile.hpp>

namespace ferry::detail {

DebugSections::DebugSections(const ElfFile& file)
    : info(file.section(".debug_info")),
      abbreviations(file.section(".debug_abbrev")),
      lines(file.section(".debug_line")),
      strings(file.section(".debug_str")),
      lineStrings(file.section(".debug_line_str")),
      stringOffsets(file.section(".debug_str_offsets")),
      addresses(file.section(".debug_addr")),
      ranges(file.section(".debug_ranges")),
      rangeLists(file.section(".debug_rnglists")) {}

DebugUnit::DebugUnit(const DebugSections& sections, std::size_t place) : sections_(sections), begin_(place) {
    DwarfReader in(sections.info, place);
    std::uint64_t byteCount = in.fixed<std::uint32_t>();
    is64Bit_ = byteCount == 0xffff'ffff;
    if (is64Bit_) byteCount = in.fixed<std::uint64_t>();
    if (byteCount > in.rest().size()) in.fail();
    end_ = in.isGood() ? in.place() + static_cast<std::size_t>(byteCount) : sections.info.size();
    version_ = in.fixed<std::uint16_t>();
    if (version_ < 2 || version_ > 5) return;
    std::uint8_t type = 1;    // of a whole source
    if (version_ == 5) {
        type = in.fixed<std::uint8_t>();
        addressBytes_ = in.fixed<std::uint8_t>();
        abbreviationsPlace_ = offset(in);
    } else {
        abbreviationsPlace_ = offset(in);
        addressBytes_ = in.fixed<std::uint8_t>();
    }
    if (type != 1 && type != 3) return;    // types alone, or a part that lies in another file
    firstEntry_ = in.place();
    if (in.isGood() && addressBytes_ == sizeof(void*)) readHead();
}

bool DebugUnit::readAbbreviation(DwarfReader& in, std::uint64_t& code, Abbreviation& abbreviation) const {
    code = in.unsignedNumber();
    if (code == 0) return false;
    abbreviation.tag = in.unsignedNumber();
    abbreviation.hasChildren = in.fixed<std::uint8_t>() != 0;
    while (in.isGood()) {
        Attribute attribute;
        attribute.name = in.unsignedNumber();
        attribute.form = in.unsignedNumber();
        constexpr std::uint64_t implicitConstant = 0x21;
        if (attribute.form == implicitConstant) attribute.constant = in.signedNumber();
        if (attribute.name == 0 && attribute.form == 0) break;
        abbreviation.attributes.push_back(attribute);
    }
    return in.isGood();
}

void DebugUnit::readHead() {
    DwarfReader entry(sections_.info.first(end_), firstEntry_);
    const std::uint64_t wanted = entry.unsignedNumber();
    DwarfReader in(sections_.abbreviations, abbreviationsPlace_);
    std::uint64_t code = 0;
    for (Abbreviation one; readAbbreviation(in, code, one); one = {}) {
        if (code != wanted) continue;
        head_ = read(one, entry);
        DwarfReader again(sections_.info.first(end_), entry.isGood() ? firstEntry_ : end_);
        again.unsignedNumber();
        head_ = read(one, again);    // once more, now that the bases of its own texts and addresses are known
        isGood_ = entry.isGood();
        break;
    }
    bool isKnown = true;
    if (isGood_ && head_.low.kind != DebugValue::Kind::None) base_ = addressOf(head_.low, isKnown);
}

void DebugUnit::readAbbreviations() {
    constexpr std::uint64_t maxCode = 100'000;
    DwarfReader in(sections_.abbreviations, abbreviationsPlace_);
    std::uint64_t code = 0;
    for (Abbreviation one; readAbbreviation(in, code, one); one = {}) {
        if (code > maxCode) {
            isGood_ = false;
            return;
        }
        if (code >= abbreviations_.size()) abbreviations_.resize(static_cast<std::size_t>(code) + 1);
        abbreviations_[static_cast<std::size_t>(code)] = std::move(one);
    }
}

DebugEntry DebugUnit::entryAt(DwarfReader& in) const {
    const std::size_t place = in.place();
    const std::uint64_t code = in.unsignedNumber();
    if (code == 0) return {};
    if (code >= abbreviations_.size() || abbreviations_[static_cast<std::size_t>(code)].tag == 0) {
        in.fail();
        return {};
    }
    DebugEntry entry = read(abbreviations_[static_cast<std::size_t>(code)], in);
    entry.place = place;
    return entry;
}

DebugEntry DebugUnit::read(const Abbreviation& abbreviation, DwarfReader& in) const {
    DebugEntry entry;
    entry.tag = abbreviation.tag;
    entry.hasChildren = abbreviation.hasChildren;
    for (const Attribute& attribute : abbreviation.attributes) {
        const DebugValue value = valueOf(attribute.form, attribute.constant, in);
        switch (attribute.name) {
            case 0x01: entry.sibling = value; break;
            case 0x03: entry.name = value; break;
            case 0x10: entry.lineTable = value; break;
            case 0x11: entry.low = value; break;
            case 0x12: entry.high = value; break;
            case 0x1b: entry.folder = value; break;
            case 0x31:
            case 0x47: entry.origin = value; break;
            case 0x55: entry.ranges = value; break;
            case 0x58: entry.callFile = value; break;
            case 0x59: entry.callLine = value; break;
            case 0x6e:
            case 0x2007: entry.linkageName = value; break;
            case 0x72: entry.stringBase = value; break;
            case 0x73: entry.addressBase = value; break;
            case 0x74: entry.rangeBase = value; break;
            case 0x76:
            case 0x2130: entry.splitName = value; break;
            default: break;
        }
    }
    return entry;
}

std::string_view DebugUnit::textAt(DwarfReader::Bytes section, std::uint64_t place) const { return DwarfReader(section, place).text(); }

std::string_view DebugUnit::textOfIndex(std::uint64_t index) const {
    if (head_.stringBase.kind == DebugValue::Kind::None || index > sections_.stringOffsets.size()) return {};
    DwarfReader in(sections_.stringOffsets, head_.stringBase.number + index * (is64Bit_ ? 8 : 4));
    const std::uint64_t place = offset(in);
    return in.isGood() ? textAt(sections_.strings, place) : std::string_view();
}

DebugValue DebugUnit::valueOf(std::uint64_t form, std::int64_t constant, DwarfReader& in) const {
    using Kind = DebugValue::Kind;
    const auto number = [](std::uint64_t value) { return DebugValue{Kind::Number, value, {}}; };
    const auto text = [](std::string_view value) { return DebugValue{Kind::Text, 0, value}; };
    const auto reference = [this](std::uint64_t fromUnit) { return DebugValue{Kind::Reference, begin_ + fromUnit, {}}; };
    const auto skip = [&in](std::uint64_t byteCount) {
        in.take(byteCount);
        return DebugValue{};
    };
    switch (form) {
        case 0x01: return {Kind::Address, in.number(addressBytes_), {}};
        case 0x03: return skip(in.fixed<std::uint16_t>());
        case 0x04: return skip(in.fixed<std::uint32_t>());
        case 0x05: return number(in.number(2));
        case 0x06: return number(in.number(4));
        case 0x07: return number(in.number(8));
        case 0x08: return text(in.text());
        case 0x09:
        case 0x18: return skip(in.unsignedNumber());
        case 0x0a: return skip(in.fixed<std::uint8_t>());
        case 0x0b:
        case 0x0c: return number(in.number(1));
        case 0x0d: return number(static_cast<std::uint64_t>(in.signedNumber()));
        case 0x0e: return text(textAt(sections_.strings, offset(in)));
        case 0x0f: return number(in.unsignedNumber());
        case 0x10: return {Kind::Reference, version_ == 2 ? in.number(addressBytes_) : offset(in), {}};
        case 0x11: return reference(in.number(1));
        case 0x12: return reference(in.number(2));
        case 0x13: return reference(in.number(4));
        case 0x14: return reference(in.number(8));
        case 0x15: return reference(in.unsignedNumber());
        case 0x16: {
            const std::uint64_t direct = in.unsignedNumber();
            constexpr std::uint64_t indirect = 0x16;
            if (direct == indirect || direct == 0x21) in.fail();
            return in.isGood() ? valueOf(direct, 0, in) : DebugValue{};
        }
        case 0x17: return number(offset(in));
        case 0x19: return number(1);
        case 0x1a: return text(textOfIndex(in.unsignedNumber()));
        case 0x1b: return {Kind::AddressIndex, in.unsignedNumber(), {}};
        case 0x1c: return skip(4);
        case 0x1d:
        case 0x1f20:
        case 0x1f21: offset(in); return {};    // in another file
        case 0x1e: return skip(16);
        case 0x1f: return text(textAt(sections_.lineStrings, offset(in)));
        case 0x20:
        case 0x24: return skip(8);
        case 0x21: return number(static_cast<std::uint64_t>(constant));
        case 0x22: in.unsignedNumber(); return {};
        case 0x23: return {Kind::RangeIndex, in.unsignedNumber(), {}};
        case 0x25: return text(textOfIndex(in.number(1)));
        case 0x26: return text(textOfIndex(in.number(2)));
        case 0x27: return text(textOfIndex(in.number(3)));
        case 0x28: return text(textOfIndex(in.number(4)));
        case 0x29: return {Kind::AddressIndex, in.number(1), {}};
        case 0x2a: return {Kind::AddressIndex, in.number(2), {}};
        case 0x2b: return {Kind::AddressIndex, in.number(3), {}};
        case 0x2c: return {Kind::AddressIndex, in.number(4), {}};
        default: in.fail(); return {};
    }
}

std::uint64_t DebugUnit::addressOf(const DebugValue& value, bool& isGood) const {
    if (value.kind == DebugValue::Kind::Address) return value.number;
    isGood = isGood && value.kind == DebugValue::Kind::AddressIndex && value.number < sections_.addresses.size();
    if (!isGood) return 0;
    DwarfReader in(sections_.addresses, head_.addressBase.number + value.number * addressBytes_);
    const std::uint64_t address = in.number(addressBytes_);
    isGood = in.isGood();
    return address;
}

bool DebugUnit::addOldRanges(std::uint64_t place, Ranges& ranges) const {
    DwarfReader in(sections_.ranges, place);
    std::uint64_t base = base_;
    const std::uint64_t newBase = addressBytes_ == 8 ? ~std::uint64_t{0} : 0xffff'ffff;
    while (in.isGood()) {
        const std::uint64_t begin = in.number(addressBytes_);
        const std::uint64_t end = in.number(addressBytes_);
        if (begin == 0 && end == 0) break;
        if (begin == newBase)
            base = end;
        else
            ranges.emplace_back(base + begin, base + end);
    }
    return in.isGood();
}

bool DebugUnit::addRanges(const DebugValue& value, Ranges& ranges) const {
    if (version_ < 5) return addOldRanges(value.number, ranges);
    std::uint64_t place = value.number;
    if (value.kind == DebugValue::Kind::RangeIndex) {
        if (value.number > sections_.rangeLists.size()) return false;
        DwarfReader index(sections_.rangeLists, head_.rangeBase.number + value.number * (is64Bit_ ? 8 : 4));
        place = head_.rangeBase.number + offset(index);
        if (!index.isGood()) return false;
    }
    DwarfReader in(sections_.rangeLists, place);
    std::uint64_t base = base_;
    bool isGood = true;
    const auto byIndex = [&] { return addressOf({DebugValue::Kind::AddressIndex, in.unsignedNumber(), {}}, isGood); };
    while (isGood && in.isGood()) {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        switch (in.fixed<std::uint8_t>()) {
            case 0: return in.isGood();
            case 1: base = byIndex(); continue;
            case 2:
                begin = byIndex();
                end = byIndex();
                break;
            case 3:
                begin = byIndex();
                end = begin + in.unsignedNumber();
                break;
            case 4:
                begin = base + in.unsignedNumber();
                end = base + in.unsignedNumber();
                break;
            case 5: base = in.number(addressBytes_); continue;
            case 6:
                begin = in.number(addressBytes_);
                end = in.number(addressBytes_);
                break;
            case 7:
                begin = in.number(addressBytes_);
                end = begin + in.unsignedNumber();
                break;
            default: return false;
        }
        ranges.emplace_back(begin, end);
    }
    return false;
}

bool DebugUnit::visitCovered(const DebugEntry& entry, const std::vector<std::uint64_t>& addresses,
                             const std::function<void(std::size_t)>& visit) const {
    using Kind = DebugValue::Kind;
    Ranges ranges;
    bool isGood = true;
    if (entry.ranges.kind != Kind::None) {
        if (!addRanges(entry.ranges, ranges)) return false;
    } else if (entry.low.kind != Kind::None && entry.high.kind != Kind::None) {
        const std::uint64_t low = addressOf(entry.low, isGood);
        const std::uint64_t high = entry.high.kind == Kind::Number ? low + entry.high.number : addressOf(entry.high, isGood);
        if (isGood) ranges.emplace_back(low, high);
    }
    bool isCovering = false;
    for (const auto& [begin, end] : ranges) {
        if (begin == 0) continue;    // of a function that the linker has left out
        for (auto one = std::lower_bound(addresses.begin(), addresses.end(), begin); one != addresses.end() && *one < end; ++one) {
            visit(static_cast<std::size_t>(one - addresses.begin()));
            isCovering = true;
        }
    }
    return isCovering;
}

}    // namespace ferry::detail
