#pragma once

#include <functional>

#include <ferry/apps/timetabling/search/Individual.hpp>

namespace timetabling {

/// Gets the best timetable that a search has seen so far, every few milliseconds of work while this timetable is new.
/// Returns true to accept it; then the search does not offer it again.
/// The hook may be empty. The hook may throw, which ends the search.
using OfferHook = std::function<bool(const Individual& best)>;

/// Offers the best timetable of a walk to a hook.
/// Ownership: refers to the hook.
class BestOffer {
public:
    explicit BestOffer(const OfferHook& hook) : hook_(hook) {}

    /// Notes that there is a better timetable.
    void renew() { isNew_ = true; }
    /// Offers the timetable, unless the hook has accepted it already.
    void make(const Individual& best) {
        if (isNew_ && hook_ && hook_(best)) isNew_ = false;
    }

private:
    const OfferHook& hook_;
    bool isNew_ = false;
};

}    // namespace timetabling
