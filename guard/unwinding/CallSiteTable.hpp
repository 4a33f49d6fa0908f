#pragma once

#include <cstdint>
#include <typeinfo>

#include <ferry/guard/unwinding/FunctionTables.hpp>
#include <ferry/guard/unwinding/TableReader.hpp>

namespace ferry::pmpi {

/// The type and the address of a thrown exception, as handlers see it.
struct ThrownObject {
    const std::type_info* type = nullptr;
    void* object = nullptr;
};

/// The table of a C++ function for exceptions that come out of its calls. The compiler makes it for __gxx_personality_v0 (LSDA).
///
/// Errors: an entry that cannot be read is Unreadable.
class CallSiteTable {
public:
    enum class SiteKind {
        Unreadable,
        LeftOut,    ///< std::terminate is called: the only form that g++ uses for `noexcept`
        Passed,     ///< the exception goes on to the caller
        Entered,    ///< the exception enters the landing pad
    };
    struct Site {
        SiteKind kind = SiteKind::Unreadable;
        std::uintptr_t landingPad = 0;
        std::uint64_t action = 0;    ///< index in the action table, from 1; 0: clean-up only
    };
    enum class Purpose {
        Unreadable,
        Nothing,    ///< the exception goes on to the caller
        CleanUp,
        Handler,          ///< a handler takes the exception
        HandlerForAll,    ///< catch (...), or the form that clang++ uses for `noexcept`
        Refusal,          ///< an exception specification does not allow the exception
    };

    explicit CallSiteTable(const FunctionTables& function);

    /// The call site of an address. The address must lie in the call, not behind it.
    Site siteAt(std::uintptr_t address) const;
    /// The purpose for which a landing pad is entered. Asks the types of the handlers, as the unwinder does.
    Purpose purposeOf(const Site& site, const ThrownObject& thrown) const;

private:
    const std::type_info* typeAt(std::uint64_t index, bool& isGood) const;
    bool isTakenBy(const std::type_info* handler, const ThrownObject& thrown) const;
    bool isAllowed(std::uint64_t place, const ThrownObject& thrown, bool& isGood) const;

    std::uintptr_t functionBegin_;
    std::uintptr_t padsBegin_ = 0;
    std::uintptr_t sitesBegin_ = 0;
    std::uintptr_t actionsBegin_ = 0;
    std::uintptr_t typesEnd_ = 0;    // types are counted backwards from here; 0: there are none
    TableReader::Encoding siteEncoding_ = 0;
    TableReader::Encoding typeEncoding_ = TableReader::Omitted;
    bool isGood_ = false;
};

}    // namespace ferry::pmpi
