#include <ferry/apps/timetabling/curriculum/report/CurriculumPresenter.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/apps/timetabling/curriculum/io/SolutionFile.hpp>
#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/apps/timetabling/curriculum/model/movedLectures.hpp>
#include <ferry/apps/timetabling/curriculum/report/CurriculumView.hpp>
#include <ferry/apps/timetabling/curriculum/report/JsonReport.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/csvLine.hpp>

namespace timetabling::curriculum {

std::string CurriculumPresenter::problemLine() const {
    return fmt::format("{} ({}): {} courses, {} lectures, {} rooms, {} periods, {} curricula", printable(problem_.instance().name),
                       nameOf(problem_.instance().formulation), problem_.courseCount(), problem_.lectureCount(), problem_.roomCount(),
                       problem_.periodCount(), problem_.curriculumCount());
}

Examination CurriculumPresenter::examine(const Slots& slots) const { return curriculum::examine(problem_, toSolution(problem_, slots)); }

Examination CurriculumPresenter::examine(const std::string& solutionFile) const {
    return curriculum::examine(problem_, readSolution(solutionFile, problem_));
}

TimetableView CurriculumPresenter::view(const Slots& slots) const { return makeView(problem_, toSolution(problem_, slots)); }

TimetableView CurriculumPresenter::view(const std::string& solutionFile) const {
    return makeView(problem_, readSolution(solutionFile, problem_));
}

std::string CurriculumPresenter::solutionFile(const Slots& slots) const { return writeSolution(problem_, toSolution(problem_, slots)); }

std::string CurriculumPresenter::jsonDocument(const Slots& slots) const { return writeJsonReport(problem_, toSolution(problem_, slots)); }

std::string CurriculumPresenter::csvTable(const Slots& slots) const {
    std::string text = csvLine({"course", "teacher", "day", "period", "room", "curricula"});
    for (const Placement& placement : toSolution(problem_, slots).placements) {
        const Course& course = problem_.course(placement.course);
        std::vector<std::string> curricula;
        for (const int curriculum : problem_.curriculaOf(placement.course)) curricula.push_back(problem_.curriculum(curriculum).id);
        text += csvLine({course.id, course.teacher, fmt::to_string(problem_.dayOf(placement.period)),
                         fmt::to_string(problem_.periodOfDay(placement.period)), problem_.room(placement.room).id,
                         fmt::format("{}", fmt::join(curricula, " "))});
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
                                  problem_.room(placement.room).id, course.teacher};
        all[static_cast<std::size_t>(placement.room)].events.push_back(event);
        all[roomCount + static_cast<std::size_t>(problem_.teacherOf(placement.course))].events.push_back(event);
        for (const int curriculum : problem_.curriculaOf(placement.course))
            all[roomCount + teacherCount + static_cast<std::size_t>(curriculum)].events.push_back(event);
    }
    std::erase_if(all, [](const Calendar& calendar) { return calendar.events.empty(); });
    return all;
}

std::string CurriculumPresenter::describeMoved(const Slots& slots) const {
    if (!problem_.published()) return {};
    return timetabling::describeMoved(movedLectures(problem_, toSolution(problem_, slots)), problem_.lectureCount(), "lecture",
                                      [&](int course) { return problem_.course(course).id; });
}

}    // namespace timetabling::curriculum
