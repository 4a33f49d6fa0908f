#pragma once

#include <cstdint>
#include <typeinfo>

#include <ferry/guard/unwinding/FunctionTables.hpp>
#include <ferry/guard/unwinding/TableReader.hpp>

namespace ferry::pmpi {

/// An exception as handlers see it.
struct ThrownObject {
    const std::type_info* type = nullptr;
    void* object = nullptr;
};

/// What a function of C++ does with an exception that comes out of one of its calls, as its compiler has noted it for
/// __gxx_personality_v0 (LSDA).
///
/// Errors: what cannot be read is Unreadable.
class CallSiteTable {
public:
    enum class SiteKind {
        Unreadable,
        LeftOut,    ///< std::terminate is called: g++ has nothing else for `noexcept`
        Passed,     ///< the exception goes on
        Entered,    ///< at the landing pad
    };
    struct Site {
        SiteKind kind = SiteKind::Unreadable;
        std::uintptr_t landingPad = 0;
        std::uint64_t action = 0;    ///< its place in the table, from 1; 0: clean-up alone
    };
    enum class Purpose {
        Unreadable,
        Nothing,    ///< the exception goes on
        CleanUp,
        Handler,          ///< it takes the exception
        HandlerForAll,    ///< also what clang++ has for `noexcept`
        Refusal,          ///< an exception specification does not allow it
    };

    explicit CallSiteTable(const FunctionTables& function);

    /// address: in the call, not behind it.
    Site siteAt(std::uintptr_t address) const;
    /// What a landing pad is entered for. Asks the types of the handlers, as the unwinder does.
    Purpose purposeOf(const Site& site, const ThrownObject& thrown) const;

private:
    const std::type_info* typeAt(std::uint64_t index, bool& isGood) const;
    bool isTakenBy(const std::type_info* handler, const ThrownObject& thrown) const;
    bool isAllowed(std::uint64_t place, const ThrownObject& thrown, bool& isGood) const;

    std::uintptr_t functionBegin_;
    std::uintptr_t padsBegin_ = 0;
    std::uintptr_t sitesBegin_ = 0;
    std::uintptr_t actionsBegin_ = 0;
    std::uintptr_t typesEnd_ = 0;    // they are counted backwards; 0: there are none
    TableReader::Encoding siteEncoding_ = 0;
    TableReader::Encoding typeEncoding_ = TableReader::Omitted;
    bool isGood_ = false;
};

}    // namespace ferry::pmpi
