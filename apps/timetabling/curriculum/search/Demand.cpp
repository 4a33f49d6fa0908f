#include <ferry/apps/timetabling/curriculum/search/Demand.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace timetabling::curriculum {

namespace {

/// Which demands are there, by kind and index.
class Chosen {
public:
    Chosen(const Problem& problem, const std::vector<Demand>& demands) {
        const std::size_t mostIndices =
            std::max({problem.instance().courses.size(), problem.teachers().size(), problem.instance().curricula.size()});
        for (std::vector<bool>& ofKind : isChosen_) ofKind.resize(mostIndices);
        for (const Demand& demand : demands) isChosen_[static_cast<std::size_t>(demand.kind)][indexOf(demand)] = true;
    }

    bool has(const Demand& demand) const { return isChosen_[static_cast<std::size_t>(demand.kind)][indexOf(demand)]; }
    bool hasCourse(int course) const { return has({Demand::Kind::Lectures, course}); }

private:
    static std::size_t indexOf(const Demand& demand) { return static_cast<std::size_t>(std::max(demand.index, 0)); }

    std::array<std::vector<bool>, Demand::kindCount> isChosen_;
};

/// By course: its number in a problem with these demands only, -1 for none.
std::vector<int> numberCourses(const Problem& problem, const Chosen& chosen) {
    std::vector<int> numbers;
    int next = 0;
    for (int course = 0; course < problem.courseCount(); ++course) numbers.push_back(chosen.hasCourse(course) ? next++ : -1);
    return numbers;
}

std::vector<int> renumbered(std::span<const int> courses, const std::vector<int>& numbers) {
    std::vector<int> kept;
    for (const int course : courses) {
        if (const int number = numbers[static_cast<std::size_t>(course)]; number >= 0) kept.push_back(number);
    }
    return kept;
}

/// The names of those that are among the demands; the first of many.
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
    const std::vector<int> numbers = numberCourses(problem, chosen);
    Instance part;
    part.name = whole.name;
    part.dayCount = whole.dayCount;
    part.periodsPerDay = whole.periodsPerDay;
    part.formulation = whole.formulation;
    part.rooms = whole.rooms;
    for (int course = 0; course < problem.courseCount(); ++course) {
        if (numbers[static_cast<std::size_t>(course)] < 0) continue;
        part.courses.push_back(problem.course(course));
        // No name in a file has an end of a line: one that nobody else has.
        if (!chosen.has({Demand::Kind::Teacher, problem.teacherOf(course)})) part.courses.back().teacher = fmt::format("\n{}", course);
    }
    for (const Demand& demand : demands) {
        if (demand.kind != Demand::Kind::Curriculum) continue;
        const Curriculum& curriculum = problem.curriculum(demand.index);
        if (std::vector<int> courses = renumbered(curriculum.courses, numbers); courses.size() > 1)
            part.curricula.push_back({curriculum.id, std::move(courses)});
    }
    for (Unavailability closed : whole.unavailabilities) {
        if (!chosen.has({Demand::Kind::Closures, closed.course})) continue;
        closed.course = numbers[static_cast<std::size_t>(closed.course)];
        if (closed.course >= 0) part.unavailabilities.push_back(closed);
    }
    for (RoomConstraint unsuitable : whole.roomConstraints) {
        if (!chosen.has({Demand::Kind::Suitability, unsuitable.course})) continue;
        unsuitable.course = numbers[static_cast<std::size_t>(unsuitable.course)];
        if (unsuitable.course >= 0) part.roomConstraints.push_back(unsuitable);
    }
    if (!chosen.has({Demand::Kind::Rooms})) {
        const std::size_t most = static_cast<std::size_t>(limits::RoomCount);
        part.rooms.resize(std::min(most, part.rooms.size() + part.courses.size()));
    }
    return Problem(std::move(part));
}

std::string describe(const Problem& problem, const Demand& demand, const std::vector<Demand>& demands) {
    const Chosen chosen(problem, demands);
    switch (demand.kind) {
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
            return fmt::format("there {} {} room{}", problem.roomCount() == 1 ? "is" : "are", problem.roomCount(),
                               problem.roomCount() == 1 ? "" : "s");
    }
    return {};
}

}    // namespace timetabling::curriculum
