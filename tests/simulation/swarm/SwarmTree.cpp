#include <ferry/tests/simulation/swarm/SwarmTree.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/tests/connector/Injection.hpp>
#include <ferry/tests/connector/ThrowPoints.hpp>
#include <ferry/tests/support/ScarceMemory.hpp>

namespace ferry::test {

namespace swarmtree {

constexpr int markDistance = 1000;
constexpr int throwsOfStep = 8;
constexpr int mostRanks = 256;

struct Link {
    int value = 0;
    Link* next = nullptr;
    FERRY_FIELDS(value, next)
};

/// A type that nobody sends.
struct Unsent {
    int value = 0;
    FERRY_FIELDS(value)
};

int throwerOf(int number) { return number % mostRanks; }

/// The number of ranks of one group of a split.
int sizeOfGroup(int rankCount, int groupCount, int group) { return rankCount / groupCount + (group < rankCount % groupCount ? 1 : 0); }

/// The numbers of planned throws in an exception; -1 for each consequence. Others are told as strange.
struct Recognized {
    std::vector<int> all{};
    std::string strange{};
};

void addNumber(const std::exception_ptr& thrown, Recognized& numbers) {
    const std::optional<int> number = numberOfInjected(thrown);
    if (number) return numbers.all.push_back(*number);
    const detail::Thrown seen(thrown);
    const bool isConsequence = seen.as<Cancelled>() != nullptr || seen.as<LostRank>() != nullptr || seen.as<RegionFailed>() != nullptr ||
                               seen.text().find("std::bad_alloc") != std::string::npos ||    // a shortage of the case
                               seen.text().find("RankEnding") != std::string::npos;          // the end of a killed rank
    if (!isConsequence) numbers.strange = report(thrown);
    numbers.all.push_back(-1);
}

Recognized recognize(const ExceptionList& list) {
    const AmpleMemory ample;
    Recognized numbers;
    for (const Failure& failure : list) addNumber(failure.exception(), numbers);
    return numbers;
}

class TreeRun {
public:
    TreeRun(Connector& connector, int instance, SwarmLog& log)
        : c_(connector),
          instance_(instance),
          log_(log),
          actions_(connector, [this](const char* what, int mark) { note(fmt::format("wrong result of {} (mark {})", what, mark)); }) {}

    void run(const std::vector<SwarmStep>& steps, bool isDisturbed) {
        for (const SwarmStep& step : steps) run(step, isDisturbed);
    }

private:
    int own() const { return c_.rankInJob(c_.rank()); }
    void note(const std::string& problem) { log_.note(fmt::format("rank {} of {}: {}", own(), instance_, problem)); }
    void require(bool condition, const char* what, const SwarmStep& step) {
        if (!condition) note(fmt::format("wrong {} in step {}", what, idOf(step)));
    }
    int idOf(const SwarmStep& step) const { return log_.ids.at(&step); }

    void run(const SwarmStep& step, bool isDisturbed) {
        switch (step.kind) {
            case SwarmStep::Kind::Region: return runRegion(step, isDisturbed);
            case SwarmStep::Kind::Split: return runSplit(step, isDisturbed);
            default: return runLeaf(step);
        }
    }

    [[noreturn]] void throwPlanned(const SwarmStep& step, std::size_t place) {
        const int number = (idOf(step) * throwsOfStep + static_cast<int>(place)) * mostRanks + own();
        log_.thrown.insert(number);
        fired_.push_back(number);
        throwInjected(number, step.throws[place].form);
    }

    void runLeaf(const SwarmStep& step) {
        int points = 0;
        std::vector<bool> isDone(step.throws.size(), false);
        fired_.clear();
        {
            const ThrowPoints meet([&] {
                ++points;
                for (std::size_t i = 0; i < step.throws.size(); ++i) {
                    if (step.throws[i].rank != c_.rank() || step.throws[i].atPoint != points || isDone[i]) continue;
                    isDone[i] = true;
                    throwPlanned(step, i);
                }
            });
            const int mark = (idOf(step) + 1) * markDistance;
            if (step.kind == SwarmStep::Kind::Data) {
                exchange(step, mark);
            } else if (step.kind == SwarmStep::Kind::Late) {
                waitInVain(step);
            } else {
                actions_.act(step.action, mark, step.root % c_.size());
            }
        }
        // A throw point of a dropped collective must not be met in a later region, since its exception may go to a rank outside of it.
        if (step.action == RegionAction::StartedAndDropped) c_.close();
        log_.absorbed.insert(fired_.begin(), fired_.end());    // the call has not failed
        for (std::size_t i = 0; i < step.throws.size(); ++i) {
            if (step.throws[i].rank == c_.rank() && !isDone[i]) throwPlanned(step, i);
        }
    }

    void exchange(const SwarmStep& step, int mark) {
        const auto count = static_cast<std::size_t>(step.size);
        const int next = (c_.rank() + 1) % c_.size();
        const int previous = (c_.rank() + c_.size() - 1) % c_.size();
        throwPoint();
        c_.send(next, std::vector<int>(count, mark + c_.rank()));
        throwPoint();
        require(c_.receive<std::vector<int>>(previous) == std::vector<int>(count, mark + previous), "array", step);
        throwPoint();
        if (count < 3000) {
            const std::vector<int> sums = c_.allReduce(std::vector<int>(count, mark), Sum{});
            require(sums == std::vector<int>(count, mark * c_.size()), "sum", step);
        }
        throwPoint();
        std::vector<Link> links(1 + count % 100);
        for (std::size_t i = 0; i < links.size(); ++i) links[i] = {mark + static_cast<int>(i), &links[(i + 1) % links.size()]};
        Pending<void> posted = c_.post(next, graph(links.data()));
        posted.get();
        const Graph<Link> received = c_.receiveGraph<Link>(previous);
        const Link* link = received.root();
        bool isRight = true;
        for (std::size_t i = 0; i < links.size(); ++i, link = link->next) isRight = isRight && link->value == mark + static_cast<int>(i);
        require(isRight && link == received.root(), "graph", step);
    }

    void waitInVain(const SwarmStep& step) {
        throwPoint();
        try {
            static_cast<void>(c_.receive<Unsent>(AnyRank, Deadline::in(std::chrono::microseconds(step.size))));
            note(fmt::format("step {} has received what nobody has sent", idOf(step)));
        } catch (const TimeoutError&) {}
        throwPoint();
    }

    void runSplit(const SwarmStep& step, bool isDisturbed) {
        const std::unique_ptr<Connector> group = c_.split(c_.rank() % step.size);
        bool doOthersFail = false;
        for (int other = 0; other < std::min(step.size, c_.size()); ++other)
            doOthersFail = doOthersFail || mustFail(step.inside, sizeOfGroup(c_.size(), step.size, other));
        require(group->size() == sizeOfGroup(c_.size(), step.size, c_.rank() % step.size), "size of a group", step);
        runTree(*group, step.inside, instance_, isDisturbed || doOthersFail, log_);
        group->close();    // other ranks may need this rank for a collective whose value it has dropped
    }

    void runRegion(const SwarmStep& step, bool isDisturbed) {
        SwarmLog::Way way;
        way.instance = instance_;
        way.region = &step;
        way.rank = own();
        for (int rank = 0; rank < c_.size(); ++rank) way.members.push_back(c_.rankInJob(rank));
        way.isDisturbed = isDisturbed;
        way.mustFail = mustFail(step.inside, c_.size());
        try {
            c_.guarded([&] {
                try {
                    run(step.inside, isDisturbed || way.mustFail);
                } catch (...) {
                    noteLeft(way);
                    throw;
                }
            });
            log_.ways.push_back(way);
        } catch (const ExceptionList& list) {
            const Recognized numbers = recognize(list);
            if (!numbers.strange.empty()) note("nobody has thrown this: " + numbers.strange);
            way.hasFailed = true;
            way.told = numbers.all;
            log_.ways.push_back(way);
            for (const Failure& failure : list) {
                const std::optional<int> number = numberOfInjected(failure.exception());
                if (number && failure.origin().rank >= 0 && failure.ranks() != std::vector<int>{throwerOf(*number)})
                    note(fmt::format("failure {} of rank {} is told of other ranks", *number, throwerOf(*number)));
            }
            if (!step.isCaught) throw;
        }
    }

    static void noteLeft(SwarmLog::Way& way) {
        const AmpleMemory ample;
        Recognized numbers;
        const std::exception_ptr thrown = std::current_exception();
        if (const auto* list = detail::Thrown(thrown).as<ExceptionList>()) {
            numbers = recognize(*list);
        } else {
            addNumber(thrown, numbers);
        }
        for (const int number : numbers.all) {
            if (number >= 0) way.left.insert(number);
        }
    }

    friend void ferry::test::runTeamTree(Connector&, const std::vector<SwarmStep>&, int, SwarmLog&);

    Connector& c_;
    int instance_;
    SwarmLog& log_;
    RegionActions actions_;
    std::vector<int> fired_{};
};

/// The ranks of one region in one run of its tree.
class Meeting {
public:
    Meeting(SwarmLog& log, bool mayBreak) : log_(log), mayBreak_(mayBreak) {}

    void add(const SwarmLog::Way& way) { ways_.push_back(&way); }

    void check() {
        const SwarmLog::Way& first = *ways_.front();
        for (const SwarmLog::Way* way : ways_) checkTold(*way);
        if (mayBreak_ || first.isDisturbed) return;
        if (ways_.size() != first.members.size()) complain(fmt::format("{} of {} ranks came out", ways_.size(), first.members.size()));
        std::set<int> left;
        for (const SwarmLog::Way* way : ways_) {
            if (way->told != first.told || way->hasFailed != first.hasFailed) complain("the lists of two ranks differ");
            left.insert(way->left.begin(), way->left.end());
        }
        std::set<int> told(first.told.begin(), first.told.end());
        told.erase(-1);
        if (first.region != nullptr && told != left)
            complain(fmt::format("{} failures left the parts, {} are told", left.size(), told.size()));
        if (first.mustFail && !first.hasFailed && log_.absorbed.empty()) complain("a certain failure is not told");
        if (!first.mustFail && first.hasFailed) complain("a failure is told that nobody could throw");
    }

private:
    void complain(const std::string& problem) {
        const SwarmLog::Way& way = *ways_.front();
        const int id = way.region == nullptr ? -1 : log_.ids.at(way.region);
        log_.note(fmt::format("region {} of {}: {}", id, way.instance, problem));
    }

    void checkTold(const SwarmLog::Way& way) {
        std::set<int> seen;
        for (const int number : way.told) {
            if (number < 0) continue;
            if (!seen.insert(number).second) complain(fmt::format("failure {} is told twice", number));
            if (!log_.thrown.contains(number)) complain(fmt::format("failure {} has not happened", number));
        }
        if (!mayBreak_ && !way.told.empty() && way.told.front() < 0) complain("a consequence is told before its cause");
    }

    SwarmLog& log_;
    bool mayBreak_;
    std::vector<const SwarmLog::Way*> ways_{};
};

}    // namespace swarmtree

using namespace swarmtree;

void SwarmLog::note(const std::string& problem) {
    constexpr std::size_t most = 20;
    if (problems.size() < most) problems.push_back(problem);
}

void SwarmLog::number(const std::vector<SwarmStep>& steps) {
    for (const SwarmStep& step : steps) {
        const int id = static_cast<int>(ids.size());
        ids.emplace(&step, id);
        number(step.inside);
    }
}

bool mustFail(const std::vector<SwarmStep>& steps, int rankCount) {
    return std::any_of(steps.begin(), steps.end(), [rankCount](const SwarmStep& step) {
        if (step.kind == SwarmStep::Kind::Region) return !step.isCaught && mustFail(step.inside, rankCount);
        if (step.kind == SwarmStep::Kind::Split) {
            for (int group = 0; group < std::min(step.size, rankCount); ++group) {
                if (mustFail(step.inside, sizeOfGroup(rankCount, step.size, group))) return true;
            }
            return false;
        }
        return std::any_of(step.throws.begin(), step.throws.end(), [rankCount](const SwarmThrow& each) { return each.rank < rankCount; });
    });
}

void runTree(Connector& connector, const std::vector<SwarmStep>& steps, int instance, bool isDisturbed, SwarmLog& log) {
    if (!steps.empty()) TreeRun(connector, instance, log).run(steps, isDisturbed);
}

void runTeamTree(Connector& connector, const std::vector<SwarmStep>& steps, int instance, SwarmLog& log) {
    SwarmLog::Way way;
    way.instance = instance;
    way.rank = connector.rank();
    try {
        runTree(connector, steps, instance, mustFail(steps, connector.size()), log);
    } catch (...) {
        TreeRun::noteLeft(way);
        log.ways.push_back(way);
        throw;
    }
}

void noteTeamTold(const std::vector<SwarmStep>& steps, int instance, int rankCount, const ExceptionList* failures, SwarmLog& log) {
    SwarmLog::Way way;
    way.instance = instance;
    way.rank = -1;
    way.mustFail = mustFail(steps, rankCount);
    if (failures != nullptr) {
        const Recognized numbers = recognize(*failures);
        if (!numbers.strange.empty()) log.note("nobody has thrown this in a team: " + numbers.strange);
        way.hasFailed = true;
        way.told = numbers.all;
    }
    log.ways.push_back(way);
}

void checkWays(SwarmLog& log, bool mayBreak) {
    std::map<std::tuple<int, int, std::vector<int>>, Meeting> meetings;
    std::map<int, std::set<int>> leftTeams;
    for (const SwarmLog::Way& way : log.ways) {
        if (way.region == nullptr && way.rank >= 0) {
            leftTeams[way.instance].insert(way.left.begin(), way.left.end());
            continue;
        }
        const int id = way.region == nullptr ? -1 : log.ids.at(way.region);
        meetings.try_emplace({way.instance, id, way.members}, log, mayBreak).first->second.add(way);
    }
    for (auto& meeting : meetings) {
        const bool isTeam = std::get<1>(meeting.first) < 0;
        if (!isTeam) meeting.second.check();
    }
    if (mayBreak) return;
    for (const SwarmLog::Way& way : log.ways) {
        if (way.region != nullptr || way.rank >= 0) continue;
        std::set<int> told(way.told.begin(), way.told.end());
        told.erase(-1);
        if (told != leftTeams[way.instance])
            log.note(
                fmt::format("team {}: {} failures left its ranks, {} are told", way.instance, leftTeams[way.instance].size(), told.size()));
        if (way.mustFail && !way.hasFailed && log.absorbed.empty())
            log.note(fmt::format("team {}: a certain failure is not told", way.instance));
        if (!way.mustFail && way.hasFailed) log.note(fmt::format("team {}: a failure is told that nobody could throw", way.instance));
        if (!way.told.empty() && way.told.front() < 0)
            log.note(fmt::format("team {}: a consequence is told before its cause", way.instance));
    }
}

}    // namespace ferry::test
