#include <ferry/connector/simulate.hpp>

#include <algorithm>
#include <chrono>
#include <exception>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>

namespace ferry {

namespace {

/// The simulated time for collectives that a program has started and not waited for.
constexpr std::chrono::seconds timeToFinish{2};

std::string describeEnding(std::size_t rank, const Simulation::Ending& ending) {
    switch (ending.how) {
        case RankEnd::Returned: return fmt::format("rank {} returned", rank);
        case RankEnd::Left: return fmt::format("rank {} left", rank);
        case RankEnd::Killed: return fmt::format("rank {} was killed", rank);
        case RankEnd::Aborted: return fmt::format("rank {} was ended by force", rank);
        case RankEnd::Threw: break;
    }
    const Thrown thrown(ending.exception);
    return fmt::format("rank {} threw {}: {}", rank, thrown.typeName(), thrown.text());
}

void runRank(Simulation& simulation, int rank, const std::function<void(Connector&)>& program) {
    Connector connector(simulation.transport(rank), ObjectFactory::global(), RegistryComparison::Skip);
    std::exception_ptr thrown;
    try {
        program(connector);
        connector.finishStartedBefore(connector.now() + timeToFinish);
    } catch (ForcedUnwind&) {
        throw;
    } catch (...) {
        thrown = std::current_exception();
    }
    simulation.letSpeak(rank);
    if (simulation.isUp(rank)) detail::mailboxOf(connector).departures().sayFarewell();
    if (thrown) std::rethrow_exception(thrown);
}

}    // namespace

bool SimulationResult::haveAllReturned() const {
    return std::all_of(ranks.begin(), ranks.end(), [](const Simulation::Ending& ending) { return ending.how == RankEnd::Returned; });
}

std::string SimulationResult::describe() const {
    std::vector<std::string> sentences;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) sentences.push_back(describeEnding(rank, ranks[rank]));
    return fmt::format("seed {}: {}", seed, fmt::join(sentences, "; "));
}

SimulationResult simulateRanks(int rankCount, const SimulationOptions& options, const std::function<void(Connector&)>& program) {
    ObjectFactory::global().verify();
    Simulation simulation(rankCount, options);
    SimulationResult result;
    result.seed = options.seed;
    result.ranks = simulation.run([&](int rank) { runRank(simulation, rank, program); });
    result.stuckText = simulation.stuckText();
    result.abortStatus = simulation.abortStatus();
    result.time = simulation.time();
    result.trace = simulation.trace();
    return result;
}

}    // namespace ferry
