#include <ferry/serialization/exception/debug/LoaderList.hpp>

#include <link.h>
#include <span>

namespace ferry::detail {

namespace {

/// The loaded file around an address, with its readable bytes from there on.
struct Search {
    std::uintptr_t address;
    DwarfReader::Bytes found{};
    const char* path = nullptr;
    std::uintptr_t base = 0;

    explicit Search(std::uintptr_t wanted) noexcept : address(wanted) { ::dl_iterate_phdr(look, this); }

    static int look(dl_phdr_info* info, std::size_t, void* place) {
        auto& search = *static_cast<Search*>(place);
        for (const ElfW(Phdr) & header : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
            const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
            if (header.p_type != PT_LOAD || (header.p_flags & PF_R) == 0) continue;
            if (search.address < begin || search.address - begin >= header.p_filesz) continue;
            search.found = {reinterpret_cast<const std::uint8_t*>(search.address), begin + header.p_filesz - search.address};
            search.path = info->dlpi_name;
            search.base = info->dlpi_addr;
            return 1;
        }
        return 0;
    }
};

}    // namespace

std::optional<LoadedFile> loadedFileAt(std::uintptr_t address) {
    const Search search(address);
    if (search.found.empty()) return std::nullopt;
    const bool isProgram = search.path == nullptr || *search.path == '\0';
    return LoadedFile{isProgram ? "/proc/self/exe" : search.path, search.base};
}

DwarfReader::Bytes loadedBytesFrom(std::uintptr_t address) noexcept { return Search(address).found; }

std::uint64_t countOfUnloads() noexcept {
    std::uint64_t count = 0;
    const auto look = [](dl_phdr_info* info, std::size_t, void* place) {
        *static_cast<std::uint64_t*>(place) = info->dlpi_subs;
        return 1;
    };
    ::dl_iterate_phdr(look, &count);
    return count;
}

}    // namespace ferry::detail
