#include <ferry/apps/timetabling/curriculum/model/wording.hpp>

#include <algorithm>
#include <span>

#include <fmt/format.h>

namespace timetabling::curriculum {

std::string when(const Problem& problem, int period) { return "on " + problem.periodText(period); }

std::string bondOf(const Problem& problem, int courseA, int courseB) {
    const std::span<const int> teachers = problem.teachersOf(courseB);
    for (const int teacher : problem.teachersOf(courseA)) {
        if (std::find(teachers.begin(), teachers.end(), teacher) != teachers.end())
            return fmt::format("teacher {}", problem.teachers()[static_cast<std::size_t>(teacher)].id);
    }
    for (const int curriculum : problem.curriculaOf(courseA)) {
        const std::span<const int> others = problem.curriculaOf(courseB);
        if (std::binary_search(others.begin(), others.end(), curriculum)) {
            return fmt::format("curriculum {}", problem.curriculum(curriculum).id);
        }
    }
    return "nothing";
}

}    // namespace timetabling::curriculum
