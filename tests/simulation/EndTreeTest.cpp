// The end of jobs with many ranks, along a tree: ordinary ends, and the ends of jobs that fail.
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/ending/Shutdown.hpp>
#include <ferry/framework/ending/ShutdownSettings.hpp>
#include <ferry/framework/simulateJob.hpp>
#include <ferry/simulate.hpp>
#include <ferry/tests/simulation/Seeds.hpp>
#include <ferry/tests/simulation/TransportDecorator.hpp>
#include <ferry/tests/support/Sanitizers.hpp>

using namespace ferry;
using namespace ferry::test;

namespace endtreetest {

using namespace std::chrono_literals;

struct Work {
    int milliseconds = 0;
    using Reply = int;
};

/// By rank: control letters that it sends, and that are sent to it.
using LetterCounts = std::vector<std::pair<int, int>>;

/// Counts the control letters of a rank. The farewells of a simulated program go on the data channel.
class CountingTransport : public TransportDecorator {
public:
    CountingTransport(std::unique_ptr<detail::Transport> inner, LetterCounts& counts)
        : TransportDecorator(std::move(inner)),
          counts_(counts) {}
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        if (channel == detail::Channel::Control) {
            ++counts_[static_cast<std::size_t>(rank())].first;
            ++counts_[static_cast<std::size_t>(to)].second;
        }
        TransportDecorator::startSend(to, channel, std::move(ints));
    }

private:
    LetterCounts& counts_;
};

int levelsOf(int rankCount) {
    int levels = 0;
    while ((1 << levels) < rankCount) ++levels;
    return levels;
}

/// Options whose ranks count their letters. Ownership: `counts` must outlive the simulation.
SimulationOptions countedBy(LetterCounts& counts) {
    SimulationOptions options;
    options.callTime = 0us;    // otherwise the calls of many ranks, one after the other, take longer than the ranks wait
    options.packetDelay = 10us;
    options.decorate = [&counts](std::unique_ptr<detail::Transport> transport) -> std::unique_ptr<detail::Transport> {
        return std::make_unique<CountingTransport>(std::move(transport), counts);
    };
    return options;
}

int mostOf(const LetterCounts& counts) {
    int most = 0;
    for (const auto& [sent, taken] : counts) most = std::max({most, sent, taken});
    return most;
}

/// Simulates a job without tasks. Returns the greatest number of letters that a rank has sent or taken in.
int mostLettersOfEnd(int rankCount) {
    LetterCounts counts(static_cast<std::size_t>(rankCount));
    const auto result = simulateJob(rankCount, countedBy(counts), Slave(), [](Master&) {});
    REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
    for (const auto& status : result.values) REQUIRE(status == 0);
    return mostOf(counts);
}

/// Simulates a job in which each rank runs this part, in place of the program of the master and the loop of the slaves.
SimulationOf<int> simulateParts(int rankCount, const SimulationOptions& options, const std::function<void(Connector&)>& part) {
    return simulate(rankCount, options, [&part](Connector& connector) {
        detail::Shutdown shutdown(connector);
        return shutdown.conduct(detail::Shutdown::End::WithMaster, [&]() -> int {
            part(connector);
            return 0;
        });
    });
}

/// A part of a program: one rank throws, and all others wait for a message that does not come.
std::function<void(Connector&)> failsOn(int failing) {
    return [failing](Connector& connector) {
        if (connector.rank() == failing) throw std::runtime_error("the valve is stuck");
        connector.receive<int>((connector.rank() + 1) % connector.size());
    };
}

/// Whether no rank hangs, and all ranks that live have one status, which is that of the failure, or of a lost rank.
bool hasFailedInOrder(const SimulationOf<int>& result) {
    if (!result.stuckText.empty() || result.abortStatus) return false;
    std::optional<int> status;
    for (std::size_t rank = 0; rank < result.ranks.size(); ++rank) {
        if (result.ranks[rank].how == detail::RankEnd::Killed) continue;
        if (result.ranks[rank].how != detail::RankEnd::Returned) return false;
        const int own = *result.values[rank];
        if (status && *status != own) return false;
        status = own;
    }
    return status == exitStatus::exception || status == exitStatus::lostRank;
}

/// Whether no rank hangs, and each rank that lives has ended with status 0.
bool hasEndedInOrder(const SimulationOf<int>& result) {
    if (!result.stuckText.empty() || result.abortStatus) return false;
    for (std::size_t rank = 0; rank < result.ranks.size(); ++rank) {
        if (result.ranks[rank].how == detail::RankEnd::Killed && rank != 0) continue;
        if (result.ranks[rank].how != detail::RankEnd::Returned || result.values[rank] != exitStatus::success) return false;
    }
    return true;
}

SimulationOptions watched(std::uint64_t seed, std::chrono::microseconds tellsDeathsWithin) {
    SimulationOptions options;
    options.seed = seed;
    options.tellsDeathsWithin = tellsDeathsWithin;
    return options;
}

/// Computes without a call of Ferry.
void compute(Connector& connector, std::chrono::milliseconds time) {
    detail::Transport& transport = detail::mailboxOf(connector).transport();
    const auto end = transport.now() + time;
    while (transport.now() < end) transport.idle(std::chrono::ceil<std::chrono::microseconds>(end - transport.now()));
}

/// Counts all packets that a rank sends.
class SentCountingTransport : public TransportDecorator {
public:
    SentCountingTransport(std::unique_ptr<detail::Transport> inner, int& sent) : TransportDecorator(std::move(inner)), sent_(sent) {}
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        ++sent_;
        TransportDecorator::startSend(to, channel, std::move(ints));
    }

private:
    int& sent_;
};

/// The end of a job in which every rank has a part.
struct EndOfAll {
    SimulationOf<int> result;
    std::vector<int> sent;    ///< by rank: number of packets, until the rank has left the job
};

/// Simulates a job in which each rank runs this part, as Application::runOnAll does.
EndOfAll simulateAll(int rankCount, SimulationOptions options, const std::function<void(Connector&)>& part) {
    std::vector<int> sent(static_cast<std::size_t>(rankCount), 0);
    EndOfAll end{{}, sent};
    options.decorate = [&sent](std::unique_ptr<detail::Transport> transport) -> std::unique_ptr<detail::Transport> {
        int& count = sent[static_cast<std::size_t>(transport->rank())];
        return std::make_unique<SentCountingTransport>(std::move(transport), count);
    };
    end.result = simulate(rankCount, options, [&](Connector& connector) {
        detail::Shutdown shutdown(connector);
        const int status = shutdown.conduct(detail::Shutdown::End::WithAll, [&]() -> int {
            part(connector);
            return 0;
        });
        end.sent[static_cast<std::size_t>(connector.rank())] = sent[static_cast<std::size_t>(connector.rank())];
        return status;
    });
    return end;
}

/// Computes, and polls when a letter has come.
void work(Connector& connector, std::chrono::milliseconds time) {
    detail::Transport& transport = detail::mailboxOf(connector).transport();
    const auto end = transport.now() + time;
    for (; transport.now() < end; transport.idle(std::chrono::ceil<std::chrono::microseconds>(end - transport.now()))) connector.poll();
}

/// Options of a simulation with many ranks.
SimulationOptions ofManyRanks() {
    SimulationOptions options;
    options.callTime = 0us;    // otherwise the calls of many ranks, one after the other, take longer than the ranks wait
    options.packetDelay = 10us;
    return options;
}

/// The numbers of ranks with which a death is tried at each moment.
std::vector<int> rankCounts() {
    if (isSanitized) return {9};
    return {9, 16, 33};
}

/// Whether no rank hangs, and all ranks that live have the same status.
bool haveOneStatus(const SimulationOf<int>& result) {
    if (!result.stuckText.empty() || result.abortStatus) return false;
    std::optional<int> status;
    for (std::size_t rank = 0; rank < result.ranks.size(); ++rank) {
        if (result.ranks[rank].how == detail::RankEnd::Killed) continue;
        if (result.ranks[rank].how != detail::RankEnd::Returned) return false;
        if (status.value_or(*result.values[rank]) != *result.values[rank]) return false;
        status = result.values[rank];
    }
    return true;
}

}    // namespace endtreetest

using namespace endtreetest;

TEST_CASE("EndTree under simulation: no rank has more letters than the tree has levels, in each of its steps") {
    for (const int rankCount : {8, 9, 33, 100, 250}) {
        CAPTURE(rankCount);
        CHECK(mostLettersOfEnd(rankCount) <= 2 * levelsOf(rankCount));    // down: stop and release; up: left and released
    }
    CHECK(mostLettersOfEnd(7) == 12);    // the master tells few ranks one by one
}

TEST_CASE("EndTree under simulation: a slave that dies at any moment of the end cuts nobody off") {
    constexpr int rankCount = 13;
    int killedCount = 0;
    for (int rank = 1; rank < rankCount; rank += isSanitized ? 5 : 1) {
        for (std::uint64_t call = 1; call <= 40; ++call) {
            for (const std::chrono::microseconds told : {std::chrono::microseconds(1ms), std::chrono::microseconds(1s)}) {
                SimulationOptions options = watched(call, told);
                options.faults.push_back({rank, call, Fault::Kind::Kill});
                const auto result = simulateJob(rankCount, options, Slave(), [](Master&) {});
                REQUIRE_MESSAGE(hasEndedInOrder(result), rank, " at call ", call, ": ", result.describe(), " ", result.stuckText);
                killedCount += result.ranks[static_cast<std::size_t>(rank)].how == detail::RankEnd::Killed ? 1 : 0;
            }
        }
    }
    CHECK(killedCount > (isSanitized ? 40 : 200));
}

TEST_CASE("EndTree under simulation: the end is the same for all in the exercise of deaths and silences, whatever their number") {
    Seeds::forEach(1500, [](std::uint64_t seed) {
        SeededRandom random(seed);
        const int rankCount = 8 + static_cast<int>(random.below(20));
        SimulationOptions options = watched(seed, random.oneIn(2) ? 1'000'000us : 1000us);
        std::map<int, Fault> faults;
        for (std::size_t i = 0; i < 1 + random.below(static_cast<std::size_t>(rankCount) / 2); ++i) {
            const int rank = 1 + static_cast<int>(random.below(static_cast<std::size_t>(rankCount) - 1));
            faults.emplace(rank, Fault{rank, 1 + random.below(50), random.oneIn(3) ? Fault::Kind::Silence : Fault::Kind::Kill});
        }
        for (const auto& [rank, fault] : faults) options.faults.push_back(fault);
        const auto result = simulateJob(rankCount, options, Slave(), [](Master&) {});
        REQUIRE_MESSAGE(hasEndedInOrder(result), result.describe(), " ", result.stuckText);
    });
}

TEST_CASE("EndTree under simulation: a slave at work does not keep the word to stop from the slaves below it") {
    constexpr int rankCount = 16;
    constexpr int busy = 8;    // ranks 9 to 15 are below it in the tree
    std::vector<std::chrono::milliseconds> ended(rankCount);
    Slave slave;
    slave.on<Work>([&ended](const Work&, Task& task) -> int {
        Connector& connector = task.connector();
        const auto begin = connector.now();
        if (connector.rank() == busy) compute(connector, 3s);
        try {
            for (;;) connector.receive<int>(0);
        } catch (...) {
            ended[static_cast<std::size_t>(connector.rank())] =
                std::chrono::duration_cast<std::chrono::milliseconds>(connector.now() - begin);
            throw;
        }
    });
    const auto result = simulateJob(rankCount, {}, slave, [](Master& master) {
        std::vector<Future<int>> open;
        for (int i = 1; i < rankCount; ++i) open.push_back(master.submit(Work{}));
        const auto end = master.connector().now() + 100ms;    // each slave has begun then
        while (master.connector().now() < end) {
            master.poll();
            detail::mailboxOf(master.connector()).transport().idle(1ms);
        }
    });
    REQUIRE_MESSAGE(hasEndedInOrder(result), result.describe());
    CHECK(ended[busy] >= 3s);
    for (std::size_t rank = 1; rank < rankCount; ++rank) {
        if (rank != busy) CHECK(ended[rank] < 1s);
    }
}

TEST_CASE(
    "EndTree under simulation: a job that fails has no more letters for a rank than the tree has levels, but for the rank that fails") {
    for (const int rankCount : {32, 33, 100, 250}) {
        for (const int failing : {0, 1, rankCount / 2, rankCount - 1}) {
            CAPTURE(rankCount);
            CAPTURE(failing);
            LetterCounts counts(static_cast<std::size_t>(rankCount));
            const auto result = simulateParts(rankCount, countedBy(counts), failsOn(failing));
            REQUIRE_MESSAGE(hasFailedInOrder(result), result.describe(), " ", result.stuckText);
            // Down: stop and release; up: left and released. The rank that fails also reports, and tells the master that it leaves.
            CHECK(mostOf(counts) <= 2 * levelsOf(rankCount) + 2);
        }
    }
}

TEST_CASE("EndTree under simulation: a job that fails ends with one status on all ranks that live, whoever dies or is silent") {
    Seeds::forEach(400, [](std::uint64_t seed) {
        SeededRandom random(seed);
        const int rankCount = 32 + static_cast<int>(random.below(9));
        SimulationOptions options = watched(seed, random.oneIn(2) ? 1'000'000us : 1000us);
        const int failing = static_cast<int>(random.below(static_cast<std::size_t>(rankCount)));
        std::map<int, Fault> faults;
        for (std::size_t i = 0; i < random.below(6); ++i) {
            const int rank = 1 + static_cast<int>(random.below(static_cast<std::size_t>(rankCount) - 1));
            if (rank == failing) continue;
            faults.emplace(rank, Fault{rank, 1 + random.below(100), random.oneIn(3) ? Fault::Kind::Silence : Fault::Kind::Kill});
        }
        for (const auto& [rank, fault] : faults) options.faults.push_back(fault);
        const auto result = simulateParts(rankCount, options, failsOn(failing));
        REQUIRE_MESSAGE(hasFailedInOrder(result), result.describe(), " ", result.stuckText);
    });
}

TEST_CASE("EndTree under simulation: a rank at work does not keep a failure from the ranks below it") {
    constexpr int rankCount = 64;
    constexpr int busy = 32;    // ranks 33 to 63 are below it in the tree
    std::vector<std::chrono::milliseconds> ended(rankCount);
    const auto result = simulateParts(rankCount, {}, [&ended](Connector& connector) {
        const auto begin = connector.now();
        if (connector.rank() == 5) throw std::runtime_error("the valve is stuck");
        if (connector.rank() == busy) compute(connector, 1s);
        try {
            connector.receive<int>(5);
        } catch (...) {
            ended[static_cast<std::size_t>(connector.rank())] =
                std::chrono::duration_cast<std::chrono::milliseconds>(connector.now() - begin);
            throw;
        }
    });
    REQUIRE_MESSAGE(hasFailedInOrder(result), result.describe());
    CHECK(ended[busy] >= 1s);
    for (std::size_t rank = 0; rank < rankCount; ++rank) {
        if (rank != busy) CHECK(ended[rank] < 700ms);
    }
}

TEST_CASE("EndTree under simulation: no failure is overtaken by the word that its rank has left") {
    const std::filesystem::path path = std::filesystem::temp_directory_path() / fmt::format("ferryEndTree.{}.json", getpid());
    Seeds::forEach(60, [&path](std::uint64_t seed) {
        SeededRandom random(seed);
        constexpr int rankCount = 40;
        SimulationOptions options;
        options.seed = seed;
        options.packetDelay = 2ms;
        std::filesystem::remove(path);    // a job does not replace the report that another one has left
        std::set<int> failing, thrown;
        while (failing.size() < 5) failing.insert(static_cast<int>(random.below(rankCount)));
        detail::ShutdownSettings settings;
        settings.reportPath = path.string();
        const auto result = simulate(rankCount, options, [&](Connector& connector) {
            detail::Shutdown shutdown(connector, settings);
            return shutdown.conduct(detail::Shutdown::End::WithMaster, [&]() -> int {
                const int rank = connector.rank();
                if (failing.contains(rank)) {
                    thrown.insert(rank);
                    throw std::runtime_error(fmt::format("valve {} is stuck", rank));
                }
                connector.receive<int>((rank + 1) % connector.size());
                return 0;
            });
        });
        REQUIRE_MESSAGE(hasFailedInOrder(result), result.describe(), " ", result.stuckText);
        std::ifstream file(path);
        const std::string text(std::istreambuf_iterator<char>(file), {});
        for (const int rank : thrown) {
            CAPTURE(rank);
            REQUIRE(text.find(fmt::format("valve {} is stuck", rank)) != std::string::npos);
        }
    });
    std::filesystem::remove(path);
}

TEST_CASE("EndTree under simulation: where every rank has a part, no rank sends more packets than the tree has levels, per step") {
    for (const int rankCount : {8, 9, 33, 100, 250}) {
        CAPTURE(rankCount);
        const EndOfAll end = simulateAll(rankCount, ofManyRanks(), [](Connector&) {});
        REQUIRE_MESSAGE(end.result.haveAllReturned(), end.result.describe());
        CHECK(*std::max_element(end.sent.begin(), end.sent.end()) <= 2 * levelsOf(rankCount) + 1);
    }
    for (const int rankCount : {32, 33, 100, 250}) {
        for (const int failing : {0, 1, rankCount / 2, rankCount - 1}) {
            CAPTURE(rankCount);
            CAPTURE(failing);
            const EndOfAll end = simulateAll(rankCount, ofManyRanks(), failsOn(failing));
            REQUIRE_MESSAGE(hasFailedInOrder(end.result), end.result.describe(), " ", end.result.stuckText);
            CHECK(*std::max_element(end.sent.begin(), end.sent.end()) <= 3 * levelsOf(rankCount) + 2);
        }
    }
}

TEST_CASE("EndTree under simulation: a rank that waits for one of many that have left is told of that a second later") {
    constexpr int rankCount = 33;
    for (const int from : {0, 5, AnyRank}) {
        CAPTURE(from);
        const EndOfAll end = simulateAll(rankCount, ofManyRanks(), [from](Connector& connector) {
            if (connector.rank() != 7) return;
            const auto begin = connector.now();
            CHECK_THROWS_AS(static_cast<void>(connector.receive<int>(from)), RankHasLeft);
            CHECK(connector.now() - begin < 2s);
        });
        CHECK(haveOneStatus(end.result));
        CHECK(end.result.values.front() == exitStatus::success);
    }
}

TEST_CASE("EndTree under simulation: where every rank has a part, all end alike in the exercise of late, failing and dead ranks") {
    std::size_t successes = 0;
    Seeds::forEach(1500, [&successes](std::uint64_t seed) {
        SeededRandom random(seed);
        const int rankCount = 8 + static_cast<int>(random.below(40));
        SimulationOptions options = ofManyRanks();
        options.seed = seed;
        options.tellsDeathsWithin = random.oneIn(2) ? 1'000'000us : 1000us;
        // Each rank works for a while. Some then fail, send a message, or wait for a lower rank, which may have left. The last rank may
        // wait for all others.
        const std::size_t longest = random.oneIn(2) ? 1 : 3000;
        const std::size_t rarity = random.oneIn(4) ? 40 : 4000;
        std::vector<std::size_t> workOf, deed;
        std::vector<int> awaited;
        for (int rank = 0; rank < rankCount; ++rank) {
            workOf.push_back(random.below(longest));
            deed.push_back(random.below(rarity));
            awaited.push_back(rank == 0 ? 0 : static_cast<int>(random.below(static_cast<std::size_t>(rank))));
        }
        if (random.oneIn(2)) awaited.back() = AnyRank;
        std::map<int, Fault> faults;
        for (std::size_t i = 0; !random.oneIn(3) && i < 1 + random.below(4); ++i) {
            const int rank = static_cast<int>(random.below(static_cast<std::size_t>(rankCount)));
            faults.emplace(rank,
                           Fault{rank, 1 + random.below(80), rank != 0 && random.oneIn(3) ? Fault::Kind::Silence : Fault::Kind::Kill});
        }
        for (const auto& [rank, fault] : faults) options.faults.push_back(fault);
        const EndOfAll end = simulateAll(rankCount, options, [&](Connector& connector) {
            const auto rank = static_cast<std::size_t>(connector.rank());
            work(connector, std::chrono::milliseconds(workOf[rank]));
            if (deed[rank] == 0) throw std::runtime_error("the valve is stuck");
            if (deed[rank] == 1 && awaited[rank] != connector.rank()) {
                try {
                    connector.receive<int>(awaited[rank]);
                } catch (const RankHasLeft&) {
                    return;
                } catch (const LostRank&) {
                    return;
                }
            }
            if (deed[rank] == 2) connector.send((connector.rank() + 1) % connector.size(), 1);
        });
        REQUIRE_MESSAGE(haveOneStatus(end.result), end.result.describe(), " ", end.result.stuckText);
        if (end.result.values.back() == exitStatus::success) ++successes;
    });
    if (Seeds::areMany()) CHECK(successes > 100);
}

namespace endtreetest {

/// A job in which every rank has a part. It ends in order, or one rank throws, or one rank is lost before the end.
enum class Scenario { Return, Throw, Loss };

/// Options under which this seed kills ranks while the job ends.
struct DeathsInEnd {
    int rankCount = 0;
    Scenario scenario = Scenario::Return;
    int special = 0;    ///< the rank that throws, or is lost before the end
    SimulationOptions options;

    EndOfAll run() const {
        return simulateAll(rankCount, options, [this](Connector& connector) {
            if (scenario == Scenario::Throw && connector.rank() == special) throw std::runtime_error("the valve is stuck");
            if (scenario == Scenario::Loss) work(connector, connector.rank() == 0 ? 3ms : 2ms);
        });
    }
    /// Lets the rank die, or fall silent, at one of the calls that it makes in the job.
    void kill(int rank, SeededRandom& random) {
        const std::uint64_t calls = run().result.ranks[static_cast<std::size_t>(rank)].callCount;
        const Fault::Kind kind = rank != 0 && random.oneIn(4) ? Fault::Kind::Silence : Fault::Kind::Kill;
        options.faults.push_back({rank, 1 + random.below(calls), kind});
    }
};

DeathsInEnd drawDeathsInEnd(std::uint64_t seed, SeededRandom& random) {
    constexpr int numbers[] = {2, 3, 4, 5, 6, 7, 8, 9, 31, 32, 33};
    DeathsInEnd job;
    job.rankCount = numbers[random.below(std::size(numbers))];
    job.scenario = static_cast<Scenario>(random.below(3));
    job.special = static_cast<int>(random.below(static_cast<std::size_t>(job.rankCount)));
    job.options = ofManyRanks();
    job.options.seed = seed;
    job.options.maxTime = 60s;
    job.options.tellsDeathsWithin = random.oneIn(2) ? 1'000'000us : 1000us;
    if (job.scenario == Scenario::Loss) {
        job.special = 1 + static_cast<int>(random.below(static_cast<std::size_t>(job.rankCount) - 1));
        job.options.faults.push_back({job.special, 2, Fault::Kind::Kill});
    }
    return job;
}

}    // namespace endtreetest

TEST_CASE("EndTree under simulation: whoever dies while the ranks are released, no rank waits for ever, and all have one status") {
    Seeds::forEach(1500, [](std::uint64_t seed) {
        SeededRandom random(seed);
        DeathsInEnd job = drawDeathsInEnd(seed, random);
        const int deaths = 1 + static_cast<int>(random.oneIn(3) ? 1 + random.below(2) : 0);
        for (int i = 0; i < deaths; ++i) {
            const int rank = i == 0 && !random.oneIn(3) ? 0 : static_cast<int>(random.below(static_cast<std::size_t>(job.rankCount)));
            job.kill(rank, random);
        }
        const EndOfAll end = job.run();
        REQUIRE_MESSAGE(haveOneStatus(end.result), end.result.describe(), " ", end.result.stuckText);
    });
}

namespace endtreetest {

/// Simulates a job in which these ranks die at work, one some milliseconds after the other, while all others have returned.
EndOfAll simulateDeathsAtWork(int rankCount, const std::vector<int>& dying, SimulationOptions options) {
    options.tellsDeathsWithin = 1ms;
    for (std::size_t i = 0; i < dying.size(); ++i) options.faults.push_back({dying[i], 8 + 20 * i, Fault::Kind::Kill});
    return simulateAll(rankCount, std::move(options), [&dying](Connector& connector) {
        if (std::find(dying.begin(), dying.end(), connector.rank()) == dying.end()) return;
        for (int i = 0; i < 2000; ++i) work(connector, 1ms);
    });
}

/// Changes an int of the first letter `Left` with this key.
class DamagesList final : public TransportDecorator {
public:
    DamagesList(std::unique_ptr<detail::Transport> inner, std::int32_t key, std::size_t place, std::int32_t value, int& damaged)
        : TransportDecorator(std::move(inner)),
          key_(key),
          place_(place),
          value_(value),
          damaged_(damaged) {}
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        const bool isOfKind = ints.ints()[0] == static_cast<std::int32_t>(detail::MessageKind::Left) && ints.ints()[1] == key_;
        if (isOfKind && channel == detail::Channel::Control && damaged_ == 0) {
            std::vector<std::int32_t> changed(ints.ints().begin(), ints.ints().end());
            damaged_ = static_cast<int>(changed.size());
            changed.resize(std::max(changed.size(), place_ + 1));
            changed[place_] = value_;
            ints = IntBuffer();
            IntWriter(ints).writeInts(changed);
        }
        TransportDecorator::startSend(to, channel, std::move(ints));
    }

private:
    const std::int32_t key_;
    const std::size_t place_;
    const std::int32_t value_;
    int& damaged_;    ///< number of ints of the letter that was damaged; 0: none was
};

}    // namespace endtreetest

TEST_CASE("EndTree under simulation: after deaths, no rank sends more packets than the tree has levels, for each death") {
    for (const std::vector<int>& dying : std::vector<std::vector<int>>{{128}, {255}, {1}, {64, 192}, {128, 129, 130}, {7, 128, 64, 200}}) {
        constexpr int rankCount = 256;
        CAPTURE(dying.front());
        CAPTURE(dying.size());
        const EndOfAll end = simulateDeathsAtWork(rankCount, dying, ofManyRanks());
        REQUIRE_MESSAGE(haveOneStatus(end.result), end.result.describe(), " ", end.result.stuckText);
        CHECK(end.result.values.front() == exitStatus::success);
        for (const int rank : dying) CHECK(end.result.ranks[static_cast<std::size_t>(rank)].how == detail::RankEnd::Killed);
        const int steps = 2 + static_cast<int>(dying.size());
        CHECK(end.sent.front() <= steps * levelsOf(rankCount));
        CHECK(*std::max_element(end.sent.begin(), end.sent.end()) <= (steps + 1) * levelsOf(rankCount));
    }
}

TEST_CASE("EndTree under simulation: where ranks come late to the end, no rank sends more packets than the tree has levels") {
    constexpr int rankCount = 256;
    for (const std::vector<int>& late : std::vector<std::vector<int>>{{128}, {255}, {1}, {64, 192, 200}}) {
        CAPTURE(late.front());
        const EndOfAll end = simulateAll(rankCount, ofManyRanks(), [&late](Connector& connector) {
            if (std::find(late.begin(), late.end(), connector.rank()) != late.end()) work(connector, 6s);
        });
        REQUIRE_MESSAGE(end.result.haveAllReturned(), end.result.describe());
        // Beside the steps of an ordinary end: the list of those who are late, and a farewell to each of them.
        CHECK(end.sent.front() <= 3 * levelsOf(rankCount) + 2 * static_cast<int>(late.size()));
        CHECK(*std::max_element(end.sent.begin(), end.sent.end()) <= 6 * levelsOf(rankCount) + 2 * static_cast<int>(late.size()));
    }
}

TEST_CASE("EndTree under simulation: whoever dies while a death is told along the tree, all end alike") {
    int killedCount = 0;
    for (const int rankCount : rankCounts()) {
        for (const int first : {rankCount - 1, rankCount / 2}) {
            const EndOfAll whole = simulateDeathsAtWork(rankCount, {first}, ofManyRanks());
            for (int rank = 0; rank < rankCount; rank += rank < 9 || Seeds::areMany() ? 1 : 5) {
                if (rank == first) continue;
                const std::uint64_t calls = whole.result.ranks[static_cast<std::size_t>(rank)].callCount;
                for (std::uint64_t call = calls > 24 ? calls - 24 : 1; call <= calls; call += Seeds::areMany() ? 1 : 3) {
                    CAPTURE(rankCount);
                    CAPTURE(rank);
                    CAPTURE(call);
                    SimulationOptions options = ofManyRanks();
                    options.maxTime = 60s;
                    options.faults.push_back({rank, call, Fault::Kind::Kill});
                    const EndOfAll end = simulateDeathsAtWork(rankCount, {first}, options);
                    REQUIRE_MESSAGE(haveOneStatus(end.result), end.result.describe(), " ", end.result.stuckText);
                    const std::size_t alive = first == rankCount - 1 ? 1 : static_cast<std::size_t>(rankCount) - 1;
                    if (rank != static_cast<int>(alive)) CHECK(end.result.values[alive] == exitStatus::success);
                    killedCount += end.result.ranks[static_cast<std::size_t>(rank)].how == detail::RankEnd::Killed ? 1 : 0;
                }
            }
        }
    }
    CHECK(killedCount > (isSanitized ? 20 : 100));
}

TEST_CASE("EndTree under simulation: a rank that dies while all are told that all are released keeps nobody for long") {
    std::chrono::microseconds longest{0};
    for (const int rankCount : rankCounts()) {
        const EndOfAll whole = simulateAll(rankCount, ofManyRanks(), [](Connector&) {});
        for (int rank = 1; rank < rankCount; rank += Seeds::areMany() ? 1 : 3) {
            const std::uint64_t calls = whole.result.ranks[static_cast<std::size_t>(rank)].callCount;
            for (std::uint64_t call = calls > 20 ? calls - 20 : 1; call <= calls; ++call) {
                SimulationOptions options = ofManyRanks();
                options.tellsDeathsWithin = 1ms;
                options.faults.push_back({rank, call, Fault::Kind::Kill});
                const EndOfAll end = simulateAll(rankCount, options, [](Connector&) {});
                REQUIRE_MESSAGE(haveOneStatus(end.result), end.result.describe(), " ", end.result.stuckText);
                longest = std::max(longest, end.result.time);
            }
        }
    }
    CHECK(longest < 4s);
}

namespace endtreetest {

/// Damages a list of ranks in all ways of a table. Returns how often a rank has refused it, and ended.
int refusalsOf(std::int32_t key, bool isOfDeath) {
    constexpr int rankCount = 16;
    int refused = 0;
    for (std::size_t place = detail::Envelope::sizeInts; place < detail::Envelope::sizeInts + 12; ++place) {
        for (const std::int32_t value : {-1, 0, 1, 2, 8, 16, 0x10000, 0x7fffffff, INT32_MIN}) {
            if (isSanitized && (place + static_cast<std::size_t>(value)) % 3 != 0) continue;
            CAPTURE(place);
            CAPTURE(value);
            int damaged = 0;
            SimulationOptions options = ofManyRanks();
            options.maxTime = 60s;
            options.tellsDeathsWithin = 1ms;
            if (isOfDeath) options.faults.push_back({9, 8, Fault::Kind::Kill});
            options.decorate = [&](std::unique_ptr<detail::Transport> transport) -> std::unique_ptr<detail::Transport> {
                return std::make_unique<DamagesList>(std::move(transport), key, place, value, damaged);
            };
            const auto result = simulate(rankCount, options, [](Connector& connector) {
                detail::Shutdown shutdown(connector);
                return shutdown.conduct(detail::Shutdown::End::WithAll, [&]() -> int {
                    for (int i = 0; connector.rank() == 9 && i < 1500; ++i) work(connector, 1ms);
                    return 0;
                });
            });
            REQUIRE(damaged > 0);
            REQUIRE_MESSAGE(result.stuckText.empty(), result.describe(), " ", result.stuckText);
            if (!result.abortStatus) REQUIRE_MESSAGE(haveOneStatus(result), result.describe());
            if (result.abortStatus) REQUIRE(result.abortStatus == exitStatus::exception);
            refused += result.abortStatus ? 1 : 0;
        }
    }
    return refused;
}

}    // namespace endtreetest

TEST_CASE("EndTree under simulation: a damaged list of lost or late ranks is refused, and no rank waits for ever") {
    CHECK(refusalsOf(8, true) > (isSanitized ? 5 : 20));
    CHECK(refusalsOf(9, false) > (isSanitized ? 5 : 20));
}

TEST_CASE("EndTree under simulation: the master dies while a rank has ended without the job, and all others end") {
    Seeds::forEach(600, [](std::uint64_t seed) {
        SeededRandom random(seed);
        const int rankCount = 3 + static_cast<int>(random.below(random.oneIn(3) ? 40 : 7));
        SimulationOptions options = ofManyRanks();
        options.seed = seed;
        options.maxTime = 120s;
        options.tellsDeathsWithin = random.oneIn(2) ? 1'000'000us : 1000us;
        const int leaver = 1 + static_cast<int>(random.below(static_cast<std::size_t>(rankCount) - 1));
        const std::size_t longest = random.oneIn(2) ? 1 : 20;
        std::vector<std::size_t> workOf;
        for (int rank = 0; rank < rankCount; ++rank) workOf.push_back(random.below(longest));
        const auto run = [&] {
            return simulate(rankCount, options, [&](Connector& connector) {
                detail::Shutdown shutdown(connector);
                const auto time = std::chrono::milliseconds(workOf[static_cast<std::size_t>(connector.rank())]);
                if (connector.rank() == leaver) {
                    try {
                        work(connector, time);
                    } catch (const Terminated&) {}
                    return shutdown.conductExit(0);
                }
                return shutdown.conduct(detail::Shutdown::End::WithAll, [&]() -> int {
                    work(connector, time);
                    return 0;
                });
            });
        };
        options.faults.push_back({0, 1 + random.below(run().ranks.front().callCount), Fault::Kind::Kill});
        const auto result = run();
        REQUIRE_MESSAGE(result.stuckText.empty(), seed, ": leaver ", leaver, ": ", result.describe(), " ", result.stuckText);
        REQUIRE_MESSAGE(!result.abortStatus, seed, ": leaver ", leaver, ": ", result.describe());
        std::optional<int> status;
        for (std::size_t rank = 1; rank < result.ranks.size(); ++rank) {
            if (rank == static_cast<std::size_t>(leaver)) continue;
            REQUIRE(result.ranks[rank].how == detail::RankEnd::Returned);
            if (!status) status = result.values[rank];
            REQUIRE_MESSAGE(result.values[rank] == status, seed, ": leaver ", leaver, ": ", rank, " ", *status, " ", *result.values[rank]);
        }
        REQUIRE(result.time < 60s);
    });
}
