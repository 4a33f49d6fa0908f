// The unwinder's tables are those of the Linux Standard Base, chapter "Exception Frames", with the instructions of DWARF.
#include <ferry/serialization/exception/stack/FrameRule.hpp>

#if defined(__x86_64__) && defined(__linux__)

#include <array>
#include <cstddef>
#include <string_view>

#include <ferry/serialization/exception/debug/DwarfReader.hpp>
#include <ferry/serialization/platform/System.hpp>

extern "C" {

/// A struct and a function of libgcc and of LLVM's libunwind; no header declares them.
struct ferryUnwindBases {
    void* text;
    void* data;
    void* function;
};
[[gnu::weak]] const void* findUnwindEntry(void* address, ferryUnwindBases* bases) __asm__("_Unwind_Find_FDE");

}    // extern "C"

namespace ferry::detail {

namespace {

constexpr std::uint64_t framePointer = 6;
constexpr std::uint64_t stackPointer = 7;
constexpr std::uint64_t returnAddressRegister = 16;

using Bytes = DwarfReader::Bytes;

/// Passes over a pointer in this encoding (DW_EH_PE_...).
void skipPointer(DwarfReader& in, std::uint8_t encoding) noexcept {
    switch (encoding & 0x0f) {
        case 0x0:
        case 0x4:
        case 0xc: in.take(8); break;
        case 0x1:
        case 0x9: in.unsignedNumber(); break;
        case 0x2:
        case 0xa: in.take(2); break;
        case 0x3:
        case 0xb: in.take(4); break;
        default: in.fail(); break;
    }
}

/// The bytes of the entry that begins here, behind its length; empty: there is none, or it has the 64-bit form that no compiler makes.
Bytes entryAt(std::uintptr_t address) noexcept {
    DwarfReader reader(platform::loadedBytesFrom(address));
    const auto byteCount = reader.fixed<std::uint32_t>();
    if (!reader.isGood() || byteCount == 0xffff'ffff) return {};
    const auto entry = reader.take(byteCount);
    return reader.isGood() ? entry : Bytes();
}

/// How one register of the caller is found.
struct RegisterRule {
    enum class Place : std::uint8_t { Same, Saved, Undefined, Other };
    Place place = Place::Same;
    std::int64_t offset = 0;    ///< for Saved: from the caller's stack pointer
};

/// The rules at one address of a function.
struct RuleRow {
    std::uint64_t base = 0;    ///< the register to which the offset is added
    std::int64_t offset = 0;
    bool isExpression = false;
    RegisterRule savedFramePointer{};
    RegisterRule returnAddress{};
};

/// The data that several functions share (CIE).
struct CommonEntry {
    std::uint64_t codeUnit = 1;
    std::int64_t dataUnit = 1;
    std::uint8_t ofAddresses = 0;
    bool hasAugmentation = false;
    Bytes instructions{};
};

/// Executes the instructions of a table up to an address of the function.
class RuleMachine {
public:
    RuleMachine(const CommonEntry& common, std::uint64_t distance) noexcept : common_(common), distance_(distance) {}

    /// Executes instructions. isGood() is false for instructions that this class does not know.
    void run(Bytes instructions) noexcept {
        DwarfReader in(instructions);
        while (isGood_ && !in.isAtEnd() && here_ <= distance_) {
            step(in);
            isGood_ = isGood_ && in.isGood();
        }
    }
    /// Takes the rules of now as those that "restore" means.
    void keepInitial() noexcept { initial_ = row_; }

    bool isGood() const noexcept { return isGood_; }
    const RuleRow& row() const noexcept { return row_; }

private:
    void step(DwarfReader& in) noexcept {
        const auto instruction = in.fixed<std::uint8_t>();
        const std::uint8_t operand = instruction & 0x3f;
        switch (instruction & 0xc0) {
            case 0x40: here_ += operand * common_.codeUnit; return;
            case 0x80: save(operand, static_cast<std::int64_t>(in.unsignedNumber()) * common_.dataUnit); return;
            case 0xc0: restore(operand); return;
            default: extended(operand, in); return;
        }
    }

    void extended(std::uint8_t instruction, DwarfReader& in) noexcept {
        switch (instruction) {
            case 0x00: break;
            case 0x02: here_ += in.fixed<std::uint8_t>() * common_.codeUnit; break;
            case 0x03: here_ += in.fixed<std::uint16_t>() * common_.codeUnit; break;
            case 0x04: here_ += in.fixed<std::uint32_t>() * common_.codeUnit; break;
            case 0x05: {
                const std::uint64_t number = in.unsignedNumber();
                save(number, static_cast<std::int64_t>(in.unsignedNumber()) * common_.dataUnit);
                break;
            }
            case 0x06: restore(in.unsignedNumber()); break;
            case 0x07: set(in.unsignedNumber(), RegisterRule::Place::Undefined); break;
            case 0x08: set(in.unsignedNumber(), RegisterRule::Place::Same); break;
            case 0x09:
                set(in.unsignedNumber(), RegisterRule::Place::Other);
                in.unsignedNumber();
                break;
            case 0x0a:
                isGood_ = keptCount_ < kept_.size();
                if (isGood_) kept_[keptCount_++] = row_;
                break;
            case 0x0b:
                isGood_ = keptCount_ > 0;
                if (isGood_) row_ = kept_[--keptCount_];
                break;
            case 0x0c:
                row_.base = in.unsignedNumber();
                row_.offset = static_cast<std::int64_t>(in.unsignedNumber());
                row_.isExpression = false;
                break;
            case 0x0d:
                row_.base = in.unsignedNumber();
                row_.isExpression = false;
                break;
            case 0x0e: row_.offset = static_cast<std::int64_t>(in.unsignedNumber()); break;
            case 0x0f:
                in.take(in.unsignedNumber());
                row_.isExpression = true;
                break;
            case 0x10:
            case 0x16:
                set(in.unsignedNumber(), RegisterRule::Place::Other);
                in.take(in.unsignedNumber());
                break;
            case 0x11: {
                const std::uint64_t number = in.unsignedNumber();
                save(number, in.signedNumber() * common_.dataUnit);
                break;
            }
            case 0x2e: in.unsignedNumber(); break;    // bytes of arguments, which matter only for a landing
            default: isGood_ = false; break;
        }
    }

    static RegisterRule* part(RuleRow& row, std::uint64_t number) noexcept {
        if (number == framePointer) return &row.savedFramePointer;
        return number == returnAddressRegister ? &row.returnAddress : nullptr;
    }
    void save(std::uint64_t number, std::int64_t offset) noexcept {
        if (RegisterRule* const one = part(row_, number)) *one = {RegisterRule::Place::Saved, offset};
        if (number == stackPointer) isGood_ = false;
    }
    void set(std::uint64_t number, RegisterRule::Place place) noexcept {
        if (RegisterRule* const one = part(row_, number)) *one = {place, 0};
        if (number == stackPointer) isGood_ = false;
    }
    void restore(std::uint64_t number) noexcept {
        if (RegisterRule* const one = part(row_, number)) *one = *part(initial_, number);
    }

    const CommonEntry& common_;
    std::uint64_t distance_;
    std::uint64_t here_ = 0;    // bytes from the start of the function
    RuleRow row_{};
    RuleRow initial_{};
    std::array<RuleRow, 8> kept_{};
    std::size_t keptCount_ = 0;
    bool isGood_ = true;
};

/// Reads the data that several functions share. False: its form is not known, or it belongs to a frame of a signal.
bool read(CommonEntry& entry, std::uintptr_t address) noexcept {
    DwarfReader in(entryAt(address));
    if (in.fixed<std::uint32_t>() != 0) return false;
    const auto version = in.fixed<std::uint8_t>();
    const std::string_view augmentation = in.text();
    entry.codeUnit = in.unsignedNumber();
    entry.dataUnit = in.signedNumber();
    const std::uint64_t returnColumn = version == 1 ? in.fixed<std::uint8_t>() : in.unsignedNumber();
    if (!in.isGood() || (version != 1 && version != 3) || returnColumn != returnAddressRegister) return false;
    if (!augmentation.empty()) {
        if (augmentation.front() != 'z') return false;
        entry.hasAugmentation = true;
        DwarfReader data(in.take(in.unsignedNumber()));
        for (const char what : augmentation.substr(1)) {
            switch (what) {
                case 'R': entry.ofAddresses = data.fixed<std::uint8_t>(); break;
                case 'L': data.fixed<std::uint8_t>(); break;
                case 'P': skipPointer(data, data.fixed<std::uint8_t>()); break;
                default: return false;
            }
        }
        if (!data.isGood()) return false;
    }
    entry.instructions = in.rest();
    return in.isGood();
}

FrameRule ruleOf(const RuleRow& row) noexcept {
    constexpr std::int64_t maxBytes = 1 << 30;
    constexpr std::int64_t word = sizeof(std::uintptr_t);
    FrameRule rule;
    if (row.returnAddress.place == RegisterRule::Place::Undefined) {
        rule.kind = FrameRule::Kind::Outermost;
        return rule;
    }
    const bool isFromFramePointer = row.base == framePointer;
    if (row.isExpression || (!isFromFramePointer && row.base != stackPointer)) return rule;
    if (row.offset < word || row.offset > maxBytes || row.offset % word != 0) return rule;
    if (row.returnAddress.place != RegisterRule::Place::Saved || row.returnAddress.offset != -word) return rule;
    const RegisterRule& saved = row.savedFramePointer;
    if (saved.place == RegisterRule::Place::Saved) {
        if (saved.offset > -2 * word || saved.offset < -maxBytes || saved.offset % word != 0) return rule;
        rule.savedFramePointer = static_cast<std::uint32_t>(-saved.offset);
    } else if (saved.place != RegisterRule::Place::Same) {
        return rule;
    }
    rule.isFromFramePointer = isFromFramePointer;
    rule.callerStackBytes = static_cast<std::uint32_t>(row.offset);
    rule.kind = FrameRule::Kind::Simple;
    return rule;
}

}    // namespace

FrameRule FrameRule::at(std::uintptr_t returnAddress) noexcept {
    if (findUnwindEntry == nullptr || returnAddress == 0) return {};
    const std::uintptr_t call = returnAddress - 1;
    if (platform::loadedBytesFrom(call).empty()) return {};    // made at run time
    ferryUnwindBases bases{};
    const void* const found = findUnwindEntry(reinterpret_cast<void*>(call), &bases);
    const auto function = reinterpret_cast<std::uintptr_t>(bases.function);
    if (found == nullptr || function > call) return {};
    const auto address = reinterpret_cast<std::uintptr_t>(found);
    DwarfReader in(entryAt(address));
    const std::uintptr_t place = address + sizeof(std::uint32_t);
    const auto backToCommon = in.fixed<std::int32_t>();
    CommonEntry common;
    if (!in.isGood() || !read(common, place - static_cast<std::uintptr_t>(std::intptr_t{backToCommon}))) return {};
    skipPointer(in, common.ofAddresses);
    skipPointer(in, common.ofAddresses);
    if (common.hasAugmentation) in.take(in.unsignedNumber());
    RuleMachine machine(common, call - function);
    machine.run(common.instructions);
    machine.keepInitial();
    machine.run(in.rest());
    if (!in.isGood() || !machine.isGood()) return {};
    return ruleOf(machine.row());
}

}    // namespace ferry::detail

#else

namespace ferry::detail {

FrameRule FrameRule::at(std::uintptr_t) noexcept { return {}; }

}    // namespace ferry::detail

#endif
