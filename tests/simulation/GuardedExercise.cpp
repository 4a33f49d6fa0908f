#include <ferry/tests/simulation/GuardedExercise.hpp>

#include <memory>
#include <utility>

#include <ferry/tests/connector/GuardedCampaign.hpp>
#include <ferry/tests/simulation/CausalOrder.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

namespace ferry::test {

namespace {

constexpr int regionCount = 4;

}    // namespace

std::string GuardedExerciseResult::describe() const {
    std::string text = simulation.describe();
    for (const std::string& problem : problems) text += "\n" + problem;
    return text;
}

GuardedExerciseResult guardedExercise(const SimulationOptions& options, GuardedWaits waits) {
    const int rankCount = rankCountFor(options.seed);
    CausalOrder order(rankCount);
    CampaignOptions campaign;
    campaign.seed = options.seed;
    campaign.regions = regionCount;
    campaign.watch = &order;
    campaign.waitsForAnyRank = waits == GuardedWaits::ForAnyRankToo;
    SimulationOptions watched = options;
    watched.decorate = [&](std::unique_ptr<detail::Transport> transport) {
        auto own = order.watch(std::move(transport));
        return options.decorate ? options.decorate(std::move(own)) : std::move(own);
    };
    auto result = simulate(rankCount, watched, [&campaign](Connector& connector) { return runGuardedCampaign(connector, campaign); });
    GuardedExerciseResult found;
    for (const auto& problems : result.values) {
        if (problems) found.problems.insert(found.problems.end(), problems->begin(), problems->end());
    }
    found.problems.insert(found.problems.end(), order.problems().begin(), order.problems().end());
    found.simulation = std::move(result);
    return found;
}

}    // namespace ferry::test
