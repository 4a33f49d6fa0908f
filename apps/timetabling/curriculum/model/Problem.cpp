#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <ferry/apps/timetabling/curriculum/model/PinBoard.hpp>
#include <ferry/apps/timetabling/model/CheckCount.hpp>

namespace timetabling::curriculum {

namespace {

void checkCourses(const Instance& instance) {
    std::int64_t lectureCount = 0;
    for (const Course& course : instance.courses) {
        checkCount("lectures of a course", course.lectureCount, 0, limits::LecturesPerCourse);
        checkCount("minimum of working days", course.minWorkingDays, 0, limits::LecturesPerCourse);
        checkCount("students of a course", course.studentCount, 0, limits::PeopleOrSeats);
        lectureCount += course.lectureCount;
    }
    checkCount("lectures", lectureCount, 1, limits::LectureCount);
}

void checkCurricula(const Instance& instance) {
    const std::int64_t lastCourse = static_cast<std::int64_t>(instance.courses.size()) - 1;
    std::int64_t pairCount = 0;
    for (const Curriculum& curriculum : instance.curricula) {
        for (const int course : curriculum.courses) checkCount("course of a curriculum", course, 0, lastCourse);
        const std::int64_t memberCount = static_cast<std::int64_t>(curriculum.courses.size());
        checkCount("courses of a curriculum", memberCount, 0, lastCourse + 1);
        pairCount += memberCount * memberCount;
        checkCount("pairs of courses in the curricula", pairCount, 0, limits::CoursePairs);
    }
}

/// Checks the members that matter to some formulations only.
void checkExtensions(const Instance& instance) {
    const auto lastRoom = static_cast<std::int64_t>(instance.rooms.size()) - 1;
    const auto lastCourse = static_cast<std::int64_t>(instance.courses.size()) - 1;
    checkCount("formulation", static_cast<std::int64_t>(instance.formulation), 0, static_cast<std::int64_t>(AllFormulations.size()) - 1);
    checkCount("least daily lectures", instance.minDailyLectures, 0, limits::PeriodsPerDay);
    checkCount("most daily lectures", instance.maxDailyLectures, instance.minDailyLectures, limits::LecturesPerCourse);
    for (const Room& room : instance.rooms) checkCount("building of a room", room.building, 0, lastRoom);
    if (instance.weights.value_or(weightsOf(instance.formulation)).travelDistance > 0) {
        int buildingCount = 1;
        for (const Room& room : instance.rooms) buildingCount = std::max(buildingCount, room.building + 1);
        const auto curriculumPeriods = static_cast<std::int64_t>(instance.curricula.size()) * instance.dayCount * instance.periodsPerDay;
        checkCount("curricula x periods x buildings", curriculumPeriods * buildingCount, 0, limits::TableCells);
    }
    for (const RoomConstraint& constraint : instance.roomConstraints) {
        checkCount("course of a room constraint", constraint.course, 0, lastCourse);
        checkCount("room of a room constraint", constraint.room, 0, lastRoom);
    }
}

void checkWeights(const Weights& weights) {
    for (const int weight :
         {weights.roomCapacity, weights.minWorkingDays, weights.compactness, weights.roomStability, weights.windows, weights.dailyLoad,
          weights.travelDistance, weights.doubleLectures, weights.roomSuitability, weights.teacherGaps, weights.teacherDays,
          weights.teacherLoad, weights.teacherRow, weights.teacherLunch, weights.lectureOrder, weights.weeklyTime, weights.studentClashes})
        checkCount("weight of a constraint", weight, 0, limits::Weight);
}

/// Checks what only tables hold.
void checkTables(const Instance& instance) {
    const auto lastRoom = static_cast<std::int64_t>(instance.rooms.size()) - 1;
    for (const RoomClosing& closed : instance.roomClosings) {
        checkCount("room that is closed", closed.room, 0, lastRoom);
        checkCount("day of a closed room", closed.day, 0, instance.dayCount - 1);
        checkCount("period of a closed room", closed.periodOfDay, 0, instance.periodsPerDay - 1);
    }
    const auto checkNames = [](const char* what, std::size_t found, int expected) {
        if (found > 0) checkCount(what, static_cast<std::int64_t>(found), expected, expected);
    };
    checkNames("names of days", instance.names.days.size(), instance.dayCount);
    checkNames("offsets of days", instance.names.offsets.size(), instance.dayCount);
    checkNames("names of periods", instance.names.periods.size(), instance.periodsPerDay);
    for (const int offset : instance.names.offsets) checkCount("offset of a day", offset, 0, limits::DayCount);
    for (const Course& course : instance.courses)
        checkCount("teachers of a course", static_cast<std::int64_t>(course.otherTeachers.size()), 0, limits::TeachersPerCourse);
    checkCount("lectures of a timetable of the rest", static_cast<std::int64_t>(instance.rest.size()), 0, limits::LectureCount);
    const auto lastCourse = static_cast<std::int64_t>(instance.courses.size()) - 1;
    checkCount("orders of courses", static_cast<std::int64_t>(instance.orders.size()), 0, limits::OrderCount);
    for (const CourseOrder& order : instance.orders) {
        checkCount("earlier course of an order", order.before, 0, lastCourse);
        checkCount("later course of an order", order.after, 0, lastCourse);
    }
    checkCount("students", static_cast<std::int64_t>(instance.students.size()), 0, limits::PeopleOrSeats);
    std::int64_t pairCount = 0;
    for (const Student& student : instance.students) {
        for (const int course : student.courses) checkCount("course of a student", course, 0, lastCourse);
        pairCount += static_cast<std::int64_t>(student.courses.size()) * static_cast<std::int64_t>(student.courses.size());
        checkCount("pairs of courses of students", pairCount, 0, limits::CoursePairs);
        const bool isSorted =
            std::adjacent_find(student.courses.begin(), student.courses.end(), std::greater_equal<>()) == student.courses.end();
        if (!isSorted) throw std::invalid_argument("the courses of a student have to be in order, each once");
    }
    for (const int period : instance.lunchPeriods) checkCount("period for lunch", period, 0, instance.periodsPerDay - 1);
    for (const TeacherLimits& of : instance.teacherLimits) {
        checkCount("most days of a teacher", of.mostDays, 0, limits::DayCount);
        checkCount("most lectures of a teacher on a day", of.mostDaily, 0, limits::LecturesPerCourse);
        checkCount("most lectures of a teacher in a row", of.mostInARow, 1, limits::LecturesPerCourse);
    }
    if (instance.weights) checkWeights(*instance.weights);
}

/// Checks the indices only. A PinBoard checks the contents of pins.
void checkPublished(const Instance& instance) {
    const auto lastCourse = static_cast<std::int64_t>(instance.courses.size()) - 1;
    const auto lastRoom = static_cast<std::int64_t>(instance.rooms.size()) - 1;
    const std::int64_t lastPeriod = std::int64_t{instance.dayCount} * instance.periodsPerDay - 1;
    const Published& published = instance.published;
    checkCount("published lectures", static_cast<std::int64_t>(published.lectures.size()), 0, limits::LectureCount);
    checkCount("pins", static_cast<std::int64_t>(published.pins.size()), 0, limits::LectureCount);
    if (published.keepWeight) checkCount("weight of a lecture that is moved", *published.keepWeight, 0, limits::PeopleOrSeats);
    for (const PublishedLecture& lecture : published.lectures) {
        checkCount("course of a published lecture", lecture.course, 0, lastCourse);
        checkCount("period of a published lecture", lecture.period, -1, lastPeriod);
        checkCount("room of a published lecture", lecture.room, -1, lastRoom);
    }
    for (const Pin& pin : published.pins) {
        checkCount("course of a pin", pin.course, 0, lastCourse);
        checkCount("period of a pin", pin.period, 0, lastPeriod);
        checkCount("room of a pin", pin.room, -1, lastRoom);
    }
}

}    // namespace

void checkInstance(const Instance& instance) {
    checkCount("days", instance.dayCount, 1, limits::DayCount);
    checkCount("periods per day", instance.periodsPerDay, 1, limits::PeriodsPerDay);
    const std::int64_t periodCount = std::int64_t{instance.dayCount} * instance.periodsPerDay;
    const auto courseCount = static_cast<std::int64_t>(instance.courses.size());
    const auto roomCount = static_cast<std::int64_t>(instance.rooms.size());
    const auto curriculumCount = static_cast<std::int64_t>(instance.curricula.size());
    checkCount("courses", courseCount, 1, limits::CourseCount);
    checkCount("rooms", roomCount, 1, limits::RoomCount);
    checkCount("curricula", curriculumCount, 0, limits::CurriculumCount);
    checkCount("courses x periods", courseCount * periodCount, 1, limits::TableCells);
    checkCount("courses x rooms", courseCount * roomCount, 1, limits::TableCells);
    checkCount("rooms x periods", roomCount * periodCount, 1, limits::TableCells);
    checkCount("curricula x periods", curriculumCount * periodCount, 0, limits::TableCells);
    checkCourses(instance);
    checkCurricula(instance);
    for (const Room& room : instance.rooms) checkCount("seats of a room", room.seatCount, 0, limits::PeopleOrSeats);
    for (const Unavailability& closed : instance.unavailabilities) {
        checkCount("course of an unavailability", closed.course, 0, courseCount - 1);
        checkCount("day of an unavailability", closed.day, 0, instance.dayCount - 1);
        checkCount("period of an unavailability", closed.periodOfDay, 0, instance.periodsPerDay - 1);
    }
    checkTables(instance);
    checkExtensions(instance);
    checkPublished(instance);
}

Problem::Problem(Instance instance) : instance_(std::move(instance)) {
    checkInstance(instance_);
    numberLectures();
    findTeachers();
    findAvailability();
    findRooms();
    findConflicts();
    weights_ = instance_.weights.value_or(weightsOf(instance_.formulation));
    // Hard capacity becomes hard suitability. Rooms that do not suit for other reasons count only where suitability is hard itself.
    const bool countsSuitability = weights_.isRoomSuitabilityHard || !instance_.isRoomCapacityHard;
    if (instance_.isRoomCapacityHard) weights_.isRoomSuitabilityHard = true;
    isSuitable_.assign(instance_.courses.size() * instance_.rooms.size(), true);
    for (const auto& [course, room] : instance_.roomConstraints) {
        if (!countsSuitability) break;
        isSuitable_[static_cast<std::size_t>(course) * instance_.rooms.size() + static_cast<std::size_t>(room)] = false;
    }
    for (int course = 0; instance_.isRoomCapacityHard && course < courseCount(); ++course) {
        for (int room = 0; room < roomCount(); ++room) {
            if (missingSeats(course, room) > 0)
                isSuitable_[static_cast<std::size_t>(course) * instance_.rooms.size() + static_cast<std::size_t>(room)] = false;
        }
    }
    if (hasPins()) findPins();
    if (!instance_.published.lectures.empty()) published_.emplace(instance_, weights_);
}

void Problem::findPins() {
    PinBoard board(*this);
    std::vector<Pin>& pins = instance_.published.pins;
    for (const Pin& pin : pins) {
        if (const auto contradiction = board.add(pin)) throw std::invalid_argument(*contradiction);
    }
    std::sort(pins.begin(), pins.end(), [](const Pin& a, const Pin& b) {
        return std::tuple(a.course, a.room < 0, a.period) < std::tuple(b.course, b.room < 0, b.period);
    });
    pinOfLecture_.assign(courseOfLecture_.size(), -1);
    std::vector<int> nextLecture = firstLecture_;
    for (std::size_t pin = 0; pin < pins.size(); ++pin) {
        const int lecture = nextLecture[static_cast<std::size_t>(pins[pin].course)]++;
        pinOfLecture_[static_cast<std::size_t>(lecture)] = static_cast<int>(pin);
    }
}

void Problem::numberLectures() {
    for (int course = 0; course < courseCount(); ++course) {
        firstLecture_.push_back(lectureCount());
        courseOfLecture_.insert(courseOfLecture_.end(), static_cast<std::size_t>(this->course(course).lectureCount), course);
    }
}

void Problem::findTeachers() {
    std::unordered_map<std::string, int> numberOfTeacher;
    std::vector<std::vector<int>> ofCourse(instance_.courses.size());
    for (int course = 0; course < courseCount(); ++course) {
        std::vector<std::string> ids{this->course(course).teacher};
        for (const std::string& other : this->course(course).otherTeachers) ids.push_back(other);
        for (const std::string& id : ids) {
            const auto [found, isNew] = numberOfTeacher.try_emplace(id, static_cast<int>(teachers_.size()));
            if (isNew) teachers_.push_back(Teacher{id, {}});
            std::vector<int>& numbers = ofCourse[static_cast<std::size_t>(course)];
            if (std::find(numbers.begin(), numbers.end(), found->second) != numbers.end()) continue;
            numbers.push_back(found->second);
            teachers_[static_cast<std::size_t>(found->second)].courses.push_back(course);
        }
    }
    teachersOfCourse_ = IndexLists(ofCourse);
}

void Problem::findAvailability() {
    const auto periods = static_cast<std::size_t>(periodCount());
    isAvailable_.assign(instance_.courses.size() * periods, true);
    for (const Unavailability& closed : instance_.unavailabilities) {
        const int period = closed.day * instance_.periodsPerDay + closed.periodOfDay;
        isAvailable_[static_cast<std::size_t>(closed.course) * periods + static_cast<std::size_t>(period)] = false;
    }
    std::vector<std::vector<int>> available(instance_.courses.size());
    for (int course = 0; course < courseCount(); ++course) {
        for (int period = 0; period < periodCount(); ++period) {
            if (isAvailable(course, period)) available[static_cast<std::size_t>(course)].push_back(period);
        }
    }
    availablePeriods_ = IndexLists(available);
}

void Problem::findRooms() {
    if (instance_.roomClosings.empty()) return;
    closedSlots_.assign(static_cast<std::size_t>(slotCount()), false);
    openRooms_.assign(static_cast<std::size_t>(periodCount()), roomCount());
    for (const RoomClosing& closed : instance_.roomClosings) {
        const int period = closed.day * instance_.periodsPerDay + closed.periodOfDay;
        const auto slot = static_cast<std::size_t>(slotOf(period, closed.room));
        if (!closedSlots_[slot]) --openRooms_[static_cast<std::size_t>(period)];
        closedSlots_[slot] = true;
    }
}

int Problem::openSlotCount() const {
    int count = 0;
    for (int period = 0; period < periodCount(); ++period) count += openRooms(period);
    return count;
}

std::string Problem::periodText(int period) const {
    return instance_.names.day(dayOf(period)) + " " + instance_.names.period(periodOfDay(period));
}

std::string teachersText(const Course& course) {
    std::string text = course.teacher;
    for (const std::string& other : course.otherTeachers) text += "; " + other;
    return text;
}

void Problem::findConflicts() {
    const std::size_t courses = instance_.courses.size();
    conflictBits_.assign((courses * courses + 63) / 64, 0);
    const auto markAllPairs = [&](const std::vector<int>& group) {
        for (const int courseA : group) {
            for (const int courseB : group) {
                const std::size_t bit = static_cast<std::size_t>(courseA) * courses + static_cast<std::size_t>(courseB);
                if (courseA != courseB) conflictBits_[bit / 64] |= std::uint64_t{1} << (bit % 64);
            }
        }
    };
    for (const Teacher& teacher : teachers_) markAllPairs(teacher.courses);

    std::vector<std::vector<int>> curricula(courses);
    for (int curriculum = 0; curriculum < curriculumCount(); ++curriculum) {
        std::vector<int>& members = instance_.curricula[static_cast<std::size_t>(curriculum)].courses;
        std::sort(members.begin(), members.end());
        members.erase(std::unique(members.begin(), members.end()), members.end());
        markAllPairs(members);
        for (const int course : members) curricula[static_cast<std::size_t>(course)].push_back(curriculum);
    }
    curriculaOfCourse_ = IndexLists(curricula);

    std::vector<std::vector<int>> conflicting(courses);
    for (int courseA = 0; courseA < courseCount(); ++courseA) {
        for (int courseB = 0; courseB < courseCount(); ++courseB) {
            if (areInConflict(courseA, courseB)) conflicting[static_cast<std::size_t>(courseA)].push_back(courseB);
        }
    }
    conflictingCourses_ = IndexLists(conflicting);
}

}    // namespace timetabling::curriculum
