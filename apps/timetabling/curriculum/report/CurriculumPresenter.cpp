#include <ferry/apps/timetabling/curriculum/report/CurriculumPresenter.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/apps/timetabling/curriculum/io/SolutionFile.hpp>
#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/apps/timetabling/curriculum/model/leftOutLectures.hpp>
#include <ferry/apps/timetabling/curriculum/model/movedLectures.hpp>
#include <ferry/apps/timetabling/curriculum/report/CurriculumView.hpp>
#include <ferry/apps/timetabling/curriculum/report/JsonReport.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/csvLine.hpp>
#include <ferry/apps/timetabling/model/counted.hpp>

namespace timetabling::curriculum {

namespace {

/// Counts the people who have to learn a new place or time. Empty when nothing has moved.
std::string touchedPeople(const Problem& problem, const std::vector<Moved>& moved) {
    std::set<int> courses;
    std::set<int> teachers;
    std::int64_t students = 0;
    for (const Moved& one : moved) {
        if (one.from.empty() || !courses.insert(one.item).second) continue;    // nobody knew the place of an additional lecture
        const std::span<const int> ofCourse = problem.teachersOf(one.item);
        teachers.insert(ofCourse.begin(), ofCourse.end());
        students += problem.course(one.item).studentCount;
    }
    if (courses.empty()) return {};
    return fmt::format("touched: {}, {}, {} of these courses\n", counted(static_cast<std::int64_t>(courses.size()), "course"),
                       counted(static_cast<std::int64_t>(teachers.size()), "teacher"), counted(students, "student"));
}

}    // namespace

std::string CurriculumPresenter::problemLine() const {
    const int curricula = problem_.curriculumCount();
    return fmt::format("{} ({}): {}, {}, {}, {}, {} {}", printable(problem_.instance().name),
                       problem_.instance().weights ? "own weights" : nameOf(problem_.instance().formulation),
                       counted(problem_.courseCount(), "course"), counted(problem_.lectureCount(), "lecture"),
                       counted(problem_.roomCount(), "room"), counted(problem_.periodCount(), "period"), curricula,
                       curricula == 1 ? "curriculum" : "curricula");
}

Examination CurriculumPresenter::examine(const Slots& slots) const { return curriculum::examine(problem_, toSolution(problem_, slots)); }

Examination CurriculumPresenter::examine(const std::string& solutionFile) const {
    return curriculum::examine(problem_, readSolution(solutionFile, problem_));
}

TimetableView CurriculumPresenter::view(const Slots& slots) const { return makeView(problem_, toSolution(problem_, slots)); }

TimetableView CurriculumPresenter::view(const std::string& solutionFile) const {
    return makeView(problem_, readSolution(solutionFile, problem_));
}

Slots CurriculumPresenter::slotsOf(const std::string& solutionFile) const {
    return toSlots(problem_, readSolution(solutionFile, problem_));
}

std::string CurriculumPresenter::solutionFile(const Slots& slots) const { return writeSolution(problem_, toSolution(problem_, slots)); }

std::string CurriculumPresenter::jsonDocument(const Slots& slots) const { return writeJsonReport(problem_, toSolution(problem_, slots)); }

std::string CurriculumPresenter::csvTable(const Slots& slots) const {
    const Solution solution = toSolution(problem_, slots);
    const std::vector<LeftOut> leftOut = leftOutLectures(problem_, solution);
    const WeekNames& names = problem_.instance().names;
    const auto lineOf = [&](int number, std::vector<std::string> place, const std::string& reason) {
        const Course& course = problem_.course(number);
        std::vector<std::string> curricula;
        for (const int curriculum : problem_.curriculaOf(number)) curricula.push_back(problem_.curriculum(curriculum).id);
        std::vector<std::string> cells{course.id, teachersText(course)};
        cells.insert(cells.end(), place.begin(), place.end());
        cells.push_back(fmt::format("{}", fmt::join(curricula, " ")));
        if (!leftOut.empty()) cells.push_back(reason);
        return csvLine(cells);
    };
    std::vector<std::string> head{"course", "teacher", "day", "period", "room", "curricula"};
    if (!leftOut.empty()) head.emplace_back("left_out");
    std::string text = csvLine(head);
    for (const Placement& placement : solution.placements)
        text += lineOf(placement.course,
                       {names.dayCell(problem_.dayOf(placement.period)), names.periodCell(problem_.periodOfDay(placement.period)),
                        problem_.room(placement.room).id},
                       "");
    for (const LeftOut& one : leftOut) {
        for (int i = 0; i < one.count; ++i) text += lineOf(one.item, {"", "", ""}, one.reason);
    }
    return text;
}

std::vector<Calendar> CurriculumPresenter::calendars(const Slots& slots) const {
    const auto roomCount = static_cast<std::size_t>(problem_.roomCount());
    const std::size_t teacherCount = problem_.teachers().size();
    std::vector<Calendar> all;
    for (const Room& room : problem_.instance().rooms) all.push_back({"room", room.id, {}});
    for (const Teacher& teacher : problem_.teachers()) all.push_back({"teacher", teacher.id, {}});
    for (const Curriculum& curriculum : problem_.instance().curricula) all.push_back({"curriculum", curriculum.id, {}});
    for (const Placement& placement : toSolution(problem_, slots).placements) {
        const Course& course = problem_.course(placement.course);
        const CalendarEvent event{problem_.dayOf(placement.period), problem_.periodOfDay(placement.period), course.id,
                                  problem_.room(placement.room).id, teachersText(course)};
        all[static_cast<std::size_t>(placement.room)].events.push_back(event);
        for (const int teacher : problem_.teachersOf(placement.course))
            all[roomCount + static_cast<std::size_t>(teacher)].events.push_back(event);
        for (const int curriculum : problem_.curriculaOf(placement.course))
            all[roomCount + teacherCount + static_cast<std::size_t>(curriculum)].events.push_back(event);
    }
    std::erase_if(all, [](const Calendar& calendar) { return calendar.events.empty(); });
    return all;
}

std::string CurriculumPresenter::describeLeftOut(const Slots& slots) const {
    return timetabling::describeLeftOut(leftOutLectures(problem_, toSolution(problem_, slots)), problem_.lectureCount(), "lecture",
                                        [&](int course) { return problem_.course(course).id; });
}

std::string CurriculumPresenter::describeMoved(const Slots& slots) const {
    if (!problem_.published()) return {};
    const std::vector<Moved> moved = movedLectures(problem_, toSolution(problem_, slots));
    return timetabling::describeMoved(moved, problem_.lectureCount(), "lecture", [&](int course) { return problem_.course(course).id; }) +
           touchedPeople(problem_, moved);
}

}    // namespace timetabling::curriculum
