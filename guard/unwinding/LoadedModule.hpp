#pragma once

#include <link.h>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ferry::pmpi {

/// The program, or a shared library, in memory. Made when needed: the object must not outlive the library.
class LoadedModule {
public:
    /// The module that contains this address; empty: none.
    static std::optional<LoadedModule> around(std::uintptr_t address);

    /// The readable bytes from this address on; empty: the address is not in this module.
    std::span<const std::uint8_t> bytesFrom(std::uintptr_t address) const;
    bool isCode(std::uintptr_t address) const;
    /// The name of the function whose address the loader writes to this place, now or at its first call; empty: none.
    std::string_view importAt(std::uintptr_t place) const;

private:
    explicit LoadedModule(const dl_phdr_info& info) : base_(info.dlpi_addr), headers_(info.dlpi_phdr, info.dlpi_phnum) {}

    std::uintptr_t base_;
    std::span<const ElfW(Phdr)> headers_;
};

}    // namespace ferry::pmpi
