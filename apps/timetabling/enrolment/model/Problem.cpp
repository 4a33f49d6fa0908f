#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <ferry/apps/timetabling/enrolment/model/openPeriodsBeside.hpp>
#include <ferry/apps/timetabling/model/CheckCount.hpp>

namespace timetabling::enrolment {

namespace {

/// Returns the bit matrix of the rows: the bit is 1 where the row lists the column.
BitMatrix bitsOf(const std::vector<std::vector<int>>& rows, int columnCount) {
    BitMatrix bits(rows.size(), static_cast<std::size_t>(columnCount));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (const int column : rows[row]) bits.set(static_cast<int>(row), column);
    }
    return bits;
}

/// Refuses rows with entries out of range, and rows that are not in ascending order.
void checkRows(const char* what, const std::vector<std::vector<int>>& rows, int count) {
    for (const std::vector<int>& row : rows) {
        int least = 0;
        for (const int entry : row) {
            checkCount(what, entry, least, count - 1);
            least = entry + 1;
        }
    }
}

void checkSecondRules(const SecondRules& rules, int eventCount) {
    checkCount("rows of closed periods", static_cast<std::int64_t>(rules.closedPeriods.size()), eventCount, eventCount);
    checkRows("closed period", rules.closedPeriods, PeriodCount);
    checkCount("precedences", static_cast<std::int64_t>(rules.precedences.size()), 0, std::int64_t{eventCount} * eventCount);
    for (const Precedence& precedence : rules.precedences) {
        checkCount("event of a precedence", precedence.before, 0, eventCount - 1);
        checkCount("event of a precedence", precedence.after, 0, eventCount - 1);
        if (precedence.before == precedence.after) throw std::invalid_argument("an event cannot be before itself");
    }
}

/// Checks the indices only. A PinBoard checks the contents of pins.
void checkPublished(const Published& published, std::int64_t eventCount, std::int64_t roomCount) {
    if (!published.places.empty())
        checkCount("published places", static_cast<std::int64_t>(published.places.size()), eventCount, eventCount);
    checkCount("pins", static_cast<std::int64_t>(published.pins.size()), 0, eventCount);
    if (published.keepWeight) checkCount("weight of an event that is moved", *published.keepWeight, 0, limits::PeopleOrSeats);
    for (const Place& place : published.places) {
        checkCount("period of a published event", place.period, -1, PeriodCount - 1);
        checkCount("room of a published event", place.room, -1, limits::RoomCount - 1);
    }
    for (const Pin& pin : published.pins) {
        checkCount("event of a pin", pin.event, 0, eventCount - 1);
        checkCount("period of a pin", pin.period, 0, PeriodCount - 1);
        checkCount("room of a pin", pin.room, -1, roomCount - 1);
    }
}

}    // namespace

void checkInstance(const Instance& instance) {
    const auto eventCount = static_cast<std::int64_t>(instance.featuresOfEvent.size());
    const auto roomCount = static_cast<std::int64_t>(instance.roomSeats.size());
    const auto studentCount = static_cast<std::int64_t>(instance.eventsOfStudent.size());
    checkCount("events", eventCount, 1, limits::EventCount);
    checkCount("rooms", roomCount, 1, limits::RoomCount);
    checkCount("students", studentCount, 0, limits::StudentCount);
    checkCount("features", instance.featureCount, 0, limits::FeatureCount);
    checkCount("students x events", studentCount * eventCount, 0, limits::TableCells);
    checkCount("rooms with features", static_cast<std::int64_t>(instance.featuresOfRoom.size()), roomCount, roomCount);
    for (const int seats : instance.roomSeats) checkCount("seats of a room", seats, 0, limits::PeopleOrSeats);
    checkRows("event of a student", instance.eventsOfStudent, static_cast<int>(eventCount));
    checkRows("feature of a room", instance.featuresOfRoom, instance.featureCount);
    checkRows("feature of an event", instance.featuresOfEvent, instance.featureCount);
    std::int64_t pairCount = 0;
    for (const std::vector<int>& events : instance.eventsOfStudent) {
        pairCount += static_cast<std::int64_t>(events.size()) * static_cast<std::int64_t>(events.size());
    }
    checkCount("pairs of events of a student", pairCount, 0, limits::EventPairs);
    if (instance.hasSecondRules) checkSecondRules(instance.second, static_cast<int>(eventCount));
    checkPublished(instance.published, eventCount, roomCount);
}

Problem::Problem(Instance instance) : instance_(std::move(instance)) {
    checkInstance(instance_);
    findStudents();
    findRooms();
    findPeriods();
    findExclusions();
    if (hasPins()) heedPins();
    if (!instance_.published.places.empty()) published_.emplace(instance_);
}

void Problem::findStudents() {
    std::vector<std::vector<int>> students(instance_.featuresOfEvent.size());
    for (int student = 0; student < studentCount(); ++student) {
        for (const int event : instance_.eventsOfStudent[static_cast<std::size_t>(student)]) {
            students[static_cast<std::size_t>(event)].push_back(student);
        }
    }
    studentsOf_ = IndexLists(students);
}

void Problem::findRooms() {
    std::vector<std::vector<int>> rooms(instance_.featuresOfEvent.size());
    for (int event = 0; event < eventCount(); ++event) {
        const std::vector<int>& wanted = instance_.featuresOfEvent[static_cast<std::size_t>(event)];
        const auto guests = static_cast<int>(studentsOf(event).size());
        for (int room = 0; room < roomCount(); ++room) {
            const std::vector<int>& offered = instance_.featuresOfRoom[static_cast<std::size_t>(room)];
            if (instance_.roomSeats[static_cast<std::size_t>(room)] < guests) continue;
            if (!std::includes(offered.begin(), offered.end(), wanted.begin(), wanted.end())) continue;
            rooms[static_cast<std::size_t>(event)].push_back(room);
        }
    }
    isSuitable_ = bitsOf(rooms, roomCount());
    suitableRooms_ = IndexLists(rooms);
}

void Problem::findPeriods() {
    std::vector<std::vector<int>> periods(instance_.featuresOfEvent.size());
    for (int event = 0; event < eventCount(); ++event) {
        for (int period = 0; period < PeriodCount; ++period) {
            if (instance_.hasSecondRules) {
                const std::vector<int>& closed = instance_.second.closedPeriods[static_cast<std::size_t>(event)];
                if (std::binary_search(closed.begin(), closed.end(), period)) continue;
            }
            periods[static_cast<std::size_t>(event)].push_back(period);
        }
    }
    isOpen_ = bitsOf(periods, PeriodCount);
    openPeriods_ = IndexLists(periods);
}

void Problem::findExclusions() {
    const std::size_t count = instance_.featuresOfEvent.size();
    sharesStudents_ = BitMatrix(count, count);
    for (const std::vector<int>& events : instance_.eventsOfStudent) {
        for (const int a : events) {
            for (const int b : events) {
                if (a != b) sharesStudents_.set(a, b);
            }
        }
    }
    excludes_ = sharesStudents_;
    std::vector<std::vector<int>> earlier(count);
    std::vector<std::vector<int>> later(count);
    for (const Precedence& precedence : instance_.second.precedences) {
        earlier[static_cast<std::size_t>(precedence.after)].push_back(precedence.before);
        later[static_cast<std::size_t>(precedence.before)].push_back(precedence.after);
        excludes_.set(precedence.before, precedence.after);
        excludes_.set(precedence.after, precedence.before);
    }
    earlier_ = IndexLists(earlier);
    later_ = IndexLists(later);
    std::vector<std::vector<int>> excluded(count);
    for (int a = 0; a < eventCount(); ++a) {
        const std::span<const int> roomsOfA = suitableRooms(a);
        for (int b = 0; b < eventCount(); ++b) {
            if (a == b) continue;
            const std::span<const int> roomsOfB = suitableRooms(b);
            if (roomsOfA.size() == 1 && roomsOfB.size() == 1 && roomsOfA[0] == roomsOfB[0]) excludes_.set(a, b);
            if (excludes_.get(a, b)) excluded[static_cast<std::size_t>(a)].push_back(b);
        }
    }
    excludedBy_ = IndexLists(excluded);
}

/// Restricts open periods and suitable rooms to those that the pins allow.
void Problem::heedPins() {
    isPinned_.assign(instance_.featuresOfEvent.size(), false);
    std::vector<std::vector<int>> periods(instance_.featuresOfEvent.size());
    std::vector<std::vector<int>> rooms(instance_.featuresOfEvent.size());
    for (int event = 0; event < eventCount(); ++event) {
        const PeriodSet open = openPeriodsBeside(*this, event, instance_.published.pins);
        for (int period = 0; period < PeriodCount; ++period) {
            if ((open >> period & 1U) != 0) periods[static_cast<std::size_t>(event)].push_back(period);
        }
        rooms[static_cast<std::size_t>(event)].assign(suitableRooms(event).begin(), suitableRooms(event).end());
    }
    for (const Pin& pin : instance_.published.pins) {
        isPinned_[static_cast<std::size_t>(pin.event)] = true;
        if (pin.room >= 0) std::erase_if(rooms[static_cast<std::size_t>(pin.event)], [&](int room) { return room != pin.room; });
    }
    isOpen_ = bitsOf(periods, PeriodCount);
    openPeriods_ = IndexLists(periods);
    isSuitable_ = bitsOf(rooms, roomCount());
    suitableRooms_ = IndexLists(rooms);
}

Instance withoutPins(Instance instance) {
    instance.published.pins.clear();
    return instance;
}

}    // namespace timetabling::enrolment
