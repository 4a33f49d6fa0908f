#include <ferry/apps/timetabling/sectioning/model/Solution.hpp>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include <fmt/format.h>

#include <ferry/apps/timetabling/model/CheckCount.hpp>

namespace timetabling::sectioning {

namespace {

std::int64_t slotCountOf(const Class& one) {
    return static_cast<std::int64_t>(one.times.size()) * static_cast<std::int64_t>(std::max<std::size_t>(1, one.rooms.size()));
}

/// Whether the classes are one of each subpart of their configuration, in order, each with its parent.
bool isSection(const Problem& problem, const std::vector<int>& classes, int course) {
    if (classes.empty() || problem.courseOf(classes.front()) != course) return false;
    const std::vector<int>& subparts = problem.subpartsOf(problem.configOf(classes.front()));
    if (classes.size() != subparts.size()) return false;
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const Class& one = problem.classAt(classes[i]);
        if (one.subpart != subparts[i]) return false;
        if (one.parent >= 0 && std::find(classes.begin(), classes.end(), one.parent) == classes.end()) return false;
    }
    return true;
}

}    // namespace

std::vector<Place> placesOf(const Problem& problem, const Solution& solution) {
    std::vector<Place> places(solution.times.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Class& one = problem.classAt(static_cast<int>(i));
        places[i].isPlaced = solution.times[i] >= 0;
        if (places[i].isPlaced) places[i].span = one.times[static_cast<std::size_t>(solution.times[i])].span;
        if (solution.rooms[i] >= 0) places[i].room = one.rooms[static_cast<std::size_t>(solution.rooms[i])].room;
    }
    return places;
}

std::vector<std::vector<int>> studentsOfClasses(const Problem& problem, const Solution& solution) {
    std::vector<std::vector<int>> students(static_cast<std::size_t>(problem.classCount()));
    for (std::size_t student = 0; student < solution.classesOfStudents.size(); ++student) {
        for (const int index : solution.classesOfStudents[student])
            students[static_cast<std::size_t>(index)].push_back(static_cast<int>(student));
    }
    return students;
}

std::vector<int> sectionOf(const Problem& problem, const Request& request, const std::vector<int>& classesOfStudent) {
    std::vector<int> classes;
    for (const int index : classesOfStudent) {
        if (problem.courseOf(index) == request.course) classes.push_back(index);
    }
    const auto position = [&problem](int index) {
        const std::vector<int>& subparts = problem.subpartsOf(problem.configOf(index));
        return std::find(subparts.begin(), subparts.end(), problem.classAt(index).subpart) - subparts.begin();
    };
    std::stable_sort(classes.begin(), classes.end(), [&position](int one, int other) { return position(one) < position(other); });
    if (!isSection(problem, classes, request.course)) classes.clear();
    return classes;
}

Slots toSlots(const Problem& problem, const Solution& solution) {
    Slots slots;
    slots.reserve(static_cast<std::size_t>(problem.classCount() + problem.entryCount()));
    for (int i = 0; i < problem.classCount(); ++i) {
        const auto index = static_cast<std::size_t>(i);
        const Class& one = problem.classAt(i);
        const bool isPlaced = solution.times[index] >= 0 && (solution.rooms[index] >= 0 || !one.needsRoom);
        const int roomCount = std::max(1, static_cast<int>(one.rooms.size()));
        slots.push_back(isPlaced ? solution.times[index] * roomCount + std::max(0, solution.rooms[index]) : -1);
    }
    for (const Request& request : problem.requests()) {
        std::vector<int> section = sectionOf(problem, request, solution.classesOfStudents[static_cast<std::size_t>(request.student)]);
        if (section.empty()) section.push_back(-1);
        section.resize(static_cast<std::size_t>(request.entryCount), 0);
        slots.insert(slots.end(), section.begin(), section.end());
    }
    return slots;
}

Solution toSolution(const Problem& problem, const Slots& slots) {
    Solution solution;
    solution.classesOfStudents.resize(static_cast<std::size_t>(problem.studentCount()));
    for (int i = 0; i < problem.classCount(); ++i) {
        const Class& one = problem.classAt(i);
        const int roomCount = std::max(1, static_cast<int>(one.rooms.size()));
        const int slot = slots[static_cast<std::size_t>(i)];
        solution.times.push_back(slot < 0 ? -1 : slot / roomCount);
        solution.rooms.push_back(slot < 0 || !one.needsRoom ? -1 : slot % roomCount);
    }
    const auto entries = slots.begin() + problem.classCount();
    for (const Request& request : problem.requests()) {
        const auto first = entries + request.firstEntry;
        if (*first < 0) continue;
        const std::size_t count = problem.subpartsOf(problem.configOf(*first)).size();
        std::vector<int>& classes = solution.classesOfStudents[static_cast<std::size_t>(request.student)];
        classes.insert(classes.end(), first, first + static_cast<std::ptrdiff_t>(count));
    }
    return solution;
}

void checkSlots(const Problem& problem, const Slots& slots) {
    checkCount("slots", static_cast<std::int64_t>(slots.size()), problem.classCount() + problem.entryCount(),
               problem.classCount() + problem.entryCount());
    for (int i = 0; i < problem.classCount(); ++i)
        checkCount("slot of a class", slots[static_cast<std::size_t>(i)], -1, slotCountOf(problem.classAt(i)) - 1);
    const auto entries = slots.begin() + problem.classCount();
    std::vector<int> classes;
    for (const Request& request : problem.requests()) {
        const auto first = entries + request.firstEntry;
        if (*first == -1) continue;
        for (int i = 0; i < request.entryCount; ++i) checkCount("class of a student", first[i], 0, problem.classCount() - 1);
        const auto count = std::min<std::ptrdiff_t>(request.entryCount, std::ssize(problem.subpartsOf(problem.configOf(*first))));
        classes.assign(first, first + count);
        if (!isSection(problem, classes, request.course))
            throw std::invalid_argument("classes of a student: they are no section of the course");
    }
}

}    // namespace timetabling::sectioning
