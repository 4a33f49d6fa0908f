#include <ferry/apps/timetabling/curriculum/search/SearchState.hpp>

#include <algorithm>
#include <array>

#include <ferry/apps/timetabling/curriculum/model/Score.hpp>

namespace timetabling::curriculum {

namespace {

/// Change of the number of isolated periods when the middle bit of five neighbouring periods of a day is set.
constexpr std::array<std::int8_t, 32> IsolationWhenSet = [] {
    std::array<std::int8_t, 32> table{};
    const auto isolated = [](unsigned day) {
        int count = 0;
        for (unsigned bit = 1; bit <= 3; ++bit) {
            count += (day >> bit & 1U) != 0 && (day >> (bit - 1) & 1U) == 0 && (day >> (bit + 1) & 1U) == 0 ? 1 : 0;
        }
        return count;
    };
    for (unsigned day = 0; day < 32; ++day) {
        table[day] = static_cast<std::int8_t>(isolated(day | 4U) - isolated(day & ~4U));
    }
    return table;
}();

/// The bit of the period in the day of a curriculum.
constexpr std::uint64_t dayBit(unsigned bit) { return std::uint64_t{4} << bit; }

int isolationWhenSet(std::uint64_t day, unsigned bit) { return IsolationWhenSet[(day >> bit) & 31U]; }

}    // namespace

SearchState::SearchState(const Problem& problem, std::span<const std::int32_t> slots)
    : problem_(problem),
      weights_(problem.weights()),
      courseCount_(static_cast<std::size_t>(problem.courseCount())),
      roomCount_(static_cast<std::size_t>(problem.roomCount())),
      periodCount_(static_cast<std::size_t>(problem.periodCount())),
      dayCount_(static_cast<std::size_t>(problem.dayCount())),
      slots_(slots.size(), -1),
      periodOf_(slots.size(), -1),
      roomOf_(slots.size(), -1),
      lectureIn_(static_cast<std::size_t>(problem.slotCount()), -1),
      marks_(periodCount_ * courseCount_, 0),
      lecturesOnDay_(courseCount_ * dayCount_, 0),
      daysUsed_(courseCount_, 0),
      lecturesInRoom_(courseCount_ * roomCount_, 0),
      curriculumLectures_(static_cast<std::size_t>(problem.curriculumCount()) * periodCount_, 0),
      curriculumDays_(static_cast<std::size_t>(problem.curriculumCount()) * dayCount_, 0),
      published_(problem.published()) {
    static_assert(limits::CourseCount <= CountMask, "the conflicts of a course in a period must fit below the marks");
    static_assert(limits::PeriodsPerDay + 4 <= 64, "a day and two periods on either side must fit into 64 bits");
    checkSlots(problem, slots);
    if (weights_.havePatterns()) patterns_.emplace(problem);
    if (weights_.haveOwnRules()) ownRules_.emplace(problem);
    for (int lecture = 0; lecture < problem.lectureCount(); ++lecture) courseOf_.push_back(problem.courseOf(lecture));
    for (int period = 0; period < problem.periodCount(); ++period) {
        dayOf_.push_back(static_cast<std::int16_t>(problem.dayOf(period)));
        bitOf_.push_back(static_cast<std::uint8_t>(problem.periodOfDay(period)));
        for (int course = 0; course < problem.courseCount(); ++course) {
            if (!problem.isAvailable(course, period)) marks(period, course) = Unavailable;
        }
    }
    for (int slot = 0; problem.hasClosedRooms() && slot < problem.slotCount(); ++slot) {
        if (!problem.isRoomOpen(problem.roomOfSlot(slot), problem.periodOfSlot(slot)))
            lectureIn_[static_cast<std::size_t>(slot)] = RoomIsClosed;
    }
    for (int course = 0; course < problem.courseCount(); ++course) {
        minDays_.push_back(problem.course(course).minWorkingDays);
        for (int room = 0; room < problem.roomCount(); ++room) {
            const int unsuitable = problem.isSuitable(course, room) ? 0 : weights_.roomSuitability;
            roomCosts_.push_back(weights_.roomCapacity * problem.missingSeats(course, room) + unsuitable);
        }
    }
    for (int lecture = 0; lecture < problem.lectureCount(); ++lecture) put(lecture, slots[static_cast<std::size_t>(lecture)]);
    countTotals();
    if (!published_) return;
    displacement_.otherPeriod -= published_->additionalLectures();
    placeInDisplaced_.assign(slots_.size(), -1);
    for (int lecture = 0; lecture < problem.lectureCount(); ++lecture) noteDisplacement(lecture);
}

void SearchState::countTotals() {
    const Score score = scoreOf(problem_, toSolution(problem_, slots_));
    conflicts_ = score.violations();
    cost_ = score.cost();
}

void SearchState::put(int lecture, int slot) {
    const auto at = static_cast<std::size_t>(lecture);
    const int course = courseOf(lecture);
    const int period = problem_.periodOfSlot(slot);
    const int room = problem_.roomOfSlot(slot);
    const int day = dayOf_[static_cast<std::size_t>(period)];
    slots_[at] = slot;
    periodOf_[at] = period;
    roomOf_[at] = room;
    lectureIn_[static_cast<std::size_t>(slot)] = lecture;
    if (patterns_) patterns_->put(course, period, room);
    if (ownRules_) ownRules_->put(course, period);
    marks(period, course) |= Taught;
    for (const int other : problem_.conflictingCourses(course)) ++marks(period, other);
    if (lecturesOnDay_[static_cast<std::size_t>(course) * dayCount_ + static_cast<std::size_t>(day)]++ == 0) {
        ++daysUsed_[static_cast<std::size_t>(course)];
    }
    ++lecturesInRoom_[static_cast<std::size_t>(course) * roomCount_ + static_cast<std::size_t>(room)];
    for (const int curriculum : problem_.curriculaOf(course)) {
        const auto row = static_cast<std::size_t>(curriculum);
        if (curriculumLectures_[row * periodCount_ + static_cast<std::size_t>(period)]++ == 0) {
            curriculumDays_[row * dayCount_ + static_cast<std::size_t>(day)] |= dayBit(bitOf_[static_cast<std::size_t>(period)]);
        }
    }
}

void SearchState::leave(int lecture) {
    const auto at = static_cast<std::size_t>(lecture);
    const int course = courseOf(lecture);
    const int period = periodOf_[at];
    const int room = roomOf_[at];
    const int day = dayOf_[static_cast<std::size_t>(period)];
    lectureIn_[static_cast<std::size_t>(slots_[at])] = -1;
    if (patterns_) patterns_->take(course, period, room);
    if (ownRules_) ownRules_->take(course, period);
    marks(period, course) &= static_cast<Marks>(~Taught);
    for (const int other : problem_.conflictingCourses(course)) --marks(period, other);
    if (--lecturesOnDay_[static_cast<std::size_t>(course) * dayCount_ + static_cast<std::size_t>(day)] == 0) {
        --daysUsed_[static_cast<std::size_t>(course)];
    }
    --lecturesInRoom_[static_cast<std::size_t>(course) * roomCount_ + static_cast<std::size_t>(room)];
    for (const int curriculum : problem_.curriculaOf(course)) {
        const auto row = static_cast<std::size_t>(curriculum);
        if (--curriculumLectures_[row * periodCount_ + static_cast<std::size_t>(period)] == 0) {
            curriculumDays_[row * dayCount_ + static_cast<std::size_t>(day)] &= ~dayBit(bitOf_[static_cast<std::size_t>(period)]);
        }
    }
}

/// The share of the lecture in the displacement.
Displacement SearchState::displacementOf(int lecture) const {
    const auto at = static_cast<std::size_t>(lecture);
    return published_->displacementAt(courseOf(lecture), periodOf_[at], roomOf_[at]);
}

/// Adds the displacement of the lecture in its present place, and updates the list of displaced lectures.
void SearchState::noteDisplacement(int lecture) {
    const Displacement here = displacementOf(lecture);
    displacement_ += here;
    const bool isDisplaced = here.count() > 0;
    std::int32_t& place = placeInDisplaced_[static_cast<std::size_t>(lecture)];
    if (isDisplaced == (place >= 0)) return;
    if (isDisplaced) {
        place = static_cast<std::int32_t>(displaced_.size());
        displaced_.push_back(lecture);
        return;
    }
    const int last = displaced_.back();
    displaced_[static_cast<std::size_t>(place)] = last;
    displaced_.pop_back();
    placeInDisplaced_[static_cast<std::size_t>(last)] = place;
    place = -1;
}

bool SearchState::isSwapAllowed(int lectureA, int lectureB) const {
    const int courseA = courseOf(lectureA);
    const int courseB = courseOf(lectureB);
    if (courseA == courseB) return false;
    const int periodA = periodOf_[static_cast<std::size_t>(lectureA)];
    const int periodB = periodOf_[static_cast<std::size_t>(lectureB)];
    return periodA == periodB || ((marks(periodB, courseA) | marks(periodA, courseB)) & Closed) == 0;
}

int SearchState::conflictsOf(int lecture) const {
    return marks(periodOf_[static_cast<std::size_t>(lecture)], courseOf(lecture)) & CountMask;
}

int SearchState::mostGain(int lecture) const {
    const int course = courseOf(lecture);
    // A move can change the isolated periods of a curriculum at the lecture and at both neighbours, in the old place and in the new one.
    constexpr int MostIsolated = 3;
    int ofCurriculum = weights_.compactness * MostIsolated;
    int ofCourse = weights_.minWorkingDays + weights_.roomStability;
    if (patterns_) {
        const int periods = 2 * problem_.periodsPerDay();
        ofCurriculum = periods * (weights_.compactness + weights_.windows + weights_.travelDistance) + 2 * weights_.dailyLoad;
        ofCourse += periods * weights_.doubleLectures;
    }
    if (ownRules_) ofCourse += ownRules_->mostGain(course);
    return ofCourse + ofCurriculum * static_cast<int>(problem_.curriculaOf(course).size()) +
           roomCost(course, roomOf_[static_cast<std::size_t>(lecture)]);
}

int SearchState::moveConflicts(int lecture, int slot) const {
    const int course = courseOf(lecture);
    const auto at = static_cast<std::size_t>(lecture);
    return (marks(problem_.periodOfSlot(slot), course) & CountMask) - (marks(periodOf_[at], course) & CountMask) +
           roomViolations(course, roomOf_[at], problem_.roomOfSlot(slot));
}

int SearchState::swapConflicts(int lectureA, int lectureB) const {
    const int periodA = periodOf_[static_cast<std::size_t>(lectureA)];
    const int periodB = periodOf_[static_cast<std::size_t>(lectureB)];
    const int courseA = courseOf(lectureA);
    const int courseB = courseOf(lectureB);
    const int roomA = roomOf_[static_cast<std::size_t>(lectureA)];
    const int roomB = roomOf_[static_cast<std::size_t>(lectureB)];
    const int rooms = roomViolations(courseA, roomA, roomB) + roomViolations(courseB, roomB, roomA);
    if (periodA == periodB) return rooms;
    const int there = (marks(periodB, courseA) & CountMask) + (marks(periodA, courseB) & CountMask);
    const int here = (marks(periodA, courseA) & CountMask) + (marks(periodB, courseB) & CountMask);
    // Each of the two lectures is counted in the period that the other one goes to. But it leaves that period itself.
    return there - here - (problem_.areInConflict(courseA, courseB) ? 2 : 0) + rooms;
}

int SearchState::workingDaysCost(int course, int fromPeriod, int toPeriod) const {
    const int fromDay = dayOf_[static_cast<std::size_t>(fromPeriod)];
    const int toDay = dayOf_[static_cast<std::size_t>(toPeriod)];
    if (fromDay == toDay) return 0;
    const std::uint8_t* lectures = lecturesOnDay_.data() + static_cast<std::size_t>(course) * dayCount_;
    const int change = (lectures[toDay] == 0 ? 1 : 0) - (lectures[fromDay] == 1 ? 1 : 0);
    if (change == 0) return 0;
    const int missing = minDays_[static_cast<std::size_t>(course)] - daysUsed_[static_cast<std::size_t>(course)];
    return weights_.minWorkingDays * (std::max(missing - change, 0) - std::max(missing, 0));
}

int SearchState::stabilityCost(int course, int fromRoom, int toRoom) const {
    if (fromRoom == toRoom) return 0;
    const std::uint16_t* lectures = lecturesInRoom_.data() + static_cast<std::size_t>(course) * roomCount_;
    return weights_.roomStability * ((lectures[toRoom] == 0 ? 1 : 0) - (lectures[fromRoom] == 1 ? 1 : 0));
}

/// The change in the number of isolated periods when a lecture of the curriculum changes its period.
int SearchState::isolationChange(int curriculum, int fromPeriod, int toPeriod) const {
    const auto row = static_cast<std::size_t>(curriculum);
    const std::uint16_t* lectures = curriculumLectures_.data() + row * periodCount_;
    const std::uint64_t* days = curriculumDays_.data() + row * dayCount_;
    const int fromDay = dayOf_[static_cast<std::size_t>(fromPeriod)];
    const int toDay = dayOf_[static_cast<std::size_t>(toPeriod)];
    std::uint64_t left = days[fromDay];
    int change = 0;
    if (lectures[fromPeriod] == 1) {
        const unsigned bit = bitOf_[static_cast<std::size_t>(fromPeriod)];
        change -= isolationWhenSet(left, bit);
        left &= ~dayBit(bit);
    }
    if (lectures[toPeriod] == 0) {
        change += isolationWhenSet(fromDay == toDay ? left : days[toDay], bitOf_[static_cast<std::size_t>(toPeriod)]);
    }
    return change;
}

int SearchState::compactnessCost(int course, int fromPeriod, int toPeriod) const {
    int change = 0;
    for (const int curriculum : problem_.curriculaOf(course)) change += isolationChange(curriculum, fromPeriod, toPeriod);
    return weights_.compactness * change;
}

/// Like compactnessCost(), without the curricula that also hold the other course.
int SearchState::compactnessCostWithout(int course, int otherCourse, int fromPeriod, int toPeriod) const {
    const std::span<const int> others = problem_.curriculaOf(otherCourse);
    auto other = others.begin();
    int change = 0;
    for (const int curriculum : problem_.curriculaOf(course)) {
        while (other != others.end() && *other < curriculum) ++other;
        if (other != others.end() && *other == curriculum) continue;
        change += isolationChange(curriculum, fromPeriod, toPeriod);
    }
    return weights_.compactness * change;
}

std::int64_t SearchState::moveCost(int lecture, int slot) {
    const auto at = static_cast<std::size_t>(lecture);
    const int course = courseOf(lecture);
    const int toPeriod = problem_.periodOfSlot(slot);
    const int toRoom = slot - toPeriod * problem_.roomCount();
    const int fromPeriod = periodOf_[at];
    const int fromRoom = roomOf_[at];
    int cost = roomCost(course, toRoom) - roomCost(course, fromRoom);
    cost += stabilityCost(course, fromRoom, toRoom);
    if (fromPeriod != toPeriod) {
        cost += workingDaysCost(course, fromPeriod, toPeriod);
        if (!patterns_) cost += compactnessCost(course, fromPeriod, toPeriod);
    }
    if (patterns_) {
        const LectureChange change{course, fromPeriod, fromRoom, toPeriod, toRoom};
        cost += patterns_->costOf({&change, 1});
    }
    if (ownRules_ && fromPeriod != toPeriod) {
        const LectureChange change{course, fromPeriod, fromRoom, toPeriod, toRoom};
        cost += ownRules_->costOf({&change, 1});
    }
    return cost;
}

std::int64_t SearchState::swapCost(int lectureA, int lectureB) {
    const int courseA = courseOf(lectureA);
    const int courseB = courseOf(lectureB);
    const int periodA = periodOf_[static_cast<std::size_t>(lectureA)];
    const int periodB = periodOf_[static_cast<std::size_t>(lectureB)];
    const int roomA = roomOf_[static_cast<std::size_t>(lectureA)];
    const int roomB = roomOf_[static_cast<std::size_t>(lectureB)];
    int cost = 0;
    if (roomA != roomB) {
        cost += roomCost(courseA, roomB) - roomCost(courseA, roomA);
        cost += roomCost(courseB, roomA) - roomCost(courseB, roomB);
        cost += stabilityCost(courseA, roomA, roomB) + stabilityCost(courseB, roomB, roomA);
    }
    if (periodA != periodB) {
        cost += workingDaysCost(courseA, periodA, periodB) + workingDaysCost(courseB, periodB, periodA);
        if (patterns_) {
            // Counted below, together with the effects of the rooms.
        } else if (problem_.areInConflict(courseA, courseB)) {
            cost += compactnessCostWithout(courseA, courseB, periodA, periodB);
            cost += compactnessCostWithout(courseB, courseA, periodB, periodA);
        } else {
            cost += compactnessCost(courseA, periodA, periodB) + compactnessCost(courseB, periodB, periodA);
        }
    }
    if (patterns_) {
        const std::array<LectureChange, 2> changes{{{courseA, periodA, roomA, periodB, roomB}, {courseB, periodB, roomB, periodA, roomA}}};
        cost += patterns_->costOf(changes);
    }
    if (ownRules_ && periodA != periodB) {
        const std::array<LectureChange, 2> changes{{{courseA, periodA, roomA, periodB, roomB}, {courseB, periodB, roomB, periodA, roomA}}};
        cost += ownRules_->costOf(changes);
    }
    return cost;
}

Displacement SearchState::moveDisplacement(int lecture, int slot) const {
    if (!published_) return {};
    const int toPeriod = problem_.periodOfSlot(slot);
    Displacement change = published_->displacementAt(courseOf(lecture), toPeriod, slot - toPeriod * problem_.roomCount());
    change -= displacementOf(lecture);
    return change;
}

Displacement SearchState::swapDisplacement(int lectureA, int lectureB) const {
    Displacement change = moveDisplacement(lectureA, slotOf(lectureB));
    change += moveDisplacement(lectureB, slotOf(lectureA));
    return change;
}

void SearchState::move(int lecture, int slot, const Delta& delta) {
    if (published_) displacement_ -= displacementOf(lecture);
    leave(lecture);
    put(lecture, slot);
    if (published_) noteDisplacement(lecture);
    conflicts_ += delta.conflicts;
    cost_ += delta.cost;
}

void SearchState::swap(int lectureA, int lectureB, const Delta& delta) {
    const int slotA = slotOf(lectureA);
    const int slotB = slotOf(lectureB);
    if (published_) {
        displacement_ -= displacementOf(lectureA);
        displacement_ -= displacementOf(lectureB);
    }
    leave(lectureA);
    leave(lectureB);
    put(lectureA, slotB);
    put(lectureB, slotA);
    if (published_) {
        noteDisplacement(lectureA);
        noteDisplacement(lectureB);
    }
    conflicts_ += delta.conflicts;
    cost_ += delta.cost;
}

}    // namespace timetabling::curriculum
