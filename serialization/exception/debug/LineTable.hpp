#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/serialization/exception/debug/DebugUnit.hpp>

namespace ferry::detail {

/// A line of a source.
struct SourceLine {
    std::string file{};    ///< empty: unknown
    int line = 0;
};

/// The table of one unit that says from which line each instruction comes.
///
/// Ownership: does not own the sections and the unit.
class LineTable {
public:
    LineTable(const DebugSections& sections, const DebugUnit& unit);

    /// Whether the head of the table was read.
    bool isGood() const noexcept { return isGood_; }
    /// The path of a file, by its number in the table.
    std::string fileAt(std::uint64_t number) const;
    /// The lines of addresses, which are sorted. False: the table has a form that is not known.
    bool find(const std::vector<std::uint64_t>& addresses, std::vector<SourceLine>& lines) const;

private:
    struct File {
        std::string_view name{};
        std::uint64_t folder = 0;
    };

    void readOldNames(DwarfReader& in);
    void readNames(DwarfReader& in, std::vector<File>& names) const;

    const DebugUnit& unit_;
    DwarfReader::Bytes table_{};
    std::size_t program_ = 0;
    int version_ = 0;
    std::uint8_t instructionBytes_ = 1;
    std::int8_t lineBase_ = 0;
    std::uint8_t lineRange_ = 0;
    std::vector<std::uint8_t> operandCounts_{};    // of the standard instructions, from 1 on
    std::vector<std::string_view> folders_{};
    std::vector<File> files_{};
    bool isGood_ = false;
};

}    // namespace ferry::detail
