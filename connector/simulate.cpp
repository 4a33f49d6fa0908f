#include <ferry/connector/simulate.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/connector/collective/RegistryCheck.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/state/MailboxHooks.hpp>
#include <ferry/connector/transport/LossNews.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>

namespace ferry {

namespace {

/// The simulated time for collectives that a program has started and not waited for.
constexpr std::chrono::seconds timeToFinish{2};

std::string describeEnding(std::size_t rank, const detail::Simulation::Ending& ending) {
    switch (ending.how) {
        case detail::RankEnd::Returned: return fmt::format("rank {} returned", rank);
        case detail::RankEnd::Left: return fmt::format("rank {} left", rank);
        case detail::RankEnd::Killed: return fmt::format("rank {} was killed", rank);
        case detail::RankEnd::Aborted: return fmt::format("rank {} was ended by force", rank);
        case detail::RankEnd::Threw: break;
    }
    const detail::Thrown thrown(ending.exception);
    return fmt::format("rank {} threw {}: {}", rank, thrown.typeName(), thrown.text());
}

/// Takes in the losses that the simulation tells of, and tells them to the other ranks, unless the program sets a check of its own
/// (Shutdown).
class LossCheck {
public:
    explicit LossCheck(detail::Mailbox& mailbox) : mailbox_(mailbox) {
        if (!mailbox.transport().survivesLosses()) return;
        isSet_ = std::make_shared<bool>(true);
        mailbox.hooks().onIdle([&mailbox, isSet = isSet_, news = detail::LossNews()]() mutable {
            mailbox.departures().tellEachLoss();    // not before: a job has a check of its own, and its slaves wait for letters of any rank
            news.handle(mailbox.transport(), [&mailbox](const detail::Loss& loss) {
                mailbox.departures().lose(loss);
                mailbox.departures().tellOthers(loss);
            });
        });
    }
    LossCheck(const LossCheck&) = delete;
    LossCheck& operator=(const LossCheck&) = delete;

    /// Waits until all other ranks have left or are lost: until then they may need news of losses, or an answer (Survivors).
    void awaitOthers() {
        const bool isReplaced = isSet_.use_count() < 2;
        if (isReplaced) return;
        const detail::Departures& departures = mailbox_.departures();
        const auto haveOthersLeft = [&] {
            for (int rank = 0; rank < mailbox_.transport().size(); ++rank) {
                if (rank != mailbox_.transport().rank() && !departures.hasLeft(rank)) return false;
            }
            return true;
        };
        mailbox_.pumpUntil(haveOthersLeft, detail::Mailbox::Clock::time_point::max());
    }

private:
    detail::Mailbox& mailbox_;
    std::shared_ptr<bool> isSet_;    ///< shared with the check; null: no check is needed
};

void runRank(detail::Simulation& simulation, int rank, const std::function<void(Connector&)>& program) {
    Connector connector(simulation.transport(rank), ObjectFactory::global(), RegistryComparison::Skip);
    LossCheck losses(detail::mailboxOf(connector));
    std::exception_ptr thrown;
    try {
        program(connector);
        connector.finishStartedBefore(connector.now() + timeToFinish);
    } catch (detail::ForcedUnwind&) {
        throw;
    } catch (...) {
        thrown = std::current_exception();
    }
    simulation.letSpeak(rank);
    if (simulation.isUp(rank)) {
        detail::mailboxOf(connector).departures().sayFarewell();
        losses.awaitOthers();
    }
    if (thrown) std::rethrow_exception(thrown);
}

}    // namespace

bool SimulationResult::haveAllReturned() const {
    return std::all_of(ranks.begin(), ranks.end(),
                       [](const detail::Simulation::Ending& ending) { return ending.how == detail::RankEnd::Returned; });
}

std::string SimulationResult::describe() const {
    std::vector<std::string> sentences;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) sentences.push_back(describeEnding(rank, ranks[rank]));
    return fmt::format("seed {}: {}", seed, fmt::join(sentences, "; "));
}

namespace detail {

SimulationResult simulateRanks(int rankCount, const SimulationOptions& options, const std::function<void(Connector&)>& program) {
    requireNoConflicts(ObjectFactory::global());
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

}    // namespace detail

}    // namespace ferry
