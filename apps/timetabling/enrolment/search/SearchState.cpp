#include <ferry/apps/timetabling/enrolment/search/SearchState.hpp>

#include <algorithm>
#include <utility>

#include <ferry/apps/timetabling/enrolment/model/Score.hpp>
#include <ferry/apps/timetabling/enrolment/model/Solution.hpp>
#include <ferry/apps/timetabling/model/contains.hpp>

namespace timetabling::enrolment {

namespace {

/// The cost of a student's day, indexed by the bits of the day.
const std::array<std::int8_t, 1U << PeriodsPerDay> DayCosts = [] {
    std::array<std::int8_t, 1U << PeriodsPerDay> costs{};
    for (unsigned day = 0; day < costs.size(); ++day) costs[day] = static_cast<std::int8_t>(costOfDay(day));
    return costs;
}();

unsigned bitOf(int period) { return 1U << (period % PeriodsPerDay); }

}    // namespace

void Exchange::clear(int firstPeriod, int secondPeriod) {
    first = firstPeriod;
    second = secondPeriod;
    fromFirst.clear();
    fromSecond.clear();
}

SearchState::SearchState(const Problem& problem)
    : problem_(problem),
      roomCount_(static_cast<std::size_t>(problem.roomCount())),
      periodOf_(static_cast<std::size_t>(problem.eventCount()), -1),
      roomOf_(periodOf_.size(), -1),
      placeInList_(periodOf_.size(), 0),
      eventsIn_(static_cast<std::size_t>(PeriodCount)),
      eventInRoom_(static_cast<std::size_t>(PeriodCount) * roomCount_, -1),
      blockers_(periodOf_.size() * PeriodCount, 0),
      days_(static_cast<std::size_t>(problem.studentCount()) * DayCount, 0),
      firstRooms_(roomCount_),
      secondRooms_(roomCount_),
      roomSeen_(roomCount_, 0),
      eventSeen_(periodOf_.size(), 0) {
    for (int event = 0; event < problem.eventCount(); ++event) {
        placeInList_[static_cast<std::size_t>(event)] = event;
        unplaced_.push_back(event);
        distance_ += problem.absencePenalty(event);
    }
    if (!problem.published()) return;
    keeper_.emplace(problem);
    displaced_.emplace(problem);
}

SearchState::SearchState(const Problem& problem, const Slots& slots) : SearchState(problem) {
    checkSlots(problem, slots);
    for (int event = 0; event < problem.eventCount(); ++event) {
        const int slot = slots[static_cast<std::size_t>(event)];
        if (slot < 0) continue;
        const int period = problem.periodOfSlot(slot);
        eventInRoom_[static_cast<std::size_t>(slot)] = event;
        roomOf_[static_cast<std::size_t>(event)] = problem.roomOfSlot(slot);
        insert(event, period);
    }
    for (int period = 0; keeper_ && period < PeriodCount; ++period) keepRoomsOf(period);
}

Slots SearchState::slots() const {
    Slots slots(periodOf_.size(), -1);
    for (std::size_t event = 0; event < slots.size(); ++event) {
        if (periodOf_[event] >= 0) slots[event] = problem_.slotOf(periodOf_[event], roomOf_[event]);
    }
    return slots;
}

Individual SearchState::individual() const { return {slots(), distance_, cost_, displaced_ ? displaced_->total().count() : 0, charge()}; }

bool SearchState::isOutOfOrder(int event, int period) const {
    for (const int other : problem_.earlierThan(event)) {
        if (periodOf(other) > period) return true;
    }
    for (const int other : problem_.laterThan(event)) {
        if (periodOf(other) >= 0 && periodOf(other) < period) return true;
    }
    return false;
}

/// Notes that the event is in the period. The room of the event stays as it is.
void SearchState::insert(int event, int period) {
    const auto at = static_cast<std::size_t>(event);
    const int last = unplaced_.back();
    unplaced_[static_cast<std::size_t>(placeInList_[at])] = last;
    placeInList_[static_cast<std::size_t>(last)] = placeInList_[at];
    unplaced_.pop_back();
    std::vector<int>& events = eventsIn_[static_cast<std::size_t>(period)];
    placeInList_[at] = static_cast<std::int32_t>(events.size());
    events.push_back(event);
    periodOf_[at] = period;
    distance_ -= problem_.absencePenalty(event);
    for (const int other : problem_.excludedBy(event)) ++blockers_[cell(other, period)];
    changeDays(event, period);
}

/// Notes that the event is in no period any more.
void SearchState::take(int event) {
    const auto at = static_cast<std::size_t>(event);
    const int period = periodOf_[at];
    std::vector<int>& events = eventsIn_[static_cast<std::size_t>(period)];
    const int last = events.back();
    events[static_cast<std::size_t>(placeInList_[at])] = last;
    placeInList_[static_cast<std::size_t>(last)] = placeInList_[at];
    events.pop_back();
    placeInList_[at] = static_cast<std::int32_t>(unplaced_.size());
    unplaced_.push_back(event);
    periodOf_[at] = -1;
    distance_ += problem_.absencePenalty(event);
    for (const int other : problem_.excludedBy(event)) --blockers_[cell(other, period)];
    changeDays(event, period);
}

/// Inverts the bit of the period in the days of the event's students.
void SearchState::changeDays(int event, int period) {
    for (const int student : problem_.studentsOf(event)) {
        std::uint16_t& day = dayOf(student, period);
        const unsigned changed = day ^ bitOf(period);
        cost_ += DayCosts[changed] - DayCosts[day];
        day = static_cast<std::uint16_t>(changed);
    }
}

void SearchState::remove(int event) {
    const auto at = static_cast<std::size_t>(event);
    roomsOf(periodOf_[at])[static_cast<std::size_t>(roomOf_[at])] = -1;
    roomOf_[at] = -1;
    const int period = periodOf_[at];
    take(event);
    if (!keeper_) return;
    displaced_->note(event, {});
    keepRoomsOf(period);
}

bool SearchState::tryPlace(int event, int period) {
    if (!problem_.isOpen(event, period) || blockers(event, period) > 0 || isOutOfOrder(event, period)) return false;
    if (!giveRooms(firstRooms_, period, {}, {&event, 1})) return false;
    useRooms(period, firstRooms_);
    insert(event, period);
    if (displaced_) notePlaces(period);
    return true;
}

bool SearchState::hasRoomFor(int event, int period, std::span<const int> leaving) {
    return findRooms(firstRooms_, period, leaving, {&event, 1});
}

/// Finds a room for the event along an augmenting path. Events on the path change their rooms.
bool SearchState::findRoom(std::span<int> rooms, int event) {
    const std::span<const int> suitable = problem_.suitableRooms(event);
    for (const int room : suitable) {
        if (rooms[static_cast<std::size_t>(room)] >= 0) continue;
        rooms[static_cast<std::size_t>(room)] = event;
        return true;
    }
    for (const int room : suitable) {
        std::uint32_t& seen = roomSeen_[static_cast<std::size_t>(room)];
        if (std::exchange(seen, roomSearch_) == roomSearch_) continue;
        if (!findRoom(rooms, rooms[static_cast<std::size_t>(room)])) continue;
        rooms[static_cast<std::size_t>(room)] = event;
        return true;
    }
    return false;
}

/// Computes the rooms of the period for the case that some events leave it and other events come.
bool SearchState::findRooms(std::vector<int>& rooms, int period, std::span<const int> leaving, std::span<const int> coming) {
    if (eventsIn(period).size() + coming.size() > roomCount_ + leaving.size()) return false;
    const std::span<const int> before = roomsOf(period);
    std::copy(before.begin(), before.end(), rooms.begin());
    for (const int event : leaving) rooms[static_cast<std::size_t>(roomOf_[static_cast<std::size_t>(event)])] = -1;
    for (const int event : coming) {
        ++roomSearch_;
        if (!findRoom(rooms, event)) return false;
    }
    return true;
}

/// Like findRooms(), with as few events as possible in another room than published. Returns the number of these events.
std::optional<int> SearchState::keepRooms(std::vector<int>& rooms, int period, std::span<const int> leaving, std::span<const int> coming) {
    if (eventsIn(period).size() + coming.size() > roomCount_ + leaving.size()) return std::nullopt;
    staying_.assign(coming.begin(), coming.end());
    for (const int event : eventsIn(period)) {
        if (!contains(leaving, event)) staying_.push_back(event);
    }
    return keeper_->match(period, staying_, rooms);
}

bool SearchState::giveRooms(std::vector<int>& rooms, int period, std::span<const int> leaving, std::span<const int> coming) {
    return keeper_ ? keepRooms(rooms, period, leaving, coming).has_value() : findRooms(rooms, period, leaving, coming);
}

/// The increase of the number of events in another period than published, when the events move.
int SearchState::displacedBy(std::span<const int> events, int fromPeriod, int toPeriod) const {
    int count = 0;
    for (const int event : events) {
        const int home = problem_.published()->placeOf(event).period;
        count += (home == fromPeriod ? 1 : 0) - (home == toPeriod ? 1 : 0);
    }
    return count;
}

std::optional<Displacement> SearchState::displacementOf(const Exchange& exchange) {
    const auto inFirst = keepRooms(firstRooms_, exchange.first, exchange.fromFirst, exchange.fromSecond);
    if (!inFirst) return std::nullopt;
    const auto inSecond = keepRooms(secondRooms_, exchange.second, exchange.fromSecond, exchange.fromFirst);
    if (!inSecond) return std::nullopt;
    Displacement change = leastDisplacementOf(exchange);
    change.otherRoom += *inFirst + *inSecond;
    return change;
}

Displacement SearchState::leastDisplacementOf(const Exchange& exchange) const {
    return {displacedBy(exchange.fromFirst, exchange.first, exchange.second) +
                displacedBy(exchange.fromSecond, exchange.second, exchange.first),
            -displaced_->inOtherRoom(exchange.first) - displaced_->inOtherRoom(exchange.second)};
}

/// Assigns the rooms of the period anew, because events may return to their published rooms after other events have left.
void SearchState::keepRoomsOf(int period) {
    keepRooms(firstRooms_, period, {}, {});    // succeeds, since the events of the period have rooms
    useRooms(period, firstRooms_);
    notePlaces(period);
}

void SearchState::notePlaces(int period) {
    for (const int event : eventsIn(period)) displaced_->note(event, {period, roomOf_[static_cast<std::size_t>(event)]});
}

void SearchState::useRooms(int period, std::span<const int> rooms) {
    std::copy(rooms.begin(), rooms.end(), roomsOf(period).begin());
    for (std::size_t room = 0; room < rooms.size(); ++room) {
        if (rooms[room] >= 0) roomOf_[static_cast<std::size_t>(rooms[room])] = static_cast<std::int32_t>(room);
    }
}

bool SearchState::addChain(Exchange& exchange, int event, std::size_t most) {
    ++chain_;
    for (const int member : exchange.fromFirst) eventSeen_[static_cast<std::size_t>(member)] = chain_;
    for (const int member : exchange.fromSecond) eventSeen_[static_cast<std::size_t>(member)] = chain_;
    if (eventSeen_[static_cast<std::size_t>(event)] == chain_) return true;
    const auto add = [&](int member) {
        eventSeen_[static_cast<std::size_t>(member)] = chain_;
        const bool isInFirst = periodOf(member) == exchange.first;
        (isInFirst ? exchange.fromFirst : exchange.fromSecond).push_back(member);
        return problem_.isOpen(member, isInFirst ? exchange.second : exchange.first);
    };
    std::size_t firstDone = exchange.fromFirst.size();
    std::size_t secondDone = exchange.fromSecond.size();
    if (!add(event)) return false;
    while (firstDone < exchange.fromFirst.size() || secondDone < exchange.fromSecond.size()) {
        const bool isFromFirst = firstDone < exchange.fromFirst.size();
        const int member = isFromFirst ? exchange.fromFirst[firstDone++] : exchange.fromSecond[secondDone++];
        const int target = isFromFirst ? exchange.second : exchange.first;
        if (blockers(member, target) == 0) continue;
        for (const int other : eventsIn(target)) {
            if (eventSeen_[static_cast<std::size_t>(other)] == chain_ || !problem_.excludeEachOther(member, other)) continue;
            if (exchange.fromFirst.size() + exchange.fromSecond.size() >= most || !add(other)) return false;
        }
    }
    return true;
}

/// Whether the event may be in the period after the exchange.
bool SearchState::isOpenInExchange(int event, int toPeriod, const Exchange& exchange) const {
    if (!problem_.isOpen(event, toPeriod)) return false;
    const auto newPeriodOf = [&](int other) {
        if (periodOf(other) == exchange.first && contains(exchange.fromFirst, other)) return exchange.second;
        if (periodOf(other) == exchange.second && contains(exchange.fromSecond, other)) return exchange.first;
        return periodOf(other);
    };
    for (const int other : problem_.earlierThan(event)) {
        if (newPeriodOf(other) >= toPeriod) return false;
    }
    for (const int other : problem_.laterThan(event)) {
        if (periodOf(other) >= 0 && newPeriodOf(other) <= toPeriod) return false;
    }
    return true;
}

bool SearchState::isAllowed(const Exchange& exchange) const {
    const auto mayGo = [&](const std::vector<int>& events, int toPeriod) {
        return std::all_of(events.begin(), events.end(), [&](int event) { return isOpenInExchange(event, toPeriod, exchange); });
    };
    return mayGo(exchange.fromFirst, exchange.second) && mayGo(exchange.fromSecond, exchange.first);
}

int SearchState::costOfMoving(std::span<const int> events, int fromPeriod, int toPeriod) const {
    const unsigned fromBit = bitOf(fromPeriod);
    const unsigned toBit = bitOf(toPeriod);
    const bool isSameDay = fromPeriod / PeriodsPerDay == toPeriod / PeriodsPerDay;
    int cost = 0;
    for (const int event : events) {
        for (const int student : problem_.studentsOf(event)) {
            const unsigned from = dayOf(student, fromPeriod);
            if (isSameDay) {
                // An event of the student in the other period is part of the exchange. So a student with both bits keeps both.
                if ((from & toBit) == 0) cost += DayCosts[from ^ fromBit ^ toBit] - DayCosts[from];
                continue;
            }
            const unsigned to = dayOf(student, toPeriod);
            if ((to & toBit) == 0) cost += DayCosts[from ^ fromBit] - DayCosts[from] + DayCosts[to ^ toBit] - DayCosts[to];
        }
    }
    return cost;
}

int SearchState::costOf(const Exchange& exchange) const {
    return costOfMoving(exchange.fromFirst, exchange.first, exchange.second) +
           costOfMoving(exchange.fromSecond, exchange.second, exchange.first);
}

bool SearchState::tryApply(const Exchange& exchange, int cost) {
    if (!giveRooms(firstRooms_, exchange.first, exchange.fromFirst, exchange.fromSecond)) return false;
    if (!giveRooms(secondRooms_, exchange.second, exchange.fromSecond, exchange.fromFirst)) return false;
    apply(exchange, cost);
    return true;
}

void SearchState::apply(const Exchange& exchange, int cost) {
    useRooms(exchange.first, firstRooms_);
    useRooms(exchange.second, secondRooms_);
    const auto move = [&](int event, int fromPeriod, int toPeriod) {
        const auto at = static_cast<std::size_t>(event);
        std::vector<int>& left = eventsIn_[static_cast<std::size_t>(fromPeriod)];
        const int last = left.back();
        left[static_cast<std::size_t>(placeInList_[at])] = last;
        placeInList_[static_cast<std::size_t>(last)] = placeInList_[at];
        left.pop_back();
        std::vector<int>& entered = eventsIn_[static_cast<std::size_t>(toPeriod)];
        placeInList_[at] = static_cast<std::int32_t>(entered.size());
        entered.push_back(event);
        periodOf_[at] = toPeriod;
        for (const int other : problem_.excludedBy(event)) {
            --blockers_[cell(other, fromPeriod)];
            ++blockers_[cell(other, toPeriod)];
        }
        for (const int student : problem_.studentsOf(event)) {
            dayOf(student, fromPeriod) = static_cast<std::uint16_t>(dayOf(student, fromPeriod) ^ bitOf(fromPeriod));
            dayOf(student, toPeriod) = static_cast<std::uint16_t>(dayOf(student, toPeriod) ^ bitOf(toPeriod));
        }
    };
    for (const int event : exchange.fromFirst) move(event, exchange.first, exchange.second);
    for (const int event : exchange.fromSecond) move(event, exchange.second, exchange.first);
    cost_ += cost;
    if (!displaced_) return;
    notePlaces(exchange.first);
    notePlaces(exchange.second);
}

}    // namespace timetabling::enrolment
