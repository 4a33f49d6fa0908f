#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include <ferry/serialization/exception/debug/DwarfReader.hpp>

namespace ferry::detail {

class ElfFile;

/// The sections of debug information (DWARF 2 to 5) of one file; empty ones do not exist.
struct DebugSections {
    using Bytes = DwarfReader::Bytes;

    explicit DebugSections(const ElfFile& file);

    Bytes info, abbreviations, lines, strings, lineStrings, stringOffsets, addresses, ranges, rangeLists;
};

/// One attribute of an entry of debug information.
struct DebugValue {
    enum class Kind : std::uint8_t { None, Number, Address, AddressIndex, Reference, Text, RangeIndex };
    Kind kind = Kind::None;
    std::uint64_t number = 0;    ///< for Reference: the place in the section
    std::string_view text{};
};

/// One entry of debug information (DIE): a function, or a call that was inlined.
struct DebugEntry {
    enum Tag : std::uint64_t { Enumeration = 0x04, Class = 0x02, Structure = 0x13, Union = 0x17, Inlined = 0x1d, Function = 0x2e };

    std::size_t place = 0;
    std::uint64_t tag = 0;    ///< 0: ends the children of an entry
    bool hasChildren = false;
    DebugValue sibling{}, name{}, linkageName{}, origin{}, low{}, high{}, ranges{}, callFile{}, callLine{};
    DebugValue folder{}, lineTable{}, stringBase{}, addressBase{}, rangeBase{}, splitName{};    ///< of a unit
};

/// One unit of debug information: what the compiler has made of one source.
///
/// Ownership: does not own the sections.
class DebugUnit {
public:
    /// Reads the head of the unit at this place of the section. isGood() is false if its form is not known.
    DebugUnit(const DebugSections& sections, std::size_t place);

    bool isGood() const noexcept { return isGood_; }
    std::size_t end() const noexcept { return end_; }
    int version() const noexcept { return version_; }
    std::size_t firstEntry() const noexcept { return firstEntry_; }
    /// The entry of the unit itself.
    const DebugEntry& head() const noexcept { return head_; }

    /// Reads all abbreviations. Needed before entryAt().
    void readAbbreviations();
    DebugEntry entryAt(DwarfReader& in) const;
    /// Whether the entry contains one of these addresses, which are sorted. Calls the visitor with the place of each in the list.
    bool visitCovered(const DebugEntry& entry, const std::vector<std::uint64_t>& addresses,
                      const std::function<void(std::size_t)>& visit) const;
    /// A pointer of this unit's form.
    std::uint64_t offset(DwarfReader& in) const noexcept { return in.number(is64Bit_ ? 8 : 4); }
    DebugValue valueOf(std::uint64_t form, std::int64_t constant, DwarfReader& in) const;

private:
    struct Attribute {
        std::uint64_t name = 0;
        std::uint64_t form = 0;
        std::int64_t constant = 0;
    };
    struct Abbreviation {
        std::uint64_t tag = 0;
        bool hasChildren = false;
        std::vector<Attribute> attributes{};
    };

    bool readAbbreviation(DwarfReader& in, std::uint64_t& code, Abbreviation& abbreviation) const;
    void readHead();
    DebugEntry read(const Abbreviation& abbreviation, DwarfReader& in) const;
    std::string_view textAt(DwarfReader::Bytes section, std::uint64_t place) const;
    std::string_view textOfIndex(std::uint64_t index) const;
    std::uint64_t addressOf(const DebugValue& value, bool& isGood) const;
    using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
    bool addRanges(const DebugValue& value, Ranges& ranges) const;
    bool addOldRanges(std::uint64_t place, Ranges& ranges) const;

    const DebugSections& sections_;
    std::size_t begin_;
    std::size_t end_ = 0;
    std::size_t firstEntry_ = 0;
    std::uint64_t abbreviationsPlace_ = 0;
    int version_ = 0;
    bool is64Bit_ = false;
    std::size_t addressBytes_ = 0;
    std::vector<Abbreviation> abbreviations_{};    // by code; the codes of compilers count from 1
    DebugEntry head_{};
    std::uint64_t base_ = 0;    // to which the old form of ranges refers
    bool isGood_ = false;
};

}    // namespace ferry::detail
