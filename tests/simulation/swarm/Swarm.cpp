#include <ferry/tests/simulation/swarm/Swarm.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/ending/Shutdown.hpp>
#include <ferry/framework/exception/NoSlavesLeft.hpp>
#include <ferry/framework/journal/Journal.hpp>
#include <ferry/framework/master/BesideJob.hpp>
#include <ferry/framework/slave/SlaveLoop.hpp>
#include <ferry/framework/slave/SubMaster.hpp>
#include <ferry/tests/simulation/TransportDecorator.hpp>
#include <ferry/tests/simulation/swarm/SwarmJob.hpp>
#include <ferry/tests/simulation/swarm/SwarmTree.hpp>
#include <ferry/tests/support/ScarceMemory.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

namespace ferry::test {

namespace swarmrun {

using Members = std::vector<int>;

/// The simulation itself has enough memory.
class AmpleTransport final : public TransportDecorator {
public:
    using TransportDecorator::TransportDecorator;
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        const AmpleMemory ample;
        TransportDecorator::startSend(to, channel, std::move(ints));
    }
    std::optional<detail::Packet> poll() override {
        const AmpleMemory ample;
        return TransportDecorator::poll();
    }
    void idle(std::chrono::microseconds atMost) override {
        const AmpleMemory ample;
        TransportDecorator::idle(atMost);
    }
    std::optional<detail::Loss> nextLoss() override {
        const AmpleMemory ample;
        return TransportDecorator::nextLoss();
    }
};

SimulationOptions optionsOf(const SwarmCase& swarm, const SwarmPlant& plant) {
    SimulationOptions options;
    options.seed = swarm.seed;
    options.faults = swarm.faults;
    options.faults.insert(options.faults.end(), swarm.halts.begin(), swarm.halts.end());
    options.clockDrift = swarm.clockDrift;
    options.callTime = std::chrono::microseconds(swarm.callTimeUs);
    if (swarm.packetDelayUs != 0) options.packetDelay = std::chrono::microseconds(swarm.packetDelayUs);
    if (swarm.tellsDeathsUs != 0) options.tellsDeathsWithin = std::chrono::microseconds(swarm.tellsDeathsUs);
    options.maxCalls = 400'000;    // hundreds of times as many as a usual case makes
    options.decorate = plant.decorate;
    if (swarm.isScarce()) {
        options.decorate = [decorate = plant.decorate](std::unique_ptr<detail::Transport> plain) -> std::unique_ptr<detail::Transport> {
            auto ample = std::make_unique<AmpleTransport>(std::move(plain));
            return decorate ? decorate(std::move(ample)) : std::move(ample);
        };
    }
    return options;
}

/// The shortages of one rank. The memory is ample again when the object ends.
class RankShortage {
public:
    RankShortage(const SwarmCase& swarm, int rank) : swarm_(swarm), rank_(rank) {}
    void begin() {
        for (const SwarmShortage& each : swarm_.shortages) {
            if (each.rank == rank_) memory_.emplace(each.at, each.count);
        }
    }

private:
    const SwarmCase& swarm_;
    int rank_;
    std::optional<ScarceMemory> memory_{};
};

/// The numbers of open descriptors of this process.
std::size_t countDescriptors() {
    const std::filesystem::directory_iterator open("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(open), end(open)));
}

/// Runs the program of a case, again after each loss, with the ranks that are left. Returns the members after each loss.
std::vector<Members> endure(Connector& world, const SwarmCase& swarm, SwarmLog& log) {
    std::vector<Members> history;
    std::unique_ptr<Connector> rest;
    Connector* now = &world;
    for (;;) {
        try {
            runTree(*now, swarm.program, static_cast<int>(history.size()), false, log);
            now->barrier();
            return history;
        } catch (const LostRank&) {
            if (!swarm.areMortal()) throw;
            rest = now->shrink();
            now = rest.get();
            history.emplace_back();
            for (int rank = 0; rank < now->size(); ++rank) history.back().push_back(now->rankInJob(rank));
        }
    }
}

void expectNothingLeft(Connector& connector, SwarmLog& log) {
    connector.poll();
    const detail::Filter all(
        {detail::MessageKind::Object, detail::MessageKind::Value, detail::MessageKind::Graph, detail::MessageKind::Agreement});
    if (detail::mailboxOf(connector).arrived().take(all)) log.note(fmt::format("rank {}: a letter is left over", connector.rank()));
}

int conduct(Connector& connector, const SwarmCase& swarm, SwarmJob& job, detail::Journal* journal) {
    Slave slave;
    job.define(slave);
    detail::Shutdown shutdown(connector);
    RankShortage shortage(swarm, connector.rank());
    return shutdown.conduct(detail::Shutdown::End::WithMaster, [&]() -> int {
        shortage.begin();
        const detail::SlaveGroups groups =
            swarm.groupSize == 0 ? detail::SlaveGroups() : detail::SlaveGroups(connector.size() - 1, swarm.groupSize);
        if (groups.isSubMaster(connector.rank())) detail::SubMaster(connector, groups).run();
        if (!connector.isMaster()) {
            detail::SlaveLoop(slave, connector, groups.masterOf(connector.rank())).run();
            return exitStatus::success;
        }
        Master master(connector, detail::BesideJob{.journal = journal, .groups = groups});
        try {
            job.conduct(master);
        } catch (const NoSlavesLeft&) {
            if (!swarm.areMortal()) throw;
        }
        return exitStatus::success;
    });
}

/// Runs the program of a scarce case as a job in which every rank has a part, since a rank may fail anywhere.
int conductProgram(Connector& connector, const SwarmCase& swarm, SwarmLog& log) {
    detail::Shutdown shutdown(connector);
    RankShortage shortage(swarm, connector.rank());
    return shutdown.conduct(detail::Shutdown::End::WithAll, [&] {
        shortage.begin();
        endure(connector, swarm, log);
        return exitStatus::success;
    });
}

/// The result of one rank.
struct RankResult {
    int status = exitStatus::success;
    std::vector<Members> history{};
};

/// Whether a rank may end with the status. Without memory a job may fail, also by an exception that the case planned.
bool isAllowed(int status, bool isMaster, const SwarmCase& swarm) {
    if (status == exitStatus::success) return true;
    if (swarm.isScarce() && (status == exitStatus::exception || status == exitStatus::assertion)) return true;
    return swarm.areMortal() && !isMaster && status == exitStatus::lostRank;
}

void checkEnd(const SimulationOf<RankResult>& result, const SwarmCase& swarm, SwarmLog& log) {
    if (!result.stuckText.empty()) log.note("the ranks are stuck: " + result.stuckText);
    if (swarm.isScarce() && result.abortStatus == exitStatus::exception) return;    // no memory for an end in order
    if (result.abortStatus) log.note(fmt::format("a rank has ended the job by force, with status {}", *result.abortStatus));
    for (std::size_t rank = 0; rank < result.ranks.size(); ++rank) {
        const detail::RankEnd how = result.ranks[rank].how;
        const bool isMortal = std::any_of(swarm.faults.begin(), swarm.faults.end(),
                                          [rank](const Fault& fault) { return fault.rank == static_cast<int>(rank); });
        if (how == detail::RankEnd::Killed && isMortal) continue;
        if (how != detail::RankEnd::Returned) {
            log.note(result.describe());
            return;
        }
        const RankResult& own = *result.values[rank];
        if (!isAllowed(own.status, rank == 0, swarm)) log.note(fmt::format("rank {} has the exit status {}", rank, own.status));
        // A rank that the others take for dead is no survivor: when they are dead too, the rank goes on alone until it dies.
        for (std::size_t peer = 0; peer < result.ranks.size() && !result.ranks[rank].isGivenUp; ++peer) {
            const auto& other = result.values[peer];
            if (!other || result.ranks[peer].isGivenUp) continue;
            const std::size_t both = std::min(own.history.size(), other->history.size());
            if (!std::equal(own.history.begin(), own.history.begin() + static_cast<std::ptrdiff_t>(both), other->history.begin()))
                log.note(fmt::format("rank {} has other members than another survivor, rank {}", rank, peer));
        }
    }
}

/// Runs the program and the job once. Returns the tasks that a journal must have.
std::set<SwarmJob::Done> runOnce(const SwarmCase& swarm, const SwarmPlant& plant, const std::filesystem::path& journalPath,
                                 std::set<SwarmJob::Done> finished, std::vector<std::string>& problems) {
    SwarmLog log;
    log.number(swarm.program);
    for (const SwarmTask& task : swarm.job) log.number(task.inside);
    const bool isFirst = finished.empty();
    SwarmJob job(swarm, log, plant.wrongFromSize, std::move(finished));
    std::unique_ptr<detail::Journal> journal;
    if (!journalPath.empty()) {
        detail::JournalSettings settings;
        settings.path = journalPath;
        settings.program = "swarm";
        settings.flushInterval = std::chrono::milliseconds(swarm.flushMs);
        settings.lockPatience = std::chrono::milliseconds(0);
        journal = std::make_unique<detail::Journal>(settings);
    }
    const auto runOn = [&](const std::function<RankResult(Connector&)>& part) {
        const auto result = simulate(swarm.ranks, optionsOf(swarm, plant), part);
        if (plant.look) plant.look(result);
        checkEnd(result, swarm, log);
    };
    // The job begins when all ranks have ended the program: its end would stop a rank that is still in a call of the program.
    if (isFirst && !swarm.program.empty()) {
        runOn([&](Connector& connector) {
            if (swarm.isScarce()) return RankResult{.status = conductProgram(connector, swarm, log)};
            RankResult own{.history = endure(connector, swarm, log)};
            if (!swarm.areMortal()) expectNothingLeft(connector, log);
            return own;
        });
    }
    if (!swarm.job.empty() && log.problems.empty())
        runOn([&](Connector& connector) { return RankResult{.status = conduct(connector, swarm, job, journal.get())}; });
    if (log.problems.empty()) {
        checkWays(log, swarm.mayBreak());
        job.checkRuns();
    }
    problems.insert(problems.end(), log.problems.begin(), log.problems.end());
    return job.finished();
}

}    // namespace swarmrun

std::vector<std::string> problemsOf(const SwarmCase& swarm, const SwarmPlant& plant) {
    std::vector<std::string> problems;
    const std::size_t openBefore = swarmrun::countDescriptors();
    if (swarm.hasJournal && !swarm.job.empty()) {
        const TemporaryFolder folder;
        auto finished = swarmrun::runOnce(swarm, plant, folder / "journal", {}, problems);
        if (problems.empty() && !finished.empty()) swarmrun::runOnce(swarm, plant, folder / "journal", std::move(finished), problems);
        if (problems.empty() && folder.fileCount() != 1)
            problems.push_back(fmt::format("{} files are left beside the journal", folder.fileCount()));
    } else {
        swarmrun::runOnce(swarm, plant, {}, {}, problems);
    }
    const std::size_t openAfter = swarmrun::countDescriptors();
    if (openAfter != openBefore) problems.push_back(fmt::format("{} descriptors are open instead of {}", openAfter, openBefore));
    return problems;
}

}    // namespace ferry::test
