#include <ferry/guard/unwinding/LoadedModule.hpp>

#include <algorithm>
#include <cstddef>

namespace ferry::pmpi {

namespace {

/// The loader's data about a module: its relocations and symbols.
struct DynamicTable {
    std::span<const ElfW(Rela)> ofCalls{};
    std::span<const ElfW(Rela)> others{};
    const ElfW(Sym) * symbols = nullptr;
    const char* names = nullptr;
};

/// Reads the dynamic table. Some loaders leave file addresses in it, to which the base has to be added.
DynamicTable readDynamicTable(const ElfW(Dyn) * entry, std::uintptr_t base) {
    DynamicTable table;
    const ElfW(Rela)* calls = nullptr;
    const ElfW(Rela)* others = nullptr;
    std::size_t callBytes = 0;
    std::size_t otherBytes = 0;
    bool areCallsRela = false;
    const auto addressOf = [base](const ElfW(Dyn) & one) { return one.d_un.d_ptr < base ? one.d_un.d_ptr + base : one.d_un.d_ptr; };
    for (; entry->d_tag != DT_NULL; ++entry) {
        switch (entry->d_tag) {
            case DT_JMPREL: calls = reinterpret_cast<const ElfW(Rela)*>(addressOf(*entry)); break;
            case DT_PLTRELSZ: callBytes = entry->d_un.d_val; break;
            case DT_PLTREL: areCallsRela = entry->d_un.d_val == DT_RELA; break;
            case DT_RELA: others = reinterpret_cast<const ElfW(Rela)*>(addressOf(*entry)); break;
            case DT_RELASZ: otherBytes = entry->d_un.d_val; break;
            case DT_SYMTAB: table.symbols = reinterpret_cast<const ElfW(Sym)*>(addressOf(*entry)); break;
            case DT_STRTAB: table.names = reinterpret_cast<const char*>(addressOf(*entry)); break;
            default: break;
        }
    }
    if (calls != nullptr && areCallsRela) table.ofCalls = {calls, callBytes / sizeof *calls};
    if (others != nullptr) table.others = {others, otherBytes / sizeof *others};
    return table;
}

}    // namespace

std::optional<LoadedModule> LoadedModule::around(std::uintptr_t address) {
    struct Search {
        std::uintptr_t address;
        std::optional<LoadedModule> found;
    } search{address, std::nullopt};
    const auto look = [](dl_phdr_info* info, std::size_t, void* place) {
        auto& current = *static_cast<Search*>(place);
        const LoadedModule module(*info);
        if (module.bytesFrom(current.address).empty()) return 0;
        current.found = module;
        return 1;
    };
    ::dl_iterate_phdr(look, &search);
    return search.found;
}

std::span<const std::uint8_t> LoadedModule::bytesFrom(std::uintptr_t address) const {
    for (const ElfW(Phdr) & header : headers_) {
        const std::uintptr_t begin = base_ + header.p_vaddr;
        if (header.p_type != PT_LOAD || (header.p_flags & PF_R) == 0 || address < begin || address >= begin + header.p_memsz) continue;
        return {reinterpret_cast<const std::uint8_t*>(address), begin + header.p_memsz - address};
    }
    return {};
}

bool LoadedModule::isCode(std::uintptr_t address) const {
    return std::any_of(headers_.begin(), headers_.end(), [&](const ElfW(Phdr) & header) {
        const std::uintptr_t begin = base_ + header.p_vaddr;
        return header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0 && (header.p_flags & PF_R) != 0 && address >= begin &&
               address < begin + header.p_memsz;
    });
}

std::string_view LoadedModule::importAt(std::uintptr_t place) const {
    if constexpr (sizeof(void*) != 8) return {};    // relocations have another form on 32-bit systems
    const auto dynamic = std::find_if(headers_.begin(), headers_.end(), [](const ElfW(Phdr) & one) { return one.p_type == PT_DYNAMIC; });
    if (dynamic == headers_.end()) return {};
    const DynamicTable table = readDynamicTable(reinterpret_cast<const ElfW(Dyn)*>(base_ + dynamic->p_vaddr), base_);
    if (table.symbols == nullptr || table.names == nullptr) return {};
    for (const auto& relocations : {table.ofCalls, table.others}) {
        for (const ElfW(Rela) & relocation : relocations) {
            if (base_ + relocation.r_offset != place) continue;
            return table.names + table.symbols[static_cast<std::uint64_t>(relocation.r_info) >> 32].st_name;
        }
    }
    return {};
}

}    // namespace ferry::pmpi
