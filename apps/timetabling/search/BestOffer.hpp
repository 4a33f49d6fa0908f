#pragma once

#include <functional>

#include <ferry/apps/timetabling/search/Individual.hpp>

namespace timetabling {

/// Is offered the best timetable that a search has seen so far, every few milliseconds of work while it is new, until it takes it: true.
/// May be empty, and may throw, which ends the search.
using OfferHook = std::function<bool(const Individual& best)>;

/// Offers the best timetable of a walk to a hook.
/// Ownership: refers to the hook.
class BestOffer {
public:
    explicit BestOffer(const OfferHook& hook) : hook_(hook) {}

    /// There is a better one.
    void renew() { isNew_ = true; }
    /// Offers it, unless it has been taken.
    void make(const Individual& best) {
        if (isNew_ && hook_ && hook_(best)) isNew_ = false;
    }

private:
    const OfferHook& hook_;
    bool isNew_ = false;
};

}    // namespace timetabling
