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

/// Events of two periods that change places: some go from the first to the second, some the other way.
struct Exchange {
    int first = 0;
    int second = 0;
    std::vector<int> fromFirst;     ///< events
    std::vector<int> fromSecond;    ///< events

    void clear(int firstPeriod, int secondPeriod);
};

/// A timetable that breaks no rule but may leave events out, and that tells quickly what a change of it would cost.
///
/// Rooms are given to the events of a period by matching; a change that leaves no matching is refused. Where a timetable was published,
/// the matching is one with as few events as possible that are in another room than there.
/// Ownership: refers to the problem.
class SearchState {
public:
    /// Without any event.
    explicit SearchState(const Problem& problem);
    /// Throws std::invalid_argument for slots that checkSlots() refuses.
    SearchState(const Problem& problem, const Slots& slots);

    const Problem& problem() const { return problem_; }
    /// -1 for an event that is left out.
    int periodOf(int event) const { return periodOf_[static_cast<std::size_t>(event)]; }
    std::span<const int> eventsIn(int period) const { return eventsIn_[static_cast<std::size_t>(period)]; }
    std::span<const int> unplaced() const { return unplaced_; }
    /// The sum of the penalties of the events that are left out.
    std::int64_t distance() const { return distance_; }
    std::int64_t cost() const { return cost_; }
    /// What the displaced events count, on top of the cost; 0 where nothing was published.
    std::int64_t charge() const { return displaced_ ? problem_.published()->charges().of(displaced_->total()) : 0; }
    Slots slots() const;
    /// The timetable with these sums.
    Individual individual() const;
    /// -1 when the room is free.
    int eventIn(int period, int room) const {
        return eventInRoom_[static_cast<std::size_t>(period) * roomCount_ + static_cast<std::size_t>(room)];
    }
    /// The events that are not where they were published, or null when none were.
    const DisplacedEvents* displaced() const { return displaced_ ? &*displaced_ : nullptr; }

    /// How many events in the period cannot be in one with this event.
    int blockers(int event, int period) const { return blockers_[cell(event, period)]; }
    /// Whether the event would be on the wrong side of an event of another period that precedes or follows it.
    bool isOutOfOrder(int event, int period) const;

    /// Places an event that is left out; false when it cannot be in the period, or there is no room.
    bool tryPlace(int event, int period);
    void remove(int event);
    /// Whether the period has a room for one more event when those of 'leaving' leave and the others change theirs; the other rules are
    /// not looked at.
    bool hasRoomFor(int event, int period, std::span<const int> leaving = {});

    /// Adds to the exchange all events of its two periods that have to change places because 'event' does (a Kempe chain). False when
    /// one of them cannot be in the other period, or there are more than 'most'.
    bool addChain(Exchange& exchange, int event, std::size_t most);
    /// Whether the events may be where the exchange takes them, as far as open periods and precedences say.
    bool isAllowed(const Exchange& exchange) const;
    /// The cost that an exchange adds in which no event clashes with one that stays.
    int costOf(const Exchange& exchange) const;
    /// Makes such an exchange, if there are rooms for it. 'cost' is what costOf() tells.
    bool tryApply(const Exchange& exchange, int cost);
    /// The same in two steps, where a timetable was published: tells how an exchange would change the displacement, or none when there are
    /// no rooms for it; then makes the exchange that was looked at last.
    std::optional<Displacement> displacementOf(const Exchange& exchange);
    /// No more than that, without a look at the rooms: as if all events of the two periods had their own.
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
    std::vector<std::int32_t> periodOf_;        ///< by event
    std::vector<std::int32_t> roomOf_;          ///< by event
    std::vector<std::int32_t> placeInList_;     ///< by event: in eventsIn_ or unplaced_
    std::vector<std::vector<int>> eventsIn_;    ///< by period
    std::vector<int> unplaced_;
    std::vector<int> eventInRoom_;           ///< by period and room: an event or -1
    std::vector<std::uint16_t> blockers_;    ///< by event and period
    std::vector<std::uint16_t> days_;        ///< by student and day: one bit per period with an event
    std::int64_t distance_ = 0;
    std::int64_t cost_ = 0;

    // Scratch that keeps its memory from change to change.
    std::vector<int> firstRooms_;
    std::vector<int> secondRooms_;
    std::vector<std::uint32_t> roomSeen_;    ///< by room: the number of the search that came by last
    std::uint32_t roomSearch_ = 0;
    std::vector<std::uint32_t> eventSeen_;    ///< by event: the number of the chain that it is in
    std::uint32_t chain_ = 0;

    // Only where a timetable was published.
    std::optional<RoomKeeper> keeper_;
    std::optional<DisplacedEvents> displaced_;
    std::vector<int> staying_;    ///< scratch
};

}    // namespace timetabling::enrolment
