#include <ferry/apps/timetabling/curriculum/search/placesFor.hpp>

#include <cstddef>

namespace timetabling::curriculum {

namespace {

using Kind = PlaceOffer::Kind;

Kind kindOf(const SearchState& state, int lecture, int slot) {
    const Problem& problem = state.problem();
    const int period = problem.periodOfSlot(slot);
    const int there = state.lectureIn(slot);
    if (there == lecture) return Kind::Here;
    if (there == SearchState::RoomIsClosed) return Kind::RoomIsClosed;
    if (!problem.isAvailable(problem.courseOf(lecture), period)) return Kind::PeriodIsClosed;
    if (!state.isMoveAllowed(lecture, slot)) return Kind::CourseIsThere;
    if (there == SearchState::Free) return Kind::Free;
    return state.isSwapAllowed(lecture, there) ? Kind::Exchange : Kind::OtherCannotLeave;
}

}    // namespace

PlaceOffer placeFor(SearchState& state, int lecture, int slot) {
    PlaceOffer offer;
    offer.slot = slot;
    offer.kind = kindOf(state, lecture, slot);
    if (state.lectureIn(slot) >= 0 && state.lectureIn(slot) != lecture) offer.other = state.lectureIn(slot);
    if (offer.kind == Kind::Free) offer.delta = {state.moveConflicts(lecture, slot), state.moveCost(lecture, slot)};
    if (offer.kind == Kind::Exchange) offer.delta = {state.swapConflicts(lecture, offer.other), state.swapCost(lecture, offer.other)};
    return offer;
}

std::vector<PlaceOffer> placesFor(SearchState& state, int lecture) {
    std::vector<PlaceOffer> offers;
    offers.reserve(static_cast<std::size_t>(state.problem().slotCount()));
    for (int slot = 0; slot < state.problem().slotCount(); ++slot) offers.push_back(placeFor(state, lecture, slot));
    return offers;
}

}    // namespace timetabling::curriculum
