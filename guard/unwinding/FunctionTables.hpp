#pragma once

#include <cstdint>
#include <optional>

namespace ferry::pmpi {

/// What the unwinder knows of a function, or of a part of one that the compiler has put elsewhere.
struct FunctionTables {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::uintptr_t personality = 0;    ///< the function that judges its exceptions; 0: none
    std::uintptr_t callSites = 0;      ///< the table for that (CallSiteTable); 0: none

    /// Whether C++ judges its exceptions.
    bool isOfCpp() const noexcept;

    /// Of the function that this address lies in. Nothing: none is known, or in a form that is not.
    static std::optional<FunctionTables> at(std::uintptr_t address);
};

}    // namespace ferry::pmpi
