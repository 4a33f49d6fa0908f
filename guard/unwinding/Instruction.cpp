#include <ferry/guard/unwinding/Instruction.hpp>

#include <cstddef>
#include <cstring>

#include <ferry/guard/unwinding/TableReader.hpp>

namespace ferry::pmpi {

#if defined(__x86_64__)

namespace {

enum class Operands { Invalid, None, Byte, Word, Number, Long, Register, RegisterAndByte, RegisterAndNumber, Offset, NearOffset, Enter };

/// The operands after an opcode of one byte. The opcodes are grouped in rows of sixteen, as in the manuals.
Operands operandsOf(std::uint8_t opcode) {
    if (opcode < 0x40) {
        constexpr Operands ofArithmetic[] = {Operands::Register, Operands::Register, Operands::Register, Operands::Register,
                                             Operands::Byte,     Operands::Number,   Operands::Invalid,  Operands::Invalid};
        return ofArithmetic[opcode % 8];
    }
    if (opcode < 0x60) return Operands::None;
    if (opcode >= 0x70 && opcode < 0x80) return Operands::NearOffset;
    if (opcode >= 0xb0 && opcode < 0xb8) return Operands::Byte;
    if (opcode >= 0xd8 && opcode < 0xe0) return Operands::Register;
    if (opcode >= 0xe0 && opcode < 0xe4) return Operands::NearOffset;
    switch (opcode) {
        case 0x63: return Operands::Register;
        case 0x68: return Operands::Number;
        case 0x69: return Operands::RegisterAndNumber;
        case 0x6a: return Operands::Byte;
        case 0x6b:
        case 0x80:
        case 0x83:
        case 0xc0:
        case 0xc1:
        case 0xc6: return Operands::RegisterAndByte;
        case 0x81:
        case 0xc7: return Operands::RegisterAndNumber;
        case 0x82:
        case 0x9a:
        case 0xce:
        case 0xd4:
        case 0xd5:
        case 0xd6:
        case 0xea: return Operands::Invalid;
        case 0xa8:
        case 0xcd:
        case 0xe4:
        case 0xe5:
        case 0xe6:
        case 0xe7: return Operands::Byte;
        case 0xa9: return Operands::Number;
        case 0xc2:
        case 0xca: return Operands::Word;
        case 0xc8: return Operands::Enter;
        case 0xd0:
        case 0xd1:
        case 0xd2:
        case 0xd3:
        case 0xf6:    // some of these have a number as well
        case 0xf7:
        case 0xfe:
        case 0xff: return Operands::Register;
        case 0xe8:
        case 0xe9: return Operands::Offset;
        case 0xeb: return Operands::NearOffset;
        default: break;
    }
    if (opcode >= 0x84 && opcode < 0x90) return Operands::Register;
    if (opcode >= 0xa0 && opcode < 0xa4) return Operands::Long;    // an address of eight bytes
    if (opcode >= 0xb8 && opcode < 0xc0) return Operands::Long;    // or a number of four bytes
    return opcode >= 0x60 && opcode < 0x63 ? Operands::Invalid : Operands::None;
}

/// The operands after an opcode that follows 0x0f, without the opcodes that need a further byte.
Operands operandsOfSecond(std::uint8_t opcode) {
    if (opcode >= 0x80 && opcode < 0x90) return Operands::Offset;
    if ((opcode >= 0x30 && opcode < 0x38) || (opcode >= 0xc8 && opcode < 0xd0)) return Operands::None;
    switch (opcode) {
        case 0x04:
        case 0x0a:
        case 0x0c: return Operands::Invalid;
        case 0x05:
        case 0x06:
        case 0x07:
        case 0x08:
        case 0x09:
        case 0x0b:
        case 0x0e:
        case 0x77:
        case 0xa0:
        case 0xa1:
        case 0xa2:
        case 0xa8:
        case 0xa9:
        case 0xaa: return Operands::None;
        case 0x0f:
        case 0x70:
        case 0x71:
        case 0x72:
        case 0x73:
        case 0xa4:
        case 0xac:
        case 0xba:
        case 0xc2:
        case 0xc4:
        case 0xc5:
        case 0xc6: return Operands::RegisterAndByte;
        default: return Operands::Register;
    }
}

/// Decodes one instruction.
class Decoder {
public:
    explicit Decoder(std::span<const std::uint8_t> bytes) : reader_(bytes) {}

    Instruction decode() {
        readPrefixes();
        switch (opcode_) {
            case 0x0f: readSecond(); break;
            case 0x62: readVector(3, 0x07); break;
            case 0xc4: readVector(2, 0x1f); break;
            case 0xc5: readVector(1, 0); break;
            default: readFirst(); break;
        }
        found_.next = reader_.place();
        if (!reader_.isGood()) return {};
        return found_;
    }

private:
    using Kind = Instruction::Kind;

    void readPrefixes() {
        for (int count = 0; count < 15; ++count) {
            opcode_ = reader_.byte();
            switch (opcode_) {
                case 0x66: isShort_ = true; break;
                case 0x26:
                case 0x2e:
                case 0x36:
                case 0x3e:
                case 0x64:
                case 0x65:
                case 0x67:
                case 0xf0:
                case 0xf2:
                case 0xf3: break;
                default:
                    if (opcode_ < 0x40 || opcode_ >= 0x50) return;
                    isLong_ = (opcode_ & 0x08) != 0;
                    opcode_ = reader_.byte();
                    return;
            }
        }
    }

    void readFirst() {
        found_.kind = Kind::Plain;
        readOperands(operandsOf(opcode_));
        if (opcode_ >= 0x70 && opcode_ < 0x80) found_.kind = Kind::Branch;
        if (opcode_ >= 0xe0 && opcode_ < 0xe4) found_.kind = Kind::Branch;
        if (opcode_ == 0xe8) found_.kind = Kind::Call;
        if (opcode_ == 0xe9 || opcode_ == 0xeb) found_.kind = Kind::Jump;
        const bool isReturn = opcode_ == 0xc2 || opcode_ == 0xc3 || opcode_ == 0xca || opcode_ == 0xcb || opcode_ == 0xcf;
        if (isReturn || opcode_ == 0xcc || opcode_ == 0xf4) found_.kind = Kind::Stop;
        // In these groups the test operations have an immediate number, and the other operations have none.
        if (opcode_ == 0xf6 && extension_ < 2) readOperands(Operands::Byte);
        if (opcode_ == 0xf7 && extension_ < 2) readOperands(Operands::Number);
        if (opcode_ == 0xff && (extension_ == 2 || extension_ == 3)) found_.kind = Kind::Call;
        if (opcode_ == 0xff && (extension_ == 4 || extension_ == 5)) found_.kind = Kind::Jump;
        const bool isThrough = opcode_ == 0xff && (extension_ == 2 || extension_ == 4) && relative_ != 0;
        if (isThrough) found_.target = reader_.place() + static_cast<std::uintptr_t>(std::intptr_t{relative_});
        found_.isTargetThere = isThrough;
    }

    void readSecond() {
        found_.kind = Kind::Plain;
        opcode_ = reader_.byte();
        if (opcode_ == 0x38 || opcode_ == 0x3a) {
            const bool hasByte = opcode_ == 0x3a;
            reader_.byte();
            return readOperands(hasByte ? Operands::RegisterAndByte : Operands::Register);
        }
        readOperands(operandsOfSecond(opcode_));
        if (opcode_ >= 0x80 && opcode_ < 0x90) found_.kind = Kind::Branch;
        if (opcode_ == 0x0b || opcode_ == 0xb9 || opcode_ == 0xff) found_.kind = Kind::Stop;    // undefined instructions, which trap
    }

    /// Reads a vector instruction. The map of its opcode is in the first prefix byte, or it is the map after 0x0f.
    void readVector(int byteCount, std::uint8_t mapBits) {
        found_.kind = Kind::Plain;
        const std::uint8_t first = reader_.byte();
        for (int i = 1; i < byteCount; ++i) reader_.byte();
        opcode_ = reader_.byte();
        const int map = mapBits == 0 ? 1 : first & mapBits;
        if (map == 1 && opcode_ == 0x77) return;
        const bool hasByte = map == 3 || (map == 1 && operandsOfSecond(opcode_) == Operands::RegisterAndByte);
        readOperands(hasByte ? Operands::RegisterAndByte : Operands::Register);
    }

    void readOperands(Operands operands) {
        switch (operands) {
            case Operands::Invalid:
                found_ = {};
                reader_ = TableReader(std::span<const std::uint8_t>());
                break;
            case Operands::None: break;
            case Operands::Byte: reader_.skip(1); break;
            case Operands::Word: reader_.skip(2); break;
            case Operands::Number: reader_.skip(isShort_ && !isLong_ ? 2 : 4); break;
            case Operands::Long: readLong(); break;
            case Operands::Register: readRegister(); break;
            case Operands::RegisterAndByte:
                readRegister();
                reader_.skip(1);
                break;
            case Operands::RegisterAndNumber:
                readRegister();
                readOperands(Operands::Number);
                break;
            case Operands::Offset: setTarget(reader_.fixed<std::int32_t>()); break;
            case Operands::NearOffset: setTarget(reader_.fixed<std::int8_t>()); break;
            case Operands::Enter: reader_.skip(3); break;
        }
    }

    void readLong() {
        const bool isAddress = opcode_ < 0xb0;
        if (isAddress || isLong_)
            reader_.skip(8);
        else
            readOperands(Operands::Number);
    }

    /// Reads ModRM and the bytes that belong to it.
    void readRegister() {
        const std::uint8_t fields = reader_.byte();
        const int mode = fields >> 6;
        const int base = fields & 7;
        extension_ = (fields >> 3) & 7;
        if (mode == 3) return;
        int indexedBase = 0;
        if (base == 4) indexedBase = reader_.byte() & 7;
        if (mode == 1) reader_.skip(1);
        if (mode == 2) reader_.skip(4);
        if (mode != 0) return;
        if (base == 5) relative_ = reader_.fixed<std::int32_t>();
        if (base == 4 && indexedBase == 5) reader_.skip(4);
    }

    void setTarget(std::int32_t distance) { found_.target = reader_.place() + static_cast<std::uintptr_t>(std::intptr_t{distance}); }

    TableReader reader_;
    Instruction found_;
    std::uint8_t opcode_ = 0;
    bool isShort_ = false;
    bool isLong_ = false;
    int extension_ = 0;            // extension of the opcode, in ModRM
    std::int32_t relative_ = 0;    // offset of an operand, counted from the next instruction
};

}    // namespace

Instruction Instruction::at(std::span<const std::uint8_t> bytes) { return Decoder(bytes).decode(); }

#elif defined(__aarch64__)

namespace {

std::uint32_t wordOf(std::span<const std::uint8_t> bytes, std::size_t number) {
    std::uint32_t word = 0;
    if (bytes.size() >= (number + 1) * sizeof word) std::memcpy(&word, &bytes[number * sizeof word], sizeof word);
    return word;
}

/// A signed number in these bits of a word.
std::uintptr_t signedBits(std::uint32_t word, unsigned lowest, unsigned count) {
    const std::uint64_t bits = (word >> lowest) & ((std::uint64_t{1} << count) - 1);
    const std::uint64_t sign = std::uint64_t{1} << (count - 1);
    return (bits ^ sign) - sign;
}

/// The place of the target address of a linker stub (adrp x16, ldr x17, add x16, br x17); 0: the code is no such stub.
std::uintptr_t placeOfWayOut(std::span<const std::uint8_t> bytes, std::uintptr_t address) {
    const std::uint32_t page = wordOf(bytes, 0);
    const std::uint32_t load = wordOf(bytes, 1);
    constexpr std::uint32_t jumpThere = 0xd61f0220;
    if ((page & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211 || wordOf(bytes, 3) != jumpThere) return 0;
    const std::uintptr_t pages = signedBits(page, 5, 19) << 2 | ((page >> 29) & 3);
    return (address & ~std::uintptr_t{0xfff}) + (pages << 12) + ((load >> 10) & 0xfff) * sizeof(void*);
}

Instruction toTarget(Instruction::Kind kind, std::uintptr_t address, std::uintptr_t words) {
    return {kind, address + 4, address + 4 * words, false};
}

}    // namespace

Instruction Instruction::at(std::span<const std::uint8_t> bytes) {
    const auto address = reinterpret_cast<std::uintptr_t>(bytes.data());
    if (bytes.size() < 4) return {};
    if (const std::uintptr_t place = placeOfWayOut(bytes, address); place != 0) return {Kind::Jump, address + 16, place, true};
    const std::uint32_t word = wordOf(bytes, 0);
    if ((word & 0xfc000000) == 0x94000000) return toTarget(Kind::Call, address, signedBits(word, 0, 26));
    if ((word & 0xfc000000) == 0x14000000) return toTarget(Kind::Jump, address, signedBits(word, 0, 26));
    if ((word & 0xff000000) == 0x54000000) return toTarget(Kind::Branch, address, signedBits(word, 5, 19));    // on a condition
    if ((word & 0x7e000000) == 0x34000000) return toTarget(Kind::Branch, address, signedBits(word, 5, 19));    // on a register
    if ((word & 0x7e000000) == 0x36000000) return toTarget(Kind::Branch, address, signedBits(word, 5, 14));    // on a bit of a register
    Kind kind = Kind::Plain;
    if ((word & 0xfe000000) == 0xd6000000) {    // to the address in a register
        const std::uint32_t operation = (word >> 21) & 0x7;
        kind = operation == 0 ? Kind::Jump : operation == 1 ? Kind::Call : Kind::Stop;
    }
    const bool isTrap = (word & 0xff80001f) == 0xd4000000 && ((word >> 21) & 3) != 0;
    if (isTrap || (word >> 16) == 0) kind = Kind::Stop;
    return {kind, address + 4, 0, false};
}

#else

Instruction Instruction::at(std::span<const std::uint8_t> /*bytes*/) { return {}; }

#endif

}    // namespace ferry::pmpi
