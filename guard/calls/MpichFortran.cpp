// The functions of MPICH's module mpi_f08 call PMPI_ directly and bypass this library (those of mpif.h and of the module mpi do not). If
// the program has loaded them, the slots through which the dynamic linker lets them call are redirected to this library.
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <mpi.h>

#include <ferry/guard/region/isOfThisLibrary.hpp>

#if defined(MPICH_VERSION) || defined(MPI_ABI_VERSION)    // the library of the standard ABI may be that of MPICH

namespace ferry::pmpi {

namespace {

/// The call slots of a loaded library (System V ABI, "Dynamic Linking"): the addresses through which its functions call others.
class CallSlots {
public:
    explicit CallSlots(const link_map& library) : base_(library.l_addr) {
        for (const ElfW(Dyn)* entry = library.l_ld; entry->d_tag != DT_NULL; ++entry) {
            switch (entry->d_tag) {
                case DT_SYMTAB: symbols_ = std::bit_cast<const ElfW(Sym)*>(entry->d_un.d_ptr); break;
                case DT_STRTAB: names_ = std::bit_cast<const char*>(entry->d_un.d_ptr); break;
                case DT_RELA: tables_[0].begin = std::bit_cast<const ElfW(Rela)*>(entry->d_un.d_ptr); break;
                case DT_RELASZ: tables_[0].size = entry->d_un.d_val; break;
                case DT_JMPREL: tables_[1].begin = std::bit_cast<const ElfW(Rela)*>(entry->d_un.d_ptr); break;
                case DT_PLTRELSZ: tables_[1].size = entry->d_un.d_val; break;
                case DT_PLTREL: areSlotsRela_ = entry->d_un.d_val == DT_RELA; break;
                default: break;
            }
        }
    }

    /// Replaces slots. replacement(name): the function to call instead; null: the slot is unchanged.
    template <class Replacement>
    void replace(Replacement replacement) const {
        if (symbols_ == nullptr || names_ == nullptr || !areSlotsRela_) return;
        for (const Table& table : tables_) {
            for (std::size_t i = 0; i < table.size / sizeof(ElfW(Rela)); ++i) {
                const ElfW(Rela)& relocation = table.begin[i];
                const std::size_t symbol = sizeof(void*) == 8 ? relocation.r_info >> 32 : relocation.r_info >> 8;
                if (symbol == 0) continue;
                if (const void* instead = replacement(std::string_view(names_ + symbols_[symbol].st_name)))
                    write(std::bit_cast<const void**>(base_ + relocation.r_offset), instead);
            }
        }
    }

private:
    struct Table {
        const ElfW(Rela) * begin = nullptr;
        std::size_t size = 0;    // bytes
    };

    /// Writes a slot. The dynamic linker may have made the page read-only after its work.
    static void write(const void** slot, const void* value) {
        const auto pageSize = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
        void* const page = std::bit_cast<void*>(std::bit_cast<std::uintptr_t>(slot) / pageSize * pageSize);
        if (mprotect(page, pageSize, PROT_READ | PROT_WRITE) == 0) *slot = value;
    }

    std::uintptr_t base_;
    const ElfW(Sym) * symbols_ = nullptr;
    const char* names_ = nullptr;
    std::array<Table, 2> tables_{};
    bool areSlotsRela_ = true;
};

/// Redirects the slots before main(), when the libraries that the program is linked with are loaded.
__attribute__((constructor)) void callOwnFromFortran() {
    const void* const function = dlsym(RTLD_DEFAULT, "mpi_comm_dup_f08_");
    Dl_info info{};
    void* library = nullptr;
    if (function == nullptr || dladdr1(function, &info, &library, RTLD_DL_LINKMAP) == 0) return;
    CallSlots(*static_cast<const link_map*>(library)).replace([](std::string_view name) -> const void* {
        if (!name.starts_with("PMPI_")) return nullptr;
        const void* const own = dlsym(RTLD_DEFAULT, name.data() + 1);    // the name ends with a zero
        return own != nullptr && isOfThisLibrary(own) ? own : nullptr;
    });
}

}    // namespace

}    // namespace ferry::pmpi

#endif
