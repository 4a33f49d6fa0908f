#include <ferry/apps/timetabling/curriculum/model/wording.hpp>

#include <algorithm>
#include <span>

#include <fmt/format.h>

namespace timetabling::curriculum {

std::string when(const Problem& problem, int period) {
    return fmt::format("on day {} period {}", problem.dayOf(period), problem.periodOfDay(period));
}

std::string bondOf(const Problem& problem, int courseA, int courseB) {
    if (problem.teacherOf(courseA) == problem.teacherOf(courseB)) return fmt::format("teacher {}", problem.course(courseA).teacher);
    for (const int curriculum : problem.curriculaOf(courseA)) {
        const std::span<const int> others = problem.curriculaOf(courseB);
        if (std::binary_search(others.begin(), others.end(), curriculum)) {
            return fmt::format("curriculum {}", problem.curriculum(curriculum).id);
        }
    }
    return "nothing";
}

}    // namespace timetabling::curriculum
