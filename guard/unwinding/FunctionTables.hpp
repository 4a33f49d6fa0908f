#pragma once

#include <cstdint>
#include <optional>

namespace ferry::pmpi {

/// The unwinder's data about a function, or about a part of a function that the compiler has placed elsewhere.
struct FunctionTables {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::uintptr_t personality = 0;    ///< function that decides about its exceptions; 0: none
    std::uintptr_t callSites = 0;      ///< table for the personality (CallSiteTable); 0: none

    /// Whether the personality is that of C++.
    bool isOfCpp() const noexcept;

    /// The tables of the function that contains this address. Empty: no tables are known, or their form is not.
    static std::optional<FunctionTables> at(std::uintptr_t address);
};

}    // namespace ferry::pmpi
