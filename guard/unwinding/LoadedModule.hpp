#pragma once

#include <link.h>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ferry::pmpi {

/// The program, or a shared library, as it lies in memory. Made when it is needed: it must not outlive the library.
class LoadedModule {
public:
    /// The one in which this address lies; nothing: none.
    static std::optional<LoadedModule> around(std::uintptr_t address);

    /// What can be read from this address on; empty: it is not in this module.
    std::span<const std::uint8_t> bytesFrom(std::uintptr_t address) const;
    bool isCode(std::uintptr_t address) const;
    /// The name of the function whose address the loader writes here, now or when it is called first; empty: none.
    std::string_view importAt(std::uintptr_t place) const;

private:
    explicit LoadedModule(const dl_phdr_info& info) : base_(info.dlpi_addr), headers_(info.dlpi_phdr, info.dlpi_phnum) {}

    std::uintptr_t base_;
    std::span<const ElfW(Phdr)> headers_;
};

}    // namespace ferry::pmpi
