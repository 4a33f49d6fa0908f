#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Published.hpp>

/// The plain data of a post-enrolment timetabling instance, as a file states them. Students have enrolled, so the events of each student
/// are known.

namespace timetabling::enrolment {

/// The first event has to be in an earlier period than the second.
struct Precedence {
    int before = 0;    ///< index of an event
    int after = 0;     ///< index of an event

    bool operator==(const Precedence&) const = default;
};

/// The additional rules of the second competition (ITC-2007, track 2) compared with the first one (ITC-2002).
struct SecondRules {
    std::vector<std::vector<int>> closedPeriods;    ///< indexed by event, ascending
    std::vector<Precedence> precedences;

    bool operator==(const SecondRules&) const = default;
};

struct Instance {
    std::string name;
    int featureCount = 0;
    std::vector<int> roomSeats;                       ///< indexed by room
    std::vector<std::vector<int>> eventsOfStudent;    ///< indexed by student, ascending
    std::vector<std::vector<int>> featuresOfRoom;     ///< indexed by room, ascending
    std::vector<std::vector<int>> featuresOfEvent;    ///< indexed by event, ascending; its size is the number of events
    bool hasSecondRules = false;                      ///< if true, events may be left out; if false, 'second' is empty
    SecondRules second;
    Published published;       ///< not part of any format
    bool leavesOut = false;    ///< the search leaves events out without a proof that it has to; not part of any format

    bool operator==(const Instance&) const = default;
};

/// The week of both competitions: number of days, and periods of a day.
inline constexpr int DayCount = 5;
inline constexpr int PeriodsPerDay = 9;
inline constexpr int PeriodCount = DayCount * PeriodsPerDay;

/// The largest instance that is accepted. A damaged file or message is refused before any memory is allocated for its contents.
namespace limits {
inline constexpr int EventCount = 4'000;
inline constexpr int RoomCount = 1'000;
inline constexpr int FeatureCount = 1'000;
inline constexpr int StudentCount = 100'000;
inline constexpr int PeopleOrSeats = 1'000'000;
inline constexpr std::int64_t TableCells = 20'000'000;     ///< students x events, events x rooms, features x either
inline constexpr std::int64_t EventPairs = 200'000'000;    ///< pairs of events of one student, summed over the students
}    // namespace limits

}    // namespace timetabling::enrolment
