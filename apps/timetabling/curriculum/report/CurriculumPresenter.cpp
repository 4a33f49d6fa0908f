#include <ferry/apps/timetabling/curriculum/report/CurriculumPresenter.hpp>

#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/io/SolutionFile.hpp>
#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/apps/timetabling/curriculum/report/HtmlReport.hpp>
#include <ferry/apps/timetabling/curriculum/report/JsonReport.hpp>
#include <ferry/apps/timetabling/curriculum/report/TextReport.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>

namespace timetabling::curriculum {

std::string CurriculumPresenter::problemLine() const {
    return fmt::format("{} ({}): {} courses, {} lectures, {} rooms, {} periods, {} curricula", printable(problem_.instance().name),
                       nameOf(problem_.instance().formulation), problem_.courseCount(), problem_.lectureCount(), problem_.roomCount(),
                       problem_.periodCount(), problem_.curriculumCount());
}

Examination CurriculumPresenter::examine(const Solution& solution) const {
    const std::vector<Violation> violations = findViolations(problem_, solution);
    const Score score = scoreOf(violations);
    Examination result{{}, describeScore(problem_, score) + summarize(score) + "\n", score.isFeasible()};
    for (const Violation& violation : violations) result.violations.push_back(describe(problem_, violation));
    return result;
}

Examination CurriculumPresenter::examine(const Slots& slots) const { return examine(toSolution(problem_, slots)); }

Examination CurriculumPresenter::examine(const std::string& solutionFile) const { return examine(readSolution(solutionFile, problem_)); }

std::string CurriculumPresenter::solutionFile(const Slots& slots) const { return writeSolution(problem_, toSolution(problem_, slots)); }

std::string CurriculumPresenter::htmlPage(const Slots& slots) const { return writeHtmlReport(problem_, toSolution(problem_, slots)); }

std::string CurriculumPresenter::jsonDocument(const Slots& slots) const { return writeJsonReport(problem_, toSolution(problem_, slots)); }

}    // namespace timetabling::curriculum
