#include <ferry/apps/timetabling/curriculum/report/TextReport.hpp>

#include <fmt/format.h>

namespace timetabling::curriculum {

std::string describeScore(const Problem& problem, const Score& score) {
    std::string text;
    for (const Constraint constraint : constraintsOf(problem)) {
        text += fmt::format("{:<22} {} {}\n", nameOf(constraint), isHard(constraint) ? "violations" : "cost      ", score[constraint]);
    }
    text += fmt::format("{:<22} {} violations, cost {}\n", "Total", score.violations(), score.cost());
    return text;
}

std::string summarize(const Score& score) {
    if (score.isFeasible()) return fmt::format("feasible, cost {}", score.cost());
    return fmt::format("infeasible: {} violation{}, cost {}", score.violations(), score.violations() == 1 ? "" : "s", score.cost());
}

}    // namespace timetabling::curriculum
