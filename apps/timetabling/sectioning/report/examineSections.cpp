#include <ferry/apps/timetabling/sectioning/report/examineSections.hpp>

#include <array>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/model/counted.hpp>

namespace timetabling::sectioning {

namespace {

std::string row(const std::string& name, const char* kind, std::int64_t amount) {
    return fmt::format("{:<22} {:<10} {}\n", name, kind, amount);
}

std::array<bool, DistributionTypeCount> requiredTypes(const Instance& instance) {
    std::array<bool, DistributionTypeCount> isThere{};
    for (const Distribution& distribution : instance.distributions) {
        if (distribution.isRequired) isThere[static_cast<std::size_t>(distribution.type)] = true;
    }
    return isThere;
}

std::string requiredName(std::size_t type) { return fmt::format("Required{}", nameOf(static_cast<DistributionType>(type))); }

std::string describeScore(const Instance& instance, const Score& score) {
    std::string text;
    for (std::size_t i = 0; i < score.hard.size(); ++i) text += row(nameOf(static_cast<HardConstraint>(i)), "violations", score.hard[i]);
    const auto isThere = requiredTypes(instance);
    for (std::size_t i = 0; i < isThere.size(); ++i) {
        if (isThere[i]) text += row(requiredName(i), "violations", score.required[i]);
    }
    const Weights& weights = instance.weights;
    text += row("TimePenalty", "cost", score.time * weights.time);
    text += row("RoomPenalty", "cost", score.room * weights.room);
    text += row("DistributionPenalty", "cost", score.distribution * weights.distribution);
    text += row("StudentConflicts", "cost", score.student * weights.student);
    text += fmt::format("{:<22} time {} x {}, room {} x {}, distribution {} x {}, student {} x {}\n", "Sums x weights", score.time,
                        weights.time, score.room, weights.room, score.distribution, weights.distribution, score.student, weights.student);
    const std::int64_t cost = score.cost(weights);
    text += fmt::format("{:<22} {}, cost {}\n", "Total", counted(score.violations(), "violation"), cost);
    return text + (score.isFeasible() ? fmt::format("feasible, cost {}\n", cost)
                                      : fmt::format("infeasible: {}, cost {}\n", counted(score.violations(), "violation"), cost));
}

}    // namespace

Examination examineSections(const Problem& problem, const Solution& solution) {
    const Score score = scoreOf(problem, solution);
    Examination result{{}, describeScore(problem.instance(), score), score.isFeasible()};
    for (Remark& remark : remarksOn(problem, solution))
        result.findings.push_back(
            {std::move(remark.constraint), remark.isHard, remark.amount, std::move(remark.subject), std::move(remark.text)});
    return result;
}

}    // namespace timetabling::sectioning
