#include <ferry/apps/timetabling/curriculum/search/Demand.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/apps/timetabling/curriculum/model/wording.hpp>

namespace timetabling::curriculum {

namespace {

const std::vector<Pin>& pinsOf(const Problem& problem) { return problem.instance().published.pins; }

/// A set of demands, indexed by kind and index.
class Chosen {
public:
    Chosen(const Problem& problem, const std::vector<Demand>& demands) {
        const std::size_t mostIndices = std::max(
            {problem.instance().courses.size(), problem.teachers().size(), problem.instance().curricula.size(), pinsOf(problem).size()});
        for (std::vector<bool>& ofKind : isChosen_) ofKind.resize(mostIndices);
        hasCourse_.resize(mostIndices);
        for (const Demand& demand : demands) {
            isChosen_[static_cast<std::size_t>(demand.kind)][indexOf(demand)] = true;
            if (demand.kind == Demand::Kind::Lectures) hasCourse_[indexOf(demand)] = true;
            if (demand.kind == Demand::Kind::Pin) hasCourse_[static_cast<std::size_t>(pinsOf(problem)[indexOf(demand)].course)] = true;
        }
    }

    bool has(const Demand& demand) const { return isChosen_[static_cast<std::size_t>(demand.kind)][indexOf(demand)]; }
    bool hasLectures(int course) const { return has({Demand::Kind::Lectures, course}); }
    bool hasPin(std::size_t pin) const { return has({Demand::Kind::Pin, static_cast<int>(pin)}); }
    /// Whether the set has the lectures of the course, or one of its pins.
    bool hasCourse(int course) const { return hasCourse_[static_cast<std::size_t>(course)]; }

private:
    static std::size_t indexOf(const Demand& demand) { return static_cast<std::size_t>(std::max(demand.index, 0)); }

    std::array<std::vector<bool>, Demand::kindCount> isChosen_;
    std::vector<bool> hasCourse_;    ///< indexed by course
};

/// Returns the origins of the courses in a problem with these demands: first the courses with their lectures, then one course for each
/// pin.
std::vector<CourseOrigin> originsOf(const Problem& problem, const Chosen& chosen) {
    std::vector<CourseOrigin> origins;
    for (int course = 0; course < problem.courseCount(); ++course) {
        if (chosen.hasLectures(course)) origins.push_back({course});
    }
    for (std::size_t pin = 0; pin < pinsOf(problem).size(); ++pin) {
        if (chosen.hasPin(pin)) origins.push_back({pinsOf(problem)[pin].course, static_cast<int>(pin)});
    }
    return origins;
}

/// Returns, for each course, its numbers in a problem with these origins.
std::vector<std::vector<int>> numbersOf(const Problem& problem, const std::vector<CourseOrigin>& origins) {
    std::vector<std::vector<int>> numbers(static_cast<std::size_t>(problem.courseCount()));
    for (std::size_t number = 0; number < origins.size(); ++number)
        numbers[static_cast<std::size_t>(origins[number].course)].push_back(static_cast<int>(number));
    return numbers;
}

std::vector<int> renumbered(std::span<const int> courses, const std::vector<std::vector<int>>& numbers) {
    std::vector<int> kept;
    for (const int course : courses) {
        const std::vector<int>& ofCourse = numbers[static_cast<std::size_t>(course)];
        kept.insert(kept.end(), ofCourse.begin(), ofCourse.end());
    }
    return kept;
}

/// Returns the course without its pinned lectures. When the origin is a pin, returns a course with this one lecture.
Course courseOf(const Problem& problem, const CourseOrigin& origin, std::size_t numbers, const Chosen& chosen) {
    Course course = problem.course(origin.course);
    if (origin.pin >= 0) {
        course.id += " (pinned)";
        course.lectureCount = 1;
    } else {
        course.lectureCount -= static_cast<int>(numbers) - 1;
    }
    // Names in a file never contain an end of line, so no other teacher has this name.
    course.teacher = fmt::format("\n{}", origin.course);
    course.otherTeachers.clear();
    for (const int teacher : problem.teachersOf(origin.course)) {
        if (chosen.has({Demand::Kind::Teacher, teacher}))
            course.otherTeachers.push_back(problem.teachers()[static_cast<std::size_t>(teacher)].id);
    }
    if (course.otherTeachers.empty()) return course;
    course.teacher = course.otherTeachers.front();
    course.otherTeachers.erase(course.otherTeachers.begin());
    return course;
}

/// Closes periods according to the pins. A pinned lecture is in its period, and the other lectures of its course are not.
void closeByPins(const Problem& problem, const std::vector<CourseOrigin>& origins, const std::vector<std::vector<int>>& numbers,
                 Instance& part) {
    const auto close = [&](int course, int period) {
        part.unavailabilities.push_back({course, problem.dayOf(period), problem.periodOfDay(period)});
    };
    for (std::size_t number = 0; number < origins.size(); ++number) {
        if (origins[number].pin < 0) continue;
        const Pin& pin = pinsOf(problem)[static_cast<std::size_t>(origins[number].pin)];
        for (int period = 0; period < problem.periodCount(); ++period) {
            if (period != pin.period) close(static_cast<int>(number), period);
        }
        for (const int other : numbers[static_cast<std::size_t>(pin.course)]) {
            if (origins[static_cast<std::size_t>(other)].pin < 0) close(other, pin.period);
        }
        if (pin.room < 0 || !problem.weights().isRoomSuitabilityHard) continue;
        for (int room = 0; room < problem.roomCount(); ++room) {
            if (room != pin.room) part.roomConstraints.push_back({static_cast<int>(number), room});
        }
    }
}

/// Returns the names of the courses that are among the demands. A long list is cut.
std::string namesOf(const Problem& problem, std::span<const int> courses, const Chosen& chosen) {
    constexpr std::size_t mostNames = 8;
    std::vector<std::string> names;
    for (const int course : courses) {
        if (chosen.hasCourse(course)) names.push_back(problem.course(course).id);
    }
    if (names.size() <= mostNames) return fmt::format("{}", fmt::join(names, ", "));
    const std::size_t more = names.size() - mostNames;
    names.resize(mostNames);
    return fmt::format("{} and {} more", fmt::join(names, ", "), more);
}

std::string suitableRooms(const Problem& problem, int course) {
    std::vector<std::string> rooms;
    for (int room = 0; room < problem.roomCount(); ++room) {
        if (problem.isSuitable(course, room)) rooms.push_back(problem.room(room).id);
    }
    if (rooms.empty()) return fmt::format("no room suits course {}", problem.course(course).id);
    return fmt::format("course {} needs a room of {}", problem.course(course).id, fmt::join(rooms, ", "));
}

template <class Group>
bool isShared(const Group& group, const Chosen& chosen) {
    return std::count_if(group.courses.begin(), group.courses.end(), [&](int course) { return chosen.hasCourse(course); }) > 1;
}

}    // namespace

std::vector<Demand> demandsOn(const Problem& problem, const std::vector<int>& courses) {
    std::vector<Demand> demands;
    std::vector<bool> isAsked(static_cast<std::size_t>(problem.courseCount()), false);
    for (const int course : courses) isAsked[static_cast<std::size_t>(course)] = true;
    for (std::size_t pin = 0; pin < pinsOf(problem).size(); ++pin) {
        if (isAsked[static_cast<std::size_t>(pinsOf(problem)[pin].course)]) demands.push_back({Demand::Kind::Pin, static_cast<int>(pin)});
    }
    for (const int course : courses) demands.push_back({Demand::Kind::Lectures, course});
    const Chosen chosen(problem, demands);
    if (problem.weights().isRoomSuitabilityHard) {
        for (const int course : courses) demands.push_back({Demand::Kind::Suitability, course});
    }
    for (int curriculum = 0; curriculum < problem.curriculumCount(); ++curriculum) {
        if (isShared(problem.curriculum(curriculum), chosen)) demands.push_back({Demand::Kind::Curriculum, curriculum});
    }
    for (const int course : courses) {
        if (static_cast<int>(problem.availablePeriods(course).size()) < problem.periodCount())
            demands.push_back({Demand::Kind::Closures, course});
    }
    for (int teacher = 0; teacher < static_cast<int>(problem.teachers().size()); ++teacher) {
        if (isShared(problem.teachers()[static_cast<std::size_t>(teacher)], chosen)) demands.push_back({Demand::Kind::Teacher, teacher});
    }
    demands.push_back({Demand::Kind::Rooms});
    return demands;
}

Problem problemWith(const Problem& problem, const std::vector<Demand>& demands) {
    const Instance& whole = problem.instance();
    const Chosen chosen(problem, demands);
    const std::vector<CourseOrigin> origins = originsOf(problem, chosen);
    const std::vector<std::vector<int>> numbers = numbersOf(problem, origins);
    Instance part;
    part.name = whole.name;
    part.dayCount = whole.dayCount;
    part.periodsPerDay = whole.periodsPerDay;
    part.formulation = whole.formulation;
    part.weights = whole.weights;
    part.names = whole.names;
    part.rooms = whole.rooms;
    for (const CourseOrigin& origin : origins)
        part.courses.push_back(courseOf(problem, origin, numbers[static_cast<std::size_t>(origin.course)].size(), chosen));
    for (const Demand& demand : demands) {
        if (demand.kind != Demand::Kind::Curriculum) continue;
        const Curriculum& curriculum = problem.curriculum(demand.index);
        if (std::vector<int> courses = renumbered(curriculum.courses, numbers); courses.size() > 1)
            part.curricula.push_back({curriculum.id, std::move(courses)});
    }
    for (const Unavailability& closed : whole.unavailabilities) {
        if (!chosen.has({Demand::Kind::Closures, closed.course})) continue;
        for (const int course : numbers[static_cast<std::size_t>(closed.course)])
            part.unavailabilities.push_back({course, closed.day, closed.periodOfDay});
    }
    for (const RoomConstraint& unsuitable : whole.roomConstraints) {
        if (!chosen.has({Demand::Kind::Suitability, unsuitable.course})) continue;
        for (const int course : numbers[static_cast<std::size_t>(unsuitable.course)])
            part.roomConstraints.push_back({course, unsuitable.room});
    }
    closeByPins(problem, origins, numbers, part);
    // Capacity that is a hard constraint is part of the suitability of the rooms.
    for (int course = 0; whole.isRoomCapacityHard && course < problem.courseCount(); ++course) {
        if (!chosen.has({Demand::Kind::Suitability, course})) continue;
        for (int room = 0; room < problem.roomCount(); ++room) {
            if (problem.missingSeats(course, room) == 0) continue;
            for (const int number : numbers[static_cast<std::size_t>(course)]) part.roomConstraints.push_back({number, room});
        }
    }
    if (whole.isRoomCapacityHard) {
        part.weights = problem.weights();
    }
    if (chosen.has({Demand::Kind::Rooms})) part.roomClosings = whole.roomClosings;
    if (!chosen.has({Demand::Kind::Rooms})) {
        const std::size_t most = static_cast<std::size_t>(limits::RoomCount);
        part.rooms.resize(std::min(most, part.rooms.size() + part.courses.size()));
    }
    return Problem(std::move(part));
}

std::vector<CourseOrigin> originsOf(const Problem& problem, const std::vector<Demand>& demands) {
    return originsOf(problem, Chosen(problem, demands));
}

std::string describe(const Problem& problem, const Demand& demand, const std::vector<Demand>& demands) {
    const Chosen chosen(problem, demands);
    switch (demand.kind) {
        case Demand::Kind::Pin: {
            const Pin& pin = pinsOf(problem)[static_cast<std::size_t>(demand.index)];
            return fmt::format("pinned: course {} {}{}", problem.course(pin.course).id, when(problem, pin.period),
                               pin.room < 0 ? "" : " in room " + problem.room(pin.room).id);
        }
        case Demand::Kind::Lectures: {
            const Course& course = problem.course(demand.index);
            return fmt::format("course {} has {} lecture{}", course.id, course.lectureCount, course.lectureCount == 1 ? "" : "s");
        }
        case Demand::Kind::Suitability: return suitableRooms(problem, demand.index);
        case Demand::Kind::Curriculum: {
            const Curriculum& curriculum = problem.curriculum(demand.index);
            return fmt::format("curriculum {} has courses {}", curriculum.id, namesOf(problem, curriculum.courses, chosen));
        }
        case Demand::Kind::Closures:
            return fmt::format("{} of {} periods are open to course {}", problem.availablePeriods(demand.index).size(),
                               problem.periodCount(), problem.course(demand.index).id);
        case Demand::Kind::Teacher: {
            const Teacher& teacher = problem.teachers()[static_cast<std::size_t>(demand.index)];
            return fmt::format("teacher {} teaches courses {}", teacher.id, namesOf(problem, teacher.courses, chosen));
        }
        case Demand::Kind::Rooms:
            return fmt::format("there {} {} room{}{}", problem.roomCount() == 1 ? "is" : "are", problem.roomCount(),
                               problem.roomCount() == 1 ? "" : "s", problem.hasClosedRooms() ? ", of which some are closed at times" : "");
    }
    return {};
}

}    // namespace timetabling::curriculum
