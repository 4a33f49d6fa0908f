#include <ferry/tests/simulation/swarm/SwarmCase.hpp>

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/framework/schedule/SlaveGroups.hpp>

namespace ferry::test {

namespace {

constexpr int maxDepth = 3;

/// Draws the parts of a case. Swarm testing: each seed has some features and lacks others, so that rare pairs of features meet alone.
class CaseDrawer {
public:
    explicit CaseDrawer(std::uint64_t seed) : random_(seed ^ 0x5a3a), seed_(seed) {}

    SwarmCase draw() {
        SwarmCase drawn;
        drawn.seed = seed_;
        drawn.ranks = oneIn(24) ? 8 + below(16) : 2 + below(6);
        if (oneIn(3)) drawn.packetDelayUs = pick({1, 10, 300, 20'000});
        if (oneIn(4)) drawn.callTimeUs = pick({0, 5, 100});
        if (oneIn(3)) drawn.tellsDeathsUs = pick({100, 1000, 100'000, 1'000'000});
        hasThrows_ = !oneIn(4);
        hasDeadlines_ = oneIn(3);
        hasCancels_ = oneIn(3);
        hasLarge_ = oneIn(3);
        const bool hasProgram = !oneIn(3);
        const bool hasJob = !hasProgram || oneIn(2);
        const bool areMortal = oneIn(3);
        // Faults count calls: those of a job must not meet the program.
        if (hasProgram && !(areMortal && hasJob)) drawn.program = stepsFor(drawn.ranks, 0, 1 + below(6), false);
        if (hasJob) drawJob(drawn);
        if (areMortal) addFaults(drawn);
        if (oneIn(4)) drawn.clockDrift = pick({1, 100, 900});
        if (oneIn(4)) addHalts(drawn);
        return drawn;
    }

private:
    int below(int count) { return static_cast<int>(random_.below(static_cast<std::uint64_t>(count))); }
    bool oneIn(int count) { return below(count) == 0; }
    int pick(std::initializer_list<int> values) { return values.begin()[below(static_cast<int>(values.size()))]; }

    int size() {
        if (hasLarge_ && oneIn(6)) return pick({9000, 20'000, 70'000});
        return oneIn(4) ? pick({0, 1, 1000, 2500}) : 1 + below(40);
    }

    /// A failed assertion of a handler ends the job.
    InjectedForm form() { return static_cast<InjectedForm>(below(isInTeam_ ? InjectedFormCount - 1 : InjectedFormCount)); }

    std::vector<SwarmStep> stepsFor(int ranks, int depth, int count, bool isGuarded) {
        std::vector<SwarmStep> steps;
        for (int i = 0; i < count; ++i) steps.push_back(stepFor(ranks, depth, isGuarded));
        return steps;
    }

    SwarmStep stepFor(int ranks, int depth, bool isGuarded) {
        SwarmStep step;
        step.root = below(ranks);
        const int choice = below(10);
        if (choice < 3 && depth < maxDepth) {
            step.kind = SwarmStep::Kind::Region;
            // An exception that leaves the outermost region would leave the program.
            step.isCaught = !isGuarded || oneIn(2);
            step.inside = stepsFor(ranks, depth + 1, 1 + below(4), true);
        } else if (choice == 3 && depth < maxDepth) {
            step.kind = SwarmStep::Kind::Split;
            step.size = 1 + below(3);
            step.inside = stepsFor(std::max(1, ranks / step.size), depth + 1, 1 + below(3), isGuarded);
        } else if (choice == 4) {
            step.kind = SwarmStep::Kind::Data;
            step.size = size();
        } else if (choice == 5 && hasDeadlines_) {
            step.kind = SwarmStep::Kind::Late;
            step.size = pick({0, 10, 5000});
        } else {
            step.action = static_cast<RegionAction>(below(RegionActionCount));
        }
        const bool isLeaf = step.inside.empty();
        if (isLeaf && isGuarded && hasThrows_ && oneIn(4)) {
            const int count = oneIn(4) ? 2 : 1;
            for (int i = 0; i < count; ++i) step.throws.push_back({below(ranks), pick({1, 2, 4, 9}), form()});
        }
        return step;
    }

    void drawJob(SwarmCase& drawn) {
        if (drawn.ranks >= 2 + detail::SlaveGroups::leastSize && oneIn(3)) drawn.groupSize = 2 + below(2);
        if (oneIn(3)) {
            drawn.hasJournal = true;
            drawn.flushMs = pick({0, 1, 1000});
        }
        const int count = 1 + below(10);
        for (int i = 0; i < count; ++i) drawn.job.push_back(taskFor(drawn));
    }

    SwarmTask taskFor(const SwarmCase& drawn) {
        SwarmTask task;
        constexpr std::array kinds{SwarmTask::Kind::Plain, SwarmTask::Kind::Plain, SwarmTask::Kind::Plain,  SwarmTask::Kind::Team,
                                   SwarmTask::Kind::Team,  SwarmTask::Kind::Keep,  SwarmTask::Kind::Keep,   SwarmTask::Kind::Total,
                                   SwarmTask::Kind::Bring, SwarmTask::Kind::Share, SwarmTask::Kind::Forget, SwarmTask::Kind::Await};
        task.kind = kinds.at(static_cast<std::size_t>(below(static_cast<int>(kinds.size()))));
        task.size = size();
        task.priority = oneIn(3) ? below(4) - 1 : 0;
        if (task.kind == SwarmTask::Kind::Team) {
            task.ranks = 1 + below(drawn.ranks - 1);
            if (drawn.groupSize != 0) task.ranks = std::min(task.ranks, 2);
            isInTeam_ = true;
            task.inside = stepsFor(task.ranks, 1, below(4), true);
            isInTeam_ = false;
        } else {
            task.count = 1 + (oneIn(5) ? below(40) : below(6));
        }
        if (hasThrows_ && oneIn(3)) task.failures = 1 + below(3);
        if (oneIn(3) && task.kind != SwarmTask::Kind::Team) {
            task.retries = 1 + below(3);
            task.backOffUs = pick({0, 100, 50'000});
        }
        if (hasDeadlines_ && oneIn(3)) task.deadlineUs = pick({1, 200, 10'000, 1'000'000});
        task.isRepeatable = !oneIn(8);
        task.isCancelled = hasCancels_ && oneIn(3);
        task.isDropped = oneIn(10);
        task.isContinued = oneIn(6) && task.kind == SwarmTask::Kind::Plain;
        return task;
    }

    void addFaults(SwarmCase& drawn) {
        if (drawn.tellsDeathsUs == 0) drawn.tellsDeathsUs = oneIn(2) ? 100'000 : 1000;
        const int lowest = drawn.job.empty() ? 0 : 1;    // nobody goes on with a job without its master
        const int count = 1 + below(drawn.ranks - lowest);
        for (int i = 0; i < count; ++i) {
            const int rank = lowest + below(drawn.ranks - lowest);
            const bool isThere =
                std::any_of(drawn.faults.begin(), drawn.faults.end(), [&](const Fault& each) { return each.rank == rank; });
            if (isThere) continue;
            drawn.faults.push_back(
                {rank, 1 + static_cast<std::uint64_t>(below(oneIn(2) ? 100 : 2000)), oneIn(4) ? Fault::Kind::Silence : Fault::Kind::Kill});
        }
    }

    void addHalts(SwarmCase& drawn) {
        const int count = 1 + below(4);
        for (int i = 0; i < count; ++i) {
            Fault halt;
            halt.rank = below(drawn.ranks);
            halt.atCall = 1 + static_cast<std::uint64_t>(below(oneIn(2) ? 100 : 2000));
            halt.kind = oneIn(3) ? Fault::Kind::Leap : Fault::Kind::Pause;
            halt.length = std::chrono::microseconds(pick({10, 3000, 500'000, 5'000'000}));
            drawn.halts.push_back(halt);
        }
    }

    SeededRandom random_;
    std::uint64_t seed_;
    bool isInTeam_ = false;
    bool hasThrows_ = true;
    bool hasDeadlines_ = true;
    bool hasCancels_ = true;
    bool hasLarge_ = false;
};

constexpr std::array<std::string_view, RegionActionCount> actionNames{"Barrier",
                                                                      "Broadcast",
                                                                      "Gather",
                                                                      "Reduce",
                                                                      "AllReduce",
                                                                      "Scan",
                                                                      "AllGather",
                                                                      "Scatter",
                                                                      "AllToAll",
                                                                      "Ring",
                                                                      "AnyClass",
                                                                      "FromAny",
                                                                      "LargeRing",
                                                                      "LargeInPlace",
                                                                      "SendReceive",
                                                                      "ReceiveAny",
                                                                      "Pool",
                                                                      "GraphRing",
                                                                      "GraphBroadcast",
                                                                      "Pendings",
                                                                      "Unwinding",
                                                                      "Confiding",
                                                                      "Poll",
                                                                      "Flush",
                                                                      "ReduceScatter",
                                                                      "Started",
                                                                      "StartedInDisorder",
                                                                      "StartedAndDropped",
                                                                      "Neighbours",
                                                                      "InGroup",
                                                                      "PlainData",
                                                                      "LargePlainData"};
constexpr std::array<std::string_view, InjectedFormCount> formNames{"Standard", "Own", "ErrorCode", "Text", "Chain", "Assertion"};
constexpr std::array<std::string_view, 5> stepNames{"Act", "Data", "Late", "Region", "Split"};
constexpr std::array<std::string_view, 8> taskNames{"Plain", "Team", "Keep", "Total", "Bring", "Forget", "Share", "Await"};
constexpr std::array<std::string_view, 6> faultNames{"Throw", "Leave", "Kill", "Silence", "Pause", "Leap"};

template <class Names, class Value>
std::string_view nameOf(const Names& names, Value value) {
    return names.at(static_cast<std::size_t>(value));
}

/// Collects members that differ from their defaults.
class Members {
public:
    template <class T>
    Members& add(std::string_view name, const T& value, const T& normal) {
        return value == normal ? *this : put(name, fmt::format("{}", value));
    }
    Members& put(std::string_view name, const std::string& value) {
        text_ += fmt::format("{}.{} = {}", text_.empty() ? "" : ", ", name, value);
        return *this;
    }
    std::string text() const { return "{" + text_ + "}"; }

private:
    std::string text_;
};

template <class Each>
std::string listOf(const std::vector<Each>& all, std::string (*text)(const Each&)) {
    std::string list;
    for (const Each& each : all) list += (list.empty() ? "" : ", ") + text(each);
    return "{" + list + "}";
}

std::string textOf(const SwarmThrow& each) {
    Members members;
    members.add("rank", each.rank, 0).add("atPoint", each.atPoint, 1);
    if (each.form != InjectedForm::Own) members.put("form", fmt::format("InjectedForm::{}", nameOf(formNames, each.form)));
    return members.text();
}

std::string textOf(const SwarmStep& step) {
    Members members;
    if (step.kind != SwarmStep::Kind::Act) members.put("kind", fmt::format("SwarmStep::Kind::{}", nameOf(stepNames, step.kind)));
    if (step.action != RegionAction::Barrier) members.put("action", fmt::format("RegionAction::{}", nameOf(actionNames, step.action)));
    members.add("root", step.root, 0).add("size", step.size, 1).add("isCaught", step.isCaught, true);
    if (!step.throws.empty()) members.put("throws", listOf(step.throws, textOf));
    if (!step.inside.empty()) members.put("inside", listOf(step.inside, textOf));
    return members.text();
}

std::string textOf(const SwarmTask& task) {
    Members members;
    if (task.kind != SwarmTask::Kind::Plain) members.put("kind", fmt::format("SwarmTask::Kind::{}", nameOf(taskNames, task.kind)));
    members.add("count", task.count, 1).add("size", task.size, 1).add("ranks", task.ranks, 1).add("priority", task.priority, 0);
    members.add("failures", task.failures, 0).add("retries", task.retries, 0).add("backOffUs", task.backOffUs, 0);
    members.add("deadlineUs", task.deadlineUs, 0).add("isRepeatable", task.isRepeatable, true);
    members.add("isCancelled", task.isCancelled, false).add("isDropped", task.isDropped, false);
    members.add("isContinued", task.isContinued, false);
    if (!task.inside.empty()) members.put("inside", listOf(task.inside, textOf));
    return members.text();
}

std::string textOf(const Fault& fault) {
    const std::string length =
        fault.length.count() == 0 ? "" : fmt::format(", nullptr, std::chrono::microseconds({})", fault.length.count());
    return fmt::format("{{{}, {}, ferry::Fault::Kind::{}{}}}", fault.rank, fault.atCall, nameOf(faultNames, fault.kind), length);
}

std::string textOf(const SwarmShortage& each) { return fmt::format("{{{}, {}, {}}}", each.rank, each.at, each.count); }

}    // namespace

SwarmCase drawCase(std::uint64_t seed) { return CaseDrawer(seed).draw(); }

SwarmCase drawScarceCase(std::uint64_t seed) {
    constexpr std::uint64_t casesEach = 12;    // one case with several places of the shortage
    SwarmCase drawn = drawCase(seed / casesEach);
    drawn.faults.clear();
    drawn.halts.clear();
    drawn.tellsDeathsUs = 0;
    SeededRandom random(seed);
    SwarmShortage shortage;
    shortage.rank = static_cast<int>(random.below(static_cast<std::uint64_t>(drawn.ranks)));
    shortage.at = 1 + random.below(random.oneIn(2) ? 300 : 5000);
    shortage.count = random.oneIn(4) ? 3 : 1;
    drawn.shortages.push_back(shortage);
    return drawn;
}

std::string toCpp(const SwarmCase& swarm, const std::string& name) {
    std::string lines;
    const auto line = [&lines](std::string_view member, const std::string& value) {
        lines += fmt::format("    swarm.{} = {};\n", member, value);
    };
    const SwarmCase normal;
    line("seed", fmt::format("{}", swarm.seed));
    line("ranks", fmt::format("{}", swarm.ranks));
    if (swarm.groupSize != normal.groupSize) line("groupSize", fmt::format("{}", swarm.groupSize));
    if (swarm.callTimeUs != normal.callTimeUs) line("callTimeUs", fmt::format("{}", swarm.callTimeUs));
    if (swarm.packetDelayUs != normal.packetDelayUs) line("packetDelayUs", fmt::format("{}", swarm.packetDelayUs));
    if (swarm.tellsDeathsUs != normal.tellsDeathsUs) line("tellsDeathsUs", fmt::format("{}", swarm.tellsDeathsUs));
    if (swarm.hasJournal) line("hasJournal", "true");
    if (swarm.flushMs != normal.flushMs) line("flushMs", fmt::format("{}", swarm.flushMs));
    if (swarm.clockDrift != normal.clockDrift) line("clockDrift", fmt::format("{}", swarm.clockDrift));
    if (!swarm.halts.empty()) line("halts", listOf(swarm.halts, textOf));
    if (!swarm.faults.empty()) line("faults", listOf(swarm.faults, textOf));
    if (!swarm.shortages.empty()) line("shortages", listOf(swarm.shortages, textOf));
    if (!swarm.program.empty()) line("program", listOf(swarm.program, textOf));
    if (!swarm.job.empty()) line("job", listOf(swarm.job, textOf));
    return fmt::format(
        "TEST_CASE(\"{}\") {{\n"
        "    using namespace ferry::test;\n"
        "    SwarmCase swarm;\n{}"
        "    const std::vector<std::string> problems = problemsOf(swarm);\n"
        "    REQUIRE_MESSAGE(problems.empty(), problems.front());\n}}\n",
        name, lines);
}

}    // namespace ferry::test
