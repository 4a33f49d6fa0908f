#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/enrolment/search/DisplacedEvents.hpp>
#include <ferry/apps/timetabling/enrolment/search/RoomKeeper.hpp>
#include <ferry/apps/timetabling/model/Slots.hpp>
#include <ferry/apps/timetabling/search/Individual.hpp>

namespace timetabling::enrolment {

/// Events of two periods that change places: some events move from the first period to the second, some the other way.
struct Exchange {
    int first = 0;
    int second = 0;
    std::vector<int> fromFirst;     ///< events
    std::vector<int> fromSecond;    ///< events

    void clear(int firstPeriod, int secondPeriod);
};

/// A timetable that breaks no rule but may leave events out. Computes the cost of a change quickly.
///
/// A matching gives rooms to the events of a period. A change without such a matching is refused.
/// With a published timetable, the matching has as few events as possible in another room than published.
/// Ownership: refers to the problem.
class SearchState {
public:
    /// Starts with a timetable without any event.
    explicit SearchState(const Problem& problem);
    /// Errors: std::invalid_argument for slots that checkSlots() refuses.
    SearchState(const Problem& problem, const Slots& slots);

    const Problem& problem() const { return problem_; }
    /// The period of the event; -1 for a left-out event.
    int periodOf(int event) const { return periodOf_[static_cast<std::size_t>(event)]; }
    std::span<const int> eventsIn(int period) const { return eventsIn_[static_cast<std::size_t>(period)]; }
    std::span<const int> unplaced() const { return unplaced_; }
    /// The sum of the penalties of the left-out events.
    std::int64_t distance() const { return distance_; }
    std::int64_t cost() const { return cost_; }
    /// The charge for displaced events, on top of the cost; 0 without a published timetable.
    std::int64_t charge() const { return displaced_ ? problem_.published()->charges().of(displaced_->total()) : 0; }
    Slots slots() const;
    /// The timetable with its distance, cost and charge.
    Individual individual() const;
    /// The event in the room; -1 when the room is free.
    int eventIn(int period, int room) const {
        return eventInRoom_[static_cast<std::size_t>(period) * roomCount_ + static_cast<std::size_t>(room)];
    }
    /// The displaced events; null without a published timetable.
    const DisplacedEvents* displaced() const { return displaced_ ? &*displaced_ : nullptr; }

    /// Number of events in the period that exclude this event.
    int blockers(int event, int period) const { return blockers_[cell(event, period)]; }
    /// Whether the event in this period would be on the wrong side of an event that has to be earlier or later.
    bool isOutOfOrder(int event, int period) const;

    /// Places a left-out event. False when the event cannot be in the period, or when no room is free for it.
    bool tryPlace(int event, int period);
    void remove(int event);
    /// Whether the period has a room for one more event after the events in 'leaving' have left. Other events may change their rooms.
    /// Does not check the other rules.
    bool hasRoomFor(int event, int period, std::span<const int> leaving = {});

    /// Adds to the exchange all events of its two periods that have to change places because 'event' does (a Kempe chain).
    /// False when one of these events cannot be in the other period, or when there are more than 'most' events.
    bool addChain(Exchange& exchange, int event, std::size_t most);
    /// Whether open periods and precedences allow all moves of the exchange.
    bool isAllowed(const Exchange& exchange) const;
    /// The cost that the exchange adds. No moved event may clash with an event that stays.
    int costOf(const Exchange& exchange) const;
    /// Makes the exchange if the rooms allow it. 'cost' is the result of costOf(). No moved event may clash with an event that stays.
    bool tryApply(const Exchange& exchange, int cost);
    /// displacementOf() and apply() make an exchange in two steps; they need a published timetable.
    /// displacementOf() returns the change of the displacement, or nothing when the rooms do not allow the exchange.
    /// apply() makes the exchange that displacementOf() has looked at last.
    std::optional<Displacement> displacementOf(const Exchange& exchange);
    /// A lower bound of displacementOf() that does not look at the rooms: as if all events of the two periods had their published rooms.
    Displacement leastDisplacementOf(const Exchange& exchange) const;
    void apply(const Exchange& exchange, int cost);

private:
    static std::size_t cell(int event, int period) {
        return static_cast<std::size_t>(event) * PeriodCount + static_cast<std::size_t>(period);
    }
    std::span<int> roomsOf(int period) {
        return std::span(eventInRoom_).subspan(static_cast<std::size_t>(period) * roomCount_, roomCount_);
    }
    std::uint16_t& dayOf(int student, int period) {
        return days_[static_cast<std::size_t>(student) * DayCount + static_cast<std::size_t>(period / PeriodsPerDay)];
    }
    std::uint16_t dayOf(int student, int period) const {
        return days_[static_cast<std::size_t>(student) * DayCount + static_cast<std::size_t>(period / PeriodsPerDay)];
    }
    bool isOpenInExchange(int event, int toPeriod, const Exchange& exchange) const;
    int costOfMoving(std::span<const int> events, int fromPeriod, int toPeriod) const;
    bool findRoom(std::span<int> rooms, int event);
    bool findRooms(std::vector<int>& rooms, int period, std::span<const int> leaving, std::span<const int> coming);
    std::optional<int> keepRooms(std::vector<int>& rooms, int period, std::span<const int> leaving, std::span<const int> coming);
    bool giveRooms(std::vector<int>& rooms, int period, std::span<const int> leaving, std::span<const int> coming);
    int displacedBy(std::span<const int> events, int fromPeriod, int toPeriod) const;
    void useRooms(int period, std::span<const int> rooms);
    void keepRoomsOf(int period);
    void notePlaces(int period);
    void insert(int event, int period);
    void take(int event);
    void changeDays(int event, int period);

    const Problem& problem_;
    std::size_t roomCount_;
    std::vector<std::int32_t> periodOf_;        ///< indexed by event
    std::vector<std::int32_t> roomOf_;          ///< indexed by event
    std::vector<std::int32_t> placeInList_;     ///< indexed by event: index in eventsIn_ or unplaced_
    std::vector<std::vector<int>> eventsIn_;    ///< indexed by period
    std::vector<int> unplaced_;
    std::vector<int> eventInRoom_;           ///< indexed by period and room: an event or -1
    std::vector<std::uint16_t> blockers_;    ///< indexed by event and period
    std::vector<std::uint16_t> days_;        ///< indexed by student and day: one bit per period with an event
    std::int64_t distance_ = 0;
    std::int64_t cost_ = 0;

    // Temporary arrays that keep their memory from change to change.
    std::vector<int> firstRooms_;
    std::vector<int> secondRooms_;
    std::vector<std::uint32_t> roomSeen_;    ///< indexed by room: number of the last search that has visited the room
    std::uint32_t roomSearch_ = 0;
    std::vector<std::uint32_t> eventSeen_;    ///< indexed by event: number of the chain that holds the event
    std::uint32_t chain_ = 0;

    // Set only with a published timetable.
    std::optional<RoomKeeper> keeper_;
    std::optional<DisplacedEvents> displaced_;
    std::vector<int> staying_;    ///< temporary
};

}    // namespace timetabling::enrolment
