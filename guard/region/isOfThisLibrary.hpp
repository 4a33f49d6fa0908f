#pragma once

#include <dlfcn.h>

#include <ferry/guard/region/Region.hpp>

namespace ferry::pmpi {

/// Whether the address is in the program or shared library that contains ferry_pmpi.
inline bool isOfThisLibrary(const void* address) noexcept {
    const auto baseOf = [](const void* inside) {
        Dl_info info{};
        return dladdr(inside, &info) != 0 ? info.dli_fbase : nullptr;
    };
    return baseOf(address) == baseOf(&activeRegion);
}

}    // namespace ferry::pmpi
