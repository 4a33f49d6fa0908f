// Results that stay with slaves, on thousands of schedules, with throws, cancellations and deaths in every phase.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/exception/LostResult.hpp>
#include <ferry/framework/exception/NoSlavesLeft.hpp>
#include <ferry/framework/exception/PoisonTask.hpp>
#include <ferry/framework/slave/KeptStore.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/simulation/Seeds.hpp>
#include <ferry/tests/simulation/TransportDecorator.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace keepexercise {

using namespace std::chrono_literals;

using Numbers = std::vector<int>;

struct Make {
    int first = 0;
    int count = 0;
    bool throws = false;
    using Reply = Numbers;
};
/// The sums of the parts, place by place.
struct Join {
    std::vector<Ref<Numbers>> parts;
    bool throws = false;
    using Reply = Numbers;
};
struct Total {
    std::vector<Ref<Numbers>> parts;
    bool throws = false;
    using Reply = long;
};
/// The task of a team that computes what Join does. Its result stays with a slave, too.
struct JoinTogether {
    std::vector<Ref<Numbers>> parts;
    bool throws = false;
    using Reply = Numbers;
};
/// The number of results on the slave that does the task.
struct CountKept {
    using Reply = int;
};

Numbers make(const Make& task) {
    if (task.throws) throw Refused(task.first);
    Numbers numbers(static_cast<std::size_t>(task.count));
    std::iota(numbers.begin(), numbers.end(), task.first);
    return numbers;
}

void add(Numbers& sum, const Numbers& part) {
    sum.resize(std::max(sum.size(), part.size()));
    for (std::size_t i = 0; i < part.size(); ++i) sum[i] += part[i];
}

long totalOf(const Numbers& numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0L); }

Numbers join(const std::vector<Ref<Numbers>>& parts) {
    Numbers sum;
    for (const Ref<Numbers>& part : parts) add(sum, *part);
    return sum;
}

void define(Slave& slave) {
    slave.on<Make>(make);
    slave.on<Join>([](const Join& task) {
        if (task.throws) throw Refused(1);
        return join(task.parts);
    });
    slave.on<JoinTogether>([](const JoinTogether& task, Team& team) {
        Connector& c = team.connector();
        Numbers sum = join(task.parts);
        xassert(c.allReduce(static_cast<long>(sum.size()), Max{}) == static_cast<long>(sum.size()));
        if (task.throws && c.rank() == c.size() - 1) throw Refused(3);
        c.barrier();
        return sum;
    });
    slave.on<Total>([](const Total& task) {
        long total = 0;
        for (const Ref<Numbers>& part : task.parts) total += totalOf(*part);
        if (task.throws) throw Refused(2);
        return total;
    });
    slave.on<CountKept>([](const CountKept&) { return static_cast<int>(detail::KeptStore::ofThisThread()->count()); });
}

/// The ways in which a schedule may disturb a task.
struct Danger {
    bool areMortal = false;
    bool throws = false;
    bool isCancelled = false;
};

/// The outcome of a future, or nothing when it ends in one of the ways that the dangers allow.
template <class T>
std::optional<T> outcomeOf(Future<T>& future, const Danger& danger) {
    try {
        std::optional<T> outcome(future.get());
        xassert(!danger.throws || danger.isCancelled);
        return outcome;
    } catch (const Refused&) {
        xassert(danger.throws);
    } catch (const Cancelled&) {
        xassert(danger.isCancelled);
    } catch (const LostResult& lost) {
        xassert(danger.areMortal && lost.cause() != nullptr);
    } catch (const PoisonTask&) {
        xassert(danger.areMortal);
    } catch (const LostRank&) {    // of a team
        xassert(danger.areMortal);
    } catch (const ExceptionList& list) {    // of a team
        for (const Failure& failure : list) {
            const bool isOfDeath = danger.areMortal && failure.as<LostRank>() != nullptr;
            xassert(isOfDeath || (danger.throws && failure.as<Refused>() != nullptr), "{}", failure.what());
        }
    }
    return std::nullopt;
}

struct KeptNumbers {
    Ref<Numbers> ref;
    Numbers expected;
};

class Conduct {
public:
    Conduct(Master& master, std::uint64_t seed, bool areMortal) : master_(master), random_(seed), areMortal_(areMortal) {}

    void run() {
        for (int round = 0; round < 12; ++round) step();
        kept_.clear();
        master_.waitForAll();
        int most = mostKept();
        for (int i = 0; i < 100 && most > 0; ++i) most = mostKept();    // with sub-masters, tasks overtake the master's word
        xassert(most == 0);
    }

private:
    /// The greatest number of results on a slave, after each has been asked several times.
    int mostKept() {
        std::vector<Future<int>> counts;
        for (int i = 0; i < 2 * master_.slaveCount(); ++i) counts.push_back(master_.submit(CountKept{}, {.slavesAtMost = 1000}));
        int most = 0;
        for (Future<int>& count : counts) most = std::max(most, count.get());
        return most;
    }

    void step() {
        switch (random_.below(7)) {
            case 0:
            case 1: return makeSome();
            case 2: return join();
            case 3: return total();
            case 4: return bring();
            case 5: return joinTogether();
            default: return forget();
        }
    }

    TaskOptions options() {
        TaskOptions options;
        options.priority = static_cast<int>(random_.below(2));
        options.isRepeatable = !random_.oneIn(8);
        return options;
    }

    bool mayCancel(auto& future) {
        if (!random_.oneIn(8)) return false;
        future.cancel();
        return true;
    }

    void makeSome() {
        std::vector<std::pair<Future<Ref<Numbers>>, Make>> made;
        const auto count = 1 + random_.below(4);
        for (std::uint64_t i = 0; i < count; ++i) {
            const Make task{static_cast<int>(random_.below(100)), static_cast<int>(random_.oneIn(5) ? 9000 : random_.below(20)),
                            random_.oneIn(10)};
            made.emplace_back(master_.submit(task, Keep{}, options()), task);
        }
        for (auto& [future, task] : made) {
            const bool isCancelled = mayCancel(future);
            if (auto ref = outcomeOf(future, {areMortal_, task.throws, isCancelled})) kept_.push_back({*ref, make(task)});
        }
    }

    std::vector<std::size_t> some() {
        std::vector<std::size_t> chosen;
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            if (random_.oneIn(2)) chosen.push_back(i);
        }
        return chosen;
    }

    void join() {
        Join task{{}, random_.oneIn(10)};
        Numbers expected;
        for (const std::size_t i : some()) {
            task.parts.push_back(kept_[i].ref);
            add(expected, kept_[i].expected);
        }
        auto future = master_.submit(task, Keep{}, options());
        if (random_.oneIn(3)) forget();    // the task holds its results
        const bool isCancelled = mayCancel(future);
        if (auto ref = outcomeOf(future, {areMortal_, task.throws, isCancelled})) kept_.push_back({*ref, std::move(expected)});
    }

    void joinTogether() {
        JoinTogether task{{}, random_.oneIn(10)};
        Numbers expected;
        for (const std::size_t i : some()) {
            task.parts.push_back(kept_[i].ref);
            add(expected, kept_[i].expected);
        }
        const int slaves = std::clamp(master_.slaveCount(), 1, 4);
        const TeamSize size = ranks(1 + static_cast<int>(random_.below(static_cast<std::uint64_t>(slaves))));
        try {
            auto future = master_.submit(task, size, Keep{}, options());
            if (random_.oneIn(3)) forget();
            if (random_.oneIn(3)) makeSome();
            const bool isCancelled = mayCancel(future);
            if (auto ref = outcomeOf(future, {areMortal_, task.throws, isCancelled})) kept_.push_back({*ref, std::move(expected)});
        } catch (const UsageError&) {
            xassert(areMortal_);    // a slave was lost between the two calls
        }
    }

    void total() {
        struct Asked {
            Future<long> future;
            long expected;
            bool throws;
            bool isCancelled;
        };
        std::vector<Asked> asked;
        const auto count = 1 + random_.below(5);
        for (std::uint64_t i = 0; i < count; ++i) {
            Total task{{}, random_.oneIn(10)};
            long expected = 0;
            for (const std::size_t each : some()) {
                task.parts.push_back(kept_[each].ref);
                expected += totalOf(kept_[each].expected);
            }
            auto future = master_.submit(task, {.retry = RetryOn<std::range_error>{.times = 1}});
            const bool isCancelled = mayCancel(future);
            asked.push_back({std::move(future), expected, task.throws, isCancelled});
            if (random_.oneIn(3)) master_.poll();
        }
        if (random_.oneIn(3)) forget();
        for (Asked& each : asked) {
            if (random_.oneIn(12)) continue;    // the future is dropped
            const auto total = outcomeOf(each.future, {areMortal_, each.throws, each.isCancelled});
            xassert(!total || *total == each.expected);
        }
    }

    void bring() {
        for (const std::size_t each : some()) {
            try {
                xassert(kept_[each].ref.get() == kept_[each].expected);
            } catch (const LostResult& lost) {
                xassert(areMortal_ && lost.cause() != nullptr);
            }
        }
    }

    void forget() {
        std::vector<KeptNumbers> left;
        for (KeptNumbers& each : kept_) {
            if (!random_.oneIn(3)) left.push_back(std::move(each));
        }
        kept_ = std::move(left);
    }

    Master& master_;
    SeededRandom random_;
    const bool areMortal_;
    std::vector<KeptNumbers> kept_;
};

void checkOneSchedule(std::uint64_t seed, bool areMortal, int groupSize) {
    SeededRandom random(seed ^ 0x6eef);
    const int rankCount = areMortal ? 3 + static_cast<int>(seed % 5) : std::max(rankCountFor(seed), groupSize + 2);
    SimulationOptions options;
    options.seed = seed;
    if (areMortal) {
        options.tellsDeathsWithin = random.oneIn(2) ? 100'000us : 100us;
        const auto lostCount = 1 + random.below(static_cast<std::uint64_t>(rankCount - 1));    // now and then all of them
        for (std::uint64_t i = 0; i < lostCount; ++i) {
            const auto rank = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(rankCount - 1)));
            options.faults.push_back({rank, 1 + random.below(random.oneIn(2) ? 100 : 1000), Fault::Kind::Kill});
        }
    }
    const JobRun job{.define = define,
                     .program =
                         [&](Master& master) {
                             try {
                                 Conduct(master, seed, areMortal).run();
                             } catch (const NoSlavesLeft&) {
                                 xassert(areMortal);
                             }
                         },
                     .check = nullptr,
                     .groupSize = groupSize};
    const auto result = simulate(rankCount, options, [&job](Connector& connector) { return conductJob(connector, job); });
    INFO(result.describe(), " ", result.stuckText);
    CHECK(result.stuckText.empty());
    CHECK(result.values[0] == exitStatus::success);
}

/// Does a task again until its future has a value. A team at work is broken by the loss of one of its slaves. A team that gathers gathers
/// anew, also when a result is lost that it reads.
template <class Result>
Result untilDone(const std::function<Future<Result>()>& submit) {
    for (int i = 0; i < 50; ++i) {
        try {
            return submit().get();
        } catch (const LostRank&) {
        } catch (const ExceptionList& list) {
            xassert(!list.of<LostRank>().empty());
        }
    }
    xassert(false, "a task of a team was broken 50 times");
    return submit().get();
}

/// Results of teams that read results of teams. Each of them stays right, whichever slaves die.
void useResultsOfTeams(Master& master) {
    const TaskOptions brave{.slavesAtMost = 1000};
    for (int round = 0; round < 4; ++round) {
        const Make first{10 * round, 5 + round};
        const Ref<Numbers> made = master.submit(first, Keep{}, brave).get();
        const auto ofTeam = [&](int size, const std::vector<Ref<Numbers>>& parts) {
            return untilDone<Ref<Numbers>>([&] { return master.submit(JoinTogether{parts}, ranks(size), Keep{}, brave); });
        };
        std::vector<Ref<Numbers>> chain{made};
        for (int size : {2, 3, 1, 3}) chain.push_back(ofTeam(size, chain));
        const long one = totalOf(make(first));
        std::vector<Future<long>> totals;
        for (int i = 0; i < 4; ++i) totals.push_back(master.submit(Total{{chain[4], chain[static_cast<std::size_t>(i)]}}, brave));
        std::vector<Future<Numbers>> sums;    // teams that gather while slaves have other tasks
        const auto sumOfLast = [&](int size) { return master.submit(JoinTogether{{chain[4], chain[3]}}, ranks(size), brave); };
        for (int size : {3, 2, 3}) sums.push_back(sumOfLast(size));
        xassert(totals[0].get() == 9 * one && totals[1].get() == 9 * one && totals[2].get() == 10 * one && totals[3].get() == 12 * one);
        for (Future<Numbers>& sum : sums) {
            bool isFirst = true;
            const Numbers found = untilDone<Numbers>([&] { return std::exchange(isFirst, false) ? std::move(sum) : sumOfLast(2); });
            xassert(totalOf(found) == 12 * one);
        }
        const Ref<Numbers> last = chain[4], before = chain[2];
        chain.clear();
        Numbers expected = make(first);
        for (int& number : expected) number *= 8;
        xassert(last.get() == expected);
        xassert(totalOf(before.get()) == 2 * one);
    }
}

/// Slaves die at any time. Enough of them are left for the greatest team.
void checkTeamsMadeAgain(std::uint64_t seed, int groupSize) {
    SeededRandom random(seed ^ 0x7ea3);
    const int rankCount = (groupSize > 0 ? 12 : 7) + static_cast<int>(random.below(4));
    SimulationOptions options;
    options.seed = seed;
    options.tellsDeathsWithin = random.oneIn(2) ? 100'000us : 100us;
    const auto lostCount = 1 + random.below(3);
    for (std::uint64_t i = 0; i < lostCount; ++i) {
        const auto rank = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(rankCount - 1)));
        options.faults.push_back({rank, 1 + random.below(random.oneIn(3) ? 100 : 1500), Fault::Kind::Kill});
    }
    const JobRun job{.define = define, .program = useResultsOfTeams, .check = nullptr, .groupSize = groupSize};
    const auto result = simulate(rankCount, options, [&job](Connector& connector) { return conductJob(connector, job); });
    INFO(result.describe(), " ", result.stuckText);
    CHECK(result.stuckText.empty());
    CHECK(result.values[0] == exitStatus::success);
}

/// Counts the bytes that one rank sends and receives.
class CountsBytes final : public TransportDecorator {
public:
    CountsBytes(std::unique_ptr<detail::Transport> inner, std::size_t& bytes) : TransportDecorator(std::move(inner)), bytes_(bytes) {}

    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        bytes_ += ints.size() * sizeof(std::int32_t);
        TransportDecorator::startSend(to, channel, std::move(ints));
    }
    std::optional<detail::Packet> poll() override {
        std::optional<detail::Packet> packet = TransportDecorator::poll();
        if (packet) bytes_ += packet->ints.size() * sizeof(std::int32_t);
        return packet;
    }

private:
    std::size_t& bytes_;
};

/// A pipeline whose stages read the results of the stage before, each of 1 MiB. Returns the number of its tasks.
int runPipeline(Master& master) {
    constexpr int width = 10, stages = 99;
    constexpr int count = (1 << 20) / static_cast<int>(sizeof(int));
    std::vector<Future<Ref<Numbers>>> stage;
    for (int i = 0; i < width; ++i) stage.push_back(master.submit(Make{i, count}, Keep{}));
    for (int level = 0; level < stages; ++level) {
        std::vector<Ref<Numbers>> before;
        for (auto& future : stage) before.push_back(future.get());
        stage.clear();
        for (std::size_t i = 0; i < before.size(); ++i) {
            const std::size_t read = level % 9 == 0 ? (i + 1) % before.size() : i;    // now and then from elsewhere
            stage.push_back(master.submit(Join{{before[read]}}, Keep{}));
        }
    }
    long total = 0;
    for (auto& future : stage) total += master.submit(Total{{future.get()}}).get();
    xassert(total == width * totalOf(make({0, count})) + static_cast<long>(count) * width * (width - 1) / 2);
    return width * (stages + 1) + width;
}

}    // namespace keepexercise

TEST_CASE("keep exercise: the master moves less than 1 KiB for each task of a pipeline over results of 1 MiB") {
    std::size_t bytes = 0;
    int taskCount = 0;
    SimulationOptions options;
    options.decorate = [&bytes](std::unique_ptr<detail::Transport> transport) -> std::unique_ptr<detail::Transport> {
        if (transport->rank() != 0) return transport;
        return std::make_unique<keepexercise::CountsBytes>(std::move(transport), bytes);
    };
    const JobRun job{.define = keepexercise::define,
                     .program = [&taskCount](Master& master) { taskCount = keepexercise::runPipeline(master); },
                     .check = nullptr};
    const auto result = simulate(5, options, [&job](Connector& connector) { return conductJob(connector, job); });
    CHECK(result.values[0] == exitStatus::success);
    REQUIRE(taskCount >= 1000);
    MESSAGE("bytes of the master for each task: ", bytes / static_cast<std::size_t>(taskCount));
    CHECK(bytes / static_cast<std::size_t>(taskCount) < 1024);
}

TEST_CASE("keep exercise: each task ends with its value or its failure, on every schedule") {
    Seeds::forEach(700, [](std::uint64_t seed) { keepexercise::checkOneSchedule(seed, false, seed % 3 == 0 ? 2 : 0); });
}

TEST_CASE("keep exercise: after deaths each value is right, or lost with its cause, and no slave keeps what nobody holds") {
    Seeds::forEach(1500, [](std::uint64_t seed) { keepexercise::checkOneSchedule(seed, true, 0); });
}

TEST_CASE("keep exercise: deaths in groups with sub-masters") {
    Seeds::forEach(700, [](std::uint64_t seed) { keepexercise::checkOneSchedule(seed, true, 2); });
}

TEST_CASE("keep exercise: the results of teams are made again by teams") {
    Seeds::forEach(1500, [](std::uint64_t seed) { keepexercise::checkTeamsMadeAgain(seed, 0); });
}

TEST_CASE("keep exercise: the results of teams are made again beside sub-masters") {
    Seeds::forEach(500, [](std::uint64_t seed) { keepexercise::checkTeamsMadeAgain(seed, 3); });
}
