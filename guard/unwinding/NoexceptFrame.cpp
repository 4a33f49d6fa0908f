#include <ferry/guard/unwinding/NoexceptFrame.hpp>

#include <unwind.h>
#include <cstdint>
#include <typeinfo>
#include <utility>

#include <ferry/guard/unwinding/CallSiteTable.hpp>
#include <ferry/guard/unwinding/FunctionTables.hpp>
#include <ferry/guard/unwinding/LandingPad.hpp>

namespace ferry::pmpi {

namespace {

/// The fate of an exception in one function. Passes is also used if the fate cannot be found out.
enum class Fate { Passes, Taken, Terminates };

Fate fateAt(std::uintptr_t address, const ThrownObject& thrown, int padCount = 0);

Fate fateOnPad(const LandingPad& pad, CallSiteTable::Purpose purpose, const ThrownObject& thrown, int padCount) {
    // A further handler that begins at this pad is for other classes.
    if (purpose == CallSiteTable::Purpose::HandlerForAll) return !pad.isUnclear && pad.isNoHandler ? Fate::Terminates : Fate::Taken;
    if (pad.isUnclear || (pad.resumes.empty() && !pad.canTerminate)) return Fate::Passes;
    for (const std::uintptr_t place : pad.resumes) {
        const Fate fate = fateAt(place, thrown, padCount + 1);
        if (fate != Fate::Terminates) return fate;
    }
    return Fate::Terminates;
}

/// The fate of an exception at an address. padCount: the number of landing pads of this function that the exception has passed already.
Fate fateAt(std::uintptr_t address, const ThrownObject& thrown, int padCount) {
    constexpr int maxPads = 20;
    const std::optional<FunctionTables> function = FunctionTables::at(address);
    if (padCount > maxPads || !function || function->callSites == 0 || !function->isOfCpp()) return Fate::Passes;
    const CallSiteTable table(*function);
    const CallSiteTable::Site site = table.siteAt(address);
    if (site.kind == CallSiteTable::SiteKind::LeftOut) return Fate::Terminates;
    if (site.kind != CallSiteTable::SiteKind::Entered) return Fate::Passes;
    const CallSiteTable::Purpose purpose = table.purposeOf(site, thrown);
    if (purpose == CallSiteTable::Purpose::Unreadable || purpose == CallSiteTable::Purpose::Nothing) return Fate::Passes;
    if (purpose == CallSiteTable::Purpose::Refusal) return Fate::Terminates;
    if (purpose == CallSiteTable::Purpose::Handler) return Fate::Taken;
    return fateOnPad(LandingPad::at(site.landingPad), purpose, thrown, padCount);
}

struct Walk {
    ThrownObject thrown;
    NoexceptFrame frame{};
    Fate fate = Fate::Passes;
};

_Unwind_Reason_Code visitFrame(_Unwind_Context* context, void* place) {
    Walk& walk = *static_cast<Walk*>(place);
    int isAtInstruction = 0;
    const std::uintptr_t address = _Unwind_GetIPInfo(context, &isAtInstruction);
    walk.frame.returnAddresses.push_back(reinterpret_cast<void*>(address));
    walk.fate = fateAt(isAtInstruction != 0 ? address : address - 1, walk.thrown);
    if (walk.fate == Fate::Terminates) walk.frame.function = _Unwind_GetRegionStart(context);
    return walk.fate == Fate::Passes ? _URC_NO_REASON : _URC_END_OF_STACK;
}

}    // namespace

std::optional<NoexceptFrame> NoexceptFrame::around(const std::exception& thrown) {
    Walk walk{{&typeid(thrown), const_cast<void*>(dynamic_cast<const void*>(&thrown))}};
    _Unwind_Backtrace(visitFrame, &walk);
    return walk.fate == Fate::Terminates ? std::optional(std::move(walk.frame)) : std::nullopt;
}

}    // namespace ferry::pmpi
