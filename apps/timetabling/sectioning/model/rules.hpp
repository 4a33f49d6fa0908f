#pragma once

#include <cstdint>
#include <span>

#include <ferry/apps/timetabling/sectioning/model/Problem.hpp>

/// The meaning of the constraints between classes, for one pair or one set of classes.

namespace timetabling::sectioning {

/// When and where a class takes place.
struct Place {
    TimeSpan span{};
    int room = -1;    ///< -1: the class has no room
    bool isPlaced = false;

    bool operator==(const Place&) const = default;
};

/// Whether a person cannot attend both classes: the classes overlap, or the time between them is shorter than the way.
inline bool excludeEachOther(const Problem& problem, const Place& one, const Place& other) {
    if (!shareADay(one.span, other.span)) return false;
    const int way = problem.travel(one.room, other.room);
    return one.span.end() + way > other.span.start && other.span.end() + way > one.span.start;
}

/// Whether the pair keeps the constraint, which compares pairs. 'first' comes before 'second' in the list of the constraint.
/// A constraint on rooms says nothing about a class without a room.
bool keeps(const Problem& problem, const Distribution& distribution, const Place& first, const Place& second);

/// By how much the classes violate the constraint: the number of pairs, of days over the limit for MaxDays, and, summed over all days of
/// all weeks, of slots (MaxDayLoad), breaks (MaxBreaks) or blocks (MaxBlock) over the limit. 'places' is indexed by class.
/// Classes that are not placed are left out.
std::int64_t violationOf(const Problem& problem, const Distribution& distribution, std::span<const Place> places);

/// The cost of a constraint that is not required. For MaxDayLoad, MaxBreaks and MaxBlock the sum is divided by the number of weeks,
/// rounded down.
std::int64_t costOf(const Problem& problem, const Distribution& distribution, std::int64_t violation);

}    // namespace timetabling::sectioning
