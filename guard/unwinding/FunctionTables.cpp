#include <ferry/guard/unwinding/FunctionTables.hpp>

#include <string_view>

#include <ferry/guard/unwinding/TableReader.hpp>

extern "C" {

/// The personality function of the C++ library.
int __gxx_personality_v0(...);

/// A struct and a function of libgcc and of LLVM's libunwind; no header declares them.
struct dwarf_eh_bases {
    void* tbase;
    void* dbase;
    void* func;
};
const void* _Unwind_Find_FDE(void* address, dwarf_eh_bases* bases);

}    // extern "C"

namespace ferry::pmpi {

namespace {

/// The data that several functions share (CIE).
struct CommonEntry {
    bool hasAugmentation = false;
    TableReader::Encoding ofAddresses = 0;
    TableReader::Encoding ofCallSites = TableReader::Omitted;
    std::uintptr_t personality = 0;
};

/// Whether an entry in the 32-bit form begins here. No compiler makes the 64-bit form.
bool beginsEntry(TableReader& reader) {
    const auto byteCount = reader.fixed<std::uint32_t>();
    return byteCount != 0 && byteCount != 0xffff'ffff;
}

std::optional<CommonEntry> readCommonEntry(std::uintptr_t address) {
    TableReader reader(address);
    if (!beginsEntry(reader) || reader.fixed<std::uint32_t>() != 0) return std::nullopt;
    const std::uint8_t version = reader.byte();
    const std::string_view augmentation = reader.text();
    reader.unsignedNumber();    // the unit of code addresses
    reader.signedNumber();      // the unit of data addresses
    if (version == 1)
        reader.byte();    // the register of the return address
    else
        reader.unsignedNumber();
    CommonEntry entry;
    if (augmentation.empty()) return reader.isGood() ? std::optional(entry) : std::nullopt;
    if (augmentation.front() != 'z') return std::nullopt;
    entry.hasAugmentation = true;
    reader.unsignedNumber();
    for (const char what : augmentation.substr(1)) {
        switch (what) {
            case 'R': entry.ofAddresses = reader.byte(); break;
            case 'L': entry.ofCallSites = reader.byte(); break;
            case 'P': {
                const TableReader::Encoding encoding = reader.byte();
                entry.personality = reader.pointer(encoding);
                break;
            }
            case 'S':    // a signal frame
            case 'B':    // with signed return addresses
                break;
            default: return std::nullopt;
        }
    }
    return reader.isGood() ? std::optional(entry) : std::nullopt;
}

}    // namespace

bool FunctionTables::isOfCpp() const noexcept { return personality == reinterpret_cast<std::uintptr_t>(&__gxx_personality_v0); }

std::optional<FunctionTables> FunctionTables::at(std::uintptr_t address) {
    dwarf_eh_bases bases{};
    const void* found = _Unwind_Find_FDE(reinterpret_cast<void*>(address), &bases);
    if (found == nullptr) return std::nullopt;
    TableReader reader(reinterpret_cast<std::uintptr_t>(found));
    if (!beginsEntry(reader)) return std::nullopt;
    const std::uintptr_t place = reader.place();
    const auto backToCommon = reader.fixed<std::int32_t>();
    const std::optional<CommonEntry> common = readCommonEntry(place - static_cast<std::uintptr_t>(std::intptr_t{backToCommon}));
    if (!common) return std::nullopt;
    FunctionTables tables;
    reader.pointer(common->ofAddresses);
    tables.begin = reinterpret_cast<std::uintptr_t>(bases.func);
    constexpr TableReader::Encoding formAlone = 0x0f;
    tables.end = tables.begin + reader.pointer(common->ofAddresses & formAlone);
    tables.personality = common->personality;
    if (common->hasAugmentation) {
        reader.unsignedNumber();
        tables.callSites = reader.pointer(common->ofCallSites, tables.begin);
    }
    return reader.isGood() ? std::optional(tables) : std::nullopt;
}

}    // namespace ferry::pmpi
