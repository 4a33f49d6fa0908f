#include <ferry/apps/timetabling/parallel/Repair.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/csvLine.hpp>
#include <ferry/apps/timetabling/model/counted.hpp>
#include <ferry/apps/timetabling/parallel/Messages.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling {

namespace {

constexpr double proofShare = 0.2;     ///< share of the time for the proof
constexpr double searchShare = 0.4;    ///< share of the time for few moves, when more moves are asked for as well
constexpr int rounds = 2;              ///< searches for each number of moves; each begins with the timetables that earlier ones have found
constexpr std::int64_t decisionsOfRepeatableProof = 100'000;
constexpr std::int64_t movesOfRepeatableTask = 2'000'000;

/// Returns numbers of moves from the fewest ones on, with growing steps.
std::vector<int> ladderFrom(int fewest, int most) {
    constexpr int growth = 4;
    std::vector<int> caps;
    for (int more = 0; fewest + more < most; more += 1 + more / growth) caps.push_back(fewest + more);
    caps.push_back(most);
    return caps;
}

}    // namespace

Repair::Repair(const SearchProblem& problem, const RepairOptions& repair, const EvolutionOptions& options)
    : problem_(problem),
      repair_(repair),
      options_(options) {}

void Repair::prove(ferry::Master& master, const std::function<bool()>& isStopWanted) {
    const bool isTimed = options_.iterations == 0;
    const Budget budget = isTimed ? Budget::ofSeconds(proofShare * options_.seconds) : Budget::ofMoves(decisionsOfRepeatableProof);
    least_ = problem_.leastMoves(budget, [&] {
        master.connector().poll();    // throws when the job is stopped
        return isStopWanted && isStopWanted();
    });
}

EvolutionOptions Repair::searchOptions() const {
    EvolutionOptions options = options_;
    if (options.iterations == 0) options.seconds *= isWide() ? searchShare : 1 - proofShare;
    return options;
}

Individual Repair::widen(ferry::Master& master, const Individual& best, const std::function<void()>& onPart) {
    setFewest(best);
    if (!isWide() || !isWithin()) return best;
    const int lectures = static_cast<int>(best.slots.size());
    const int most = repair_.frontFile.empty() ? std::min(*repair_.mostMoved, lectures) : lectures;
    front_ = MoveFront(most);
    front_.offer(fewest_, best.cost, best.slots);
    if (most == 0) return best;    // without a move there is one timetable
    std::vector<int> caps;
    if (!repair_.frontFile.empty()) caps = ladderFrom(fewest_, most);
    const auto slaves = static_cast<std::size_t>(std::max(1, master.slaveCount()));
    while (repair_.mostMoved && (caps.empty() || caps.size() % slaves != 0)) caps.push_back(std::min(*repair_.mostMoved, most));
    const double seconds = (1 - proofShare - searchShare) * options_.seconds * static_cast<double>(slaves) /
                           static_cast<double>(caps.size() * static_cast<std::size_t>(rounds));
    std::uint64_t number = 0;
    for (int round = 0; round < rounds; ++round) {
        std::vector<ferry::Future<FrontPart>> answers;
        for (const int cap : caps) {
            WithinTask task;
            task.seed = Random::seedOf(options_.seed, 1'000'000 + number++);
            task.slots = front_.within(cap)->slots;
            task.mostMoved = cap;
            task.annealing = options_.iterations == 0 ? Budget::ofSeconds(seconds) : Budget::ofMoves(movesOfRepeatableTask);
            answers.push_back(master.submit(task));
        }
        for (ferry::Future<FrontPart>& answer : answers) {
            const FrontPart part = answer.get();
            for (const FrontPoint& point : part.points) {
                problem_.check(point.slots);
                front_.offer(point);
            }
            if (onPart) onPart();
        }
    }
    if (!repair_.mostMoved) return best;
    const FrontPoint& cheapest = *front_.within(*repair_.mostMoved);
    Individual result = best;
    if (cheapest.cost >= best.cost) return result;
    result.slots = cheapest.slots;
    result.cost = cheapest.cost;
    result.moved = cheapest.moved;
    return result;
}

std::string Repair::sentence() const {
    std::string text;
    if (!isWithin()) {
        text = least_ && least_->bound > *repair_.mostMoved
                   ? fmt::format("at most {} cannot be: at least {} needed\n", counted(*repair_.mostMoved, "move"),
                                 counted(least_->bound, "move"))
                   : fmt::format("no timetable with at most {} was found; --time gives the search longer\n",
                                 counted(*repair_.mostMoved, "move"));
    }
    const std::vector<FrontPoint> points = front_.points();
    if (!repair_.frontFile.empty() && !points.empty())
        text += fmt::format("least cost found for each number of moves from {} to {}: {}; --at-most gives the timetable of a number\n",
                            points.front().moved, points.back().moved, printable(repair_.frontFile));
    if (fewest_ == 0) return text + "fewest moves: 0; fewer are impossible\n";
    if (!least_) return text + fmt::format("fewest moves found: {}; there is no proof for post-enrolment instances\n", fewest_);
    if (isProven()) return text + fmt::format("fewest moves: {}; fewer are impossible\n", fewest_);
    const std::string open = least_->bound + 1 == fewest_ ? fmt::format("whether {} are enough", least_->bound)
                                                          : fmt::format("whether {} to {} are enough", least_->bound, fewest_ - 1);
    return text + fmt::format("fewest moves found: {}; fewer than {} are impossible; {} is not known\n", fewest_, least_->bound, open);
}

std::string Repair::frontText() const {
    const std::vector<FrontPoint> points = front_.points();
    if (repair_.frontFile.ends_with(".json")) {
        std::string text = fmt::format("{{\n{}  \"front\": [", jsonMembers());
        for (std::size_t i = 0; i < points.size(); ++i)
            text += fmt::format("{}\n    {{\"moved\": {}, \"cost\": {}}}", i == 0 ? "" : ",", points[i].moved, points[i].cost);
        return text + "\n  ]\n}\n";
    }
    std::string text = csvLine({"moved", "cost"});
    for (const FrontPoint& point : points) text += csvLine({fmt::to_string(point.moved), fmt::to_string(point.cost)});
    return text;
}

std::string Repair::jsonMembers() const {
    std::string text = fmt::format("  \"fewestMoves\": {},\n", fewest_);
    if (least_)
        text += fmt::format("  \"forcedMoves\": {},\n  \"leastMoves\": {},\n  \"isLeastProven\": {},\n", least_->forced, least_->bound,
                            isProven());
    return text;
}

}    // namespace timetabling
