#include <ferry/apps/timetabling/curriculum/search/MostPlaced.hpp>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <ferry/apps/timetabling/search/Matching.hpp>

namespace timetabling::curriculum {

namespace {

constexpr int notPinned = -2;
constexpr int anyRoom = -1;

/// Returns, for each course and period, the room of the pin there; or anyRoom, or notPinned.
std::vector<int> pinnedRooms(const Problem& problem) {
    const auto periods = static_cast<std::size_t>(problem.periodCount());
    std::vector<int> rooms(static_cast<std::size_t>(problem.courseCount()) * periods, notPinned);
    for (const Pin& pin : problem.instance().published.pins)
        rooms[static_cast<std::size_t>(pin.course) * periods + static_cast<std::size_t>(pin.period)] = pin.room;
    return rooms;
}

/// Gives each of the courses its own room in the period. Rooms that suit come alone where suitability is hard.
class Rooms {
public:
    Rooms(const Problem& problem, const std::vector<int>& pinned, int period)
        : problem_(problem),
          pinned_(pinned),
          period_(period),
          matching_(static_cast<std::size_t>(problem.roomCount())) {}

    /// Adds a course. False when there is no room left for it.
    bool add(int course) {
        const int pin = pinned_[static_cast<std::size_t>(course) * static_cast<std::size_t>(problem_.periodCount()) +
                                static_cast<std::size_t>(period_)];
        std::vector<int> rooms;
        for (int room = 0; room < problem_.roomCount(); ++room) {
            if (!problem_.isRoomOpen(room, period_) || (pin >= 0 && room != pin)) continue;
            if (problem_.weights().isRoomSuitabilityHard && !problem_.isSuitable(course, room)) continue;
            rooms.push_back(room);
        }
        std::stable_sort(rooms.begin(), rooms.end(),
                         [&](int one, int other) { return problem_.missingSeats(course, one) < problem_.missingSeats(course, other); });
        return matching_.add(course, rooms);
    }

    bool addAll(const std::vector<int>& courses) {
        return std::all_of(courses.begin(), courses.end(), [this](int course) { return add(course); });
    }

    /// The room of the course.
    int roomOf(int course) const { return matching_.placeOf(course); }

private:
    const Problem& problem_;
    const std::vector<int>& pinned_;
    int period_;
    Matching matching_;
};

}    // namespace

std::optional<Slots> slotsOfPeriods(const Problem& problem, const std::vector<std::vector<int>>& coursesIn) {
    const std::vector<int> pinned = pinnedRooms(problem);
    Slots slots(static_cast<std::size_t>(problem.lectureCount()), -1);
    std::vector<int> next(static_cast<std::size_t>(problem.courseCount()), 0);
    // The pinned lectures of a course are its first ones, in the order of their pins.
    for (std::size_t lecture = 0; problem.hasPins() && lecture < slots.size(); ++lecture)
        next[static_cast<std::size_t>(problem.courseOf(static_cast<int>(lecture)))] += problem.pinOf(static_cast<int>(lecture)) ? 1 : 0;
    for (int period = 0; period < problem.periodCount(); ++period) {
        const std::vector<int>& courses = coursesIn[static_cast<std::size_t>(period)];
        Rooms rooms(problem, pinned, period);
        if (!rooms.addAll(courses)) return std::nullopt;
        for (const int course : courses) {
            int lecture = problem.firstLecture(course);
            const int end = lecture + problem.course(course).lectureCount;
            while (lecture < end && problem.pinOf(lecture) && problem.pinOf(lecture)->period != period) ++lecture;
            if (lecture == end || !problem.pinOf(lecture))
                lecture = problem.firstLecture(course) + next[static_cast<std::size_t>(course)]++;
            slots[static_cast<std::size_t>(lecture)] = problem.slotOf(period, rooms.roomOf(course));
        }
    }
    return slots;
}

MostPlaced::MostPlaced(const Problem& problem, std::uint64_t seed)
    : problem_(problem),
      random_(seed),
      coursesIn_(static_cast<std::size_t>(problem.periodCount())),
      clashes_(static_cast<std::size_t>(problem.courseCount()) * static_cast<std::size_t>(problem.periodCount()), 0),
      isIn_(clashes_.size(), false),
      pinnedRoom_(pinnedRooms(problem)),
      tabuUntil_(clashes_.size(), 0) {
    for (int course = 0; course < problem.courseCount(); ++course) {
        leftOut_.insert(leftOut_.end(), static_cast<std::size_t>(problem.course(course).lectureCount), course);
        missing_.push_back(problem.course(course).lectureCount);
        burden_ += burdenOf(course);
    }
    for (const Pin& pin : problem.instance().published.pins) put(pin.course, pin.period);
    if (!slotsOfPeriods(problem, coursesIn_))
        throw std::invalid_argument("the pinned lectures of a period have no rooms that suit them all");
}

Slots MostPlaced::run(int least, const Budget& budget, const StopHook& stop) {
    constexpr std::int64_t iterationsPerCheck = 32;
    constexpr std::int64_t movesPerIteration = 100;
    constexpr std::int64_t iterationsPerShake = 5000;
    constexpr std::int64_t iterationsForBurden = 20'000;    ///< without a gain, where the fewest lectures are left out
    BudgetMeter meter(budget, stop);
    placeFree();
    std::vector<std::vector<int>> best = coursesIn_;
    auto fewest = std::pair(leftOut_.size(), burden_);
    std::int64_t lastGain = 0;
    const auto isDone = [&] { return fewest.first <= static_cast<std::size_t>(least) && iteration_ - lastGain >= iterationsForBurden; };
    while (!leftOut_.empty() && !isDone() && !meter.hasEnded()) {
        for (std::int64_t i = 0; i < iterationsPerCheck && !leftOut_.empty(); ++i) {
            ++iteration_;
            iterate();
            if (const auto now = std::pair(leftOut_.size(), burden_); now < fewest) {
                fewest = now;
                best = coursesIn_;
                lastGain = iteration_;
            } else if ((iteration_ - lastGain) % iterationsPerShake == 0) {
                shake();
            }
        }
        meter.hasEndedAfter(iterationsPerCheck * movesPerIteration);
    }
    return *slotsOfPeriods(problem_, best);
}

/// Places the lectures that fit without a change of others: the courses with the fewest free periods first.
void MostPlaced::placeFree() {
    std::vector<int> courses(static_cast<std::size_t>(problem_.courseCount()));
    std::iota(courses.begin(), courses.end(), 0);
    random_.shuffle(courses);
    std::stable_sort(courses.begin(), courses.end(), [this](int one, int other) {
        const auto spare = [this](int course) {
            return static_cast<int>(problem_.availablePeriods(course).size()) - problem_.course(course).lectureCount;
        };
        return spare(one) < spare(other);
    });
    for (const int course : courses) {
        const std::span<const int> available = problem_.availablePeriods(course);
        std::vector<int> periods(available.begin(), available.end());
        random_.shuffle(periods);
        for (const int period : periods) {
            if (std::find(leftOut_.begin(), leftOut_.end(), course) == leftOut_.end()) break;
            if (isIn_[cellOf(course, period)]) continue;
            const auto evictions = evictionsFor(course, period);
            if (evictions && evictions->empty()) put(course, period);
        }
    }
}

/// Puts one of the lectures that are left out into the period where the fewest lectures are in its way.
void MostPlaced::iterate() {
    const int course = leftOut_[static_cast<std::size_t>(random_.below(static_cast<int>(leftOut_.size())))];
    int bestPeriod = -1;
    std::size_t least = 0;
    std::vector<int> evicted;
    int equals = 0;
    for (const int period : problem_.availablePeriods(course)) {
        const std::size_t cell = cellOf(course, period);
        if (isIn_[cell]) continue;
        const bool isFull = static_cast<int>(coursesIn(period).size()) >= problem_.openRooms(period);
        const std::size_t lowest = std::max<std::size_t>(clashes_[cell], isFull ? 1 : 0);
        if (bestPeriod >= 0 && lowest > least) continue;
        if (tabuUntil_[cell] > iteration_ && lowest > 0) continue;
        auto evictions = evictionsFor(course, period);
        if (!evictions || (bestPeriod >= 0 && evictions->size() > least)) continue;
        equals = bestPeriod >= 0 && evictions->size() == least ? equals + 1 : 1;
        if (equals > 1 && random_.below(equals) != 0) continue;
        bestPeriod = period;
        least = evictions->size();
        evicted = std::move(*evictions);
    }
    if (bestPeriod < 0) return;
    constexpr int shortestTabu = 5;
    constexpr int tabuSpread = 10;
    for (const int other : evicted) {
        take(other, bestPeriod);
        tabuUntil_[cellOf(other, bestPeriod)] =
            iteration_ + shortestTabu + random_.below(tabuSpread) + static_cast<std::int64_t>(leftOut_.size()) / 2;
    }
    put(course, bestPeriod);
}

/// Empties a period, so that the search comes to another place. False when only pinned lectures are there.
bool MostPlaced::shake() {
    const int period = random_.below(problem_.periodCount());
    const std::vector<int> courses = coursesIn(period);
    bool isChanged = false;
    for (const int course : courses) {
        if (pinnedRoom_[cellOf(course, period)] != notPinned) continue;
        take(course, period);
        isChanged = true;
    }
    return isChanged;
}

/// Returns the courses that have to leave the period so that the course may come. Nothing when pinned lectures are in the way.
std::optional<std::vector<int>> MostPlaced::evictionsFor(int course, int period) {
    const std::vector<int>& there = coursesIn(period);
    const auto isPinned = [&](int other) { return pinnedRoom_[cellOf(other, period)] != notPinned; };
    std::vector<int> evicted;
    std::vector<int> rest;
    const bool hasClashes = clashes_[cellOf(course, period)] > 0;
    for (const int other : there) {
        if (!hasClashes || !problem_.areInConflict(course, other)) {
            rest.push_back(other);
        } else if (isPinned(other)) {
            return std::nullopt;
        } else {
            evicted.push_back(other);
        }
    }
    const bool isSuitabilityHard = problem_.weights().isRoomSuitabilityHard;
    if (!isSuitabilityHard && !problem_.hasPins()) {
        if (static_cast<int>(rest.size()) < problem_.openRooms(period)) return evicted;
        if (rest.empty()) return std::nullopt;
        evicted.push_back(rest[static_cast<std::size_t>(random_.below(static_cast<int>(rest.size())))]);
        return evicted;
    }
    // The pinned lectures come first, then the new one. Each further lecture that finds no room has to leave.
    random_.shuffle(rest);
    std::stable_partition(rest.begin(), rest.end(), isPinned);
    Rooms rooms(problem_, pinnedRoom_, period);
    auto other = rest.begin();
    for (; other != rest.end() && isPinned(*other); ++other) rooms.add(*other);
    if (!rooms.add(course)) return std::nullopt;
    for (; other != rest.end(); ++other) {
        if (!rooms.add(*other)) evicted.push_back(*other);
    }
    return evicted;
}

/// The burden of the missing lectures of the course on its days and its students. Days weigh more than all students.
std::int64_t MostPlaced::burdenOf(int course) const {
    constexpr std::int64_t ofDay = 1'000'000'000;
    const int missing = missing_[static_cast<std::size_t>(course)];
    const int placed = problem_.course(course).lectureCount - missing;
    const int days = std::max(0, problem_.course(course).minWorkingDays - placed);
    return (problem_.weights().minWorkingDays > 0 ? days * ofDay : 0) + std::int64_t{missing} * problem_.course(course).studentCount;
}

void MostPlaced::put(int course, int period) {
    coursesIn(period).push_back(course);
    isIn_[cellOf(course, period)] = true;
    for (const int other : problem_.conflictingCourses(course)) ++clashes_[cellOf(other, period)];
    burden_ -= burdenOf(course);
    --missing_[static_cast<std::size_t>(course)];
    burden_ += burdenOf(course);
    const auto place = std::find(leftOut_.begin(), leftOut_.end(), course);
    *place = leftOut_.back();
    leftOut_.pop_back();
}

void MostPlaced::take(int course, int period) {
    std::vector<int>& there = coursesIn(period);
    there.erase(std::find(there.begin(), there.end(), course));
    isIn_[cellOf(course, period)] = false;
    for (const int other : problem_.conflictingCourses(course)) --clashes_[cellOf(other, period)];
    burden_ -= burdenOf(course);
    ++missing_[static_cast<std::size_t>(course)];
    burden_ += burdenOf(course);
    leftOut_.push_back(course);
}

}    // namespace timetabling::curriculum
