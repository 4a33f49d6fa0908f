// The table is that of DWARF, section 6.2.
#include <ferry/serialization/exception/debug/LineTable.hpp>

#include <algorithm>

namespace ferry::detail {

LineTable::LineTable(const DebugSections& sections, const DebugUnit& unit) : unit_(unit) {
    if (unit.head().lineTable.kind == DebugValue::Kind::None) return;
    DwarfReader head(sections.lines, unit.head().lineTable.number);
    std::uint64_t byteCount = head.fixed<std::uint32_t>();
    const bool is64Bit = byteCount == 0xffff'ffff;
    if (is64Bit) byteCount = head.fixed<std::uint64_t>();
    table_ = head.take(byteCount);
    DwarfReader in(table_);
    version_ = in.fixed<std::uint16_t>();
    if (version_ < 2 || version_ > 5) return;
    if (version_ == 5) {
        const auto addressBytes = in.fixed<std::uint8_t>();
        const auto segmentBytes = in.fixed<std::uint8_t>();
        if (addressBytes != sizeof(void*) || segmentBytes != 0) return;
    }
    const std::uint64_t headBytes = in.number(is64Bit ? 8 : 4);
    if (headBytes > in.rest().size()) return;
    program_ = in.place() + static_cast<std::size_t>(headBytes);
    instructionBytes_ = in.fixed<std::uint8_t>();
    if (version_ >= 4) in.fixed<std::uint8_t>();    // instructions of a bundle
    in.fixed<std::uint8_t>();                       // whether a row begins a statement
    lineBase_ = in.fixed<std::int8_t>();
    lineRange_ = in.fixed<std::uint8_t>();
    const auto firstSpecial = in.fixed<std::uint8_t>();
    if (firstSpecial == 0 || lineRange_ == 0) return;
    for (int instruction = 1; instruction < firstSpecial; ++instruction) operandCounts_.push_back(in.fixed<std::uint8_t>());
    if (version_ == 5) {
        std::vector<File> folders;
        readNames(in, folders);
        for (const File& folder : folders) folders_.push_back(folder.name);
        readNames(in, files_);
    } else {
        readOldNames(in);
    }
    isGood_ = head.isGood() && in.isGood();
}

void LineTable::readOldNames(DwarfReader& in) {
    folders_.push_back(unit_.head().folder.text);
    for (std::string_view name = in.text(); in.isGood() && !name.empty(); name = in.text()) folders_.push_back(name);
    files_.push_back({unit_.head().name.text, 0});
    for (std::string_view name = in.text(); in.isGood() && !name.empty(); name = in.text()) {
        files_.push_back({name, in.unsignedNumber()});
        in.unsignedNumber();    // time
        in.unsignedNumber();    // bytes
    }
}

void LineTable::readNames(DwarfReader& in, std::vector<File>& names) const {
    struct Part {
        std::uint64_t meaning;
        std::uint64_t form;
    };
    std::vector<Part> parts;
    const auto partCount = in.fixed<std::uint8_t>();
    for (int part = 0; part < partCount && in.isGood(); ++part) {
        const std::uint64_t meaning = in.unsignedNumber();
        parts.push_back({meaning, in.unsignedNumber()});
    }
    const std::uint64_t count = in.unsignedNumber();
    if (count > in.rest().size()) in.fail();
    for (std::uint64_t one = 0; one < count && in.isGood(); ++one) {
        File file;
        for (const Part& part : parts) {
            const DebugValue value = unit_.valueOf(part.form, 0, in);
            if (part.meaning == 1) file.name = value.text;
            if (part.meaning == 2) file.folder = value.number;
        }
        names.push_back(file);
    }
}

std::string LineTable::fileAt(std::uint64_t number) const {
    if (number >= files_.size()) return {};
    const File& file = files_[static_cast<std::size_t>(number)];
    if (file.name.starts_with('/') || file.folder >= folders_.size() || folders_[static_cast<std::size_t>(file.folder)].empty())
        return std::string(file.name);
    return std::string(folders_[static_cast<std::size_t>(file.folder)]) + "/" + std::string(file.name);
}

bool LineTable::find(const std::vector<std::uint64_t>& addresses, std::vector<SourceLine>& lines) const {
    lines.assign(addresses.size(), {});
    struct State {
        std::uint64_t address = 0;
        std::uint64_t file = 1;
        std::uint64_t line = 1;    // steps back are added modulo 2^64
    };
    State state;
    State before;
    bool isInSequence = false;
    const auto addRow = [&] {
        if (isInSequence && state.address > before.address) {
            auto one = std::lower_bound(addresses.begin(), addresses.end(), before.address);
            for (; one != addresses.end() && *one < state.address; ++one)
                lines[static_cast<std::size_t>(one - addresses.begin())] = {fileAt(before.file), static_cast<int>(before.line)};
        }
        before = state;
        isInSequence = true;
    };
    DwarfReader in(table_, program_);
    const std::size_t firstSpecial = operandCounts_.size() + 1;
    while (in.isGood() && !in.isAtEnd()) {
        const auto instruction = in.fixed<std::uint8_t>();
        if (instruction >= firstSpecial) {
            const auto special = static_cast<unsigned>(instruction - firstSpecial);
            state.address += special / lineRange_ * instructionBytes_;
            state.line += static_cast<std::uint64_t>(lineBase_ + static_cast<int>(special % lineRange_));
            addRow();
            continue;
        }
        switch (instruction) {
            case 0: {
                DwarfReader extended(in.take(in.unsignedNumber()));
                switch (extended.fixed<std::uint8_t>()) {
                    case 1:
                        addRow();
                        state = State();
                        isInSequence = false;
                        break;
                    case 2: state.address = extended.number(sizeof(void*)); break;
                    default: break;    // a file that is defined late is unknown; other kinds change no line
                }
                if (!extended.isGood()) return false;
                break;
            }
            case 1: addRow(); break;
            case 2: state.address += in.unsignedNumber() * instructionBytes_; break;
            case 3: state.line += static_cast<std::uint64_t>(in.signedNumber()); break;
            case 4: state.file = in.unsignedNumber(); break;
            case 8: state.address += static_cast<std::uint64_t>((255u - firstSpecial) / lineRange_) * instructionBytes_; break;
            case 9: state.address += in.fixed<std::uint16_t>(); break;
            default:
                for (int operand = 0; operand < operandCounts_[instruction - 1u]; ++operand) in.unsignedNumber();
                break;
        }
    }
    return in.isGood();
}

}    // namespace ferry::detail
