#include <ferry/apps/timetabling/sectioning/search/Annealer.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include <ferry/apps/timetabling/search/Cooling.hpp>
#include <ferry/apps/timetabling/sectioning/model/at.hpp>

namespace timetabling::sectioning {

namespace {

int roomCountOf(const Class& one) { return std::max(1, static_cast<int>(one.rooms.size())); }

int optionCountOf(const Class& one) { return static_cast<int>(one.times.size()) * roomCountOf(one); }

Choice choiceOf(const Class& one, int option) { return {option / roomCountOf(one), option % roomCountOf(one)}; }

/// Draws another place for a class: another time, another room, or both. Prefers rooms that are free.
Choice drawChoice(const Problem& problem, const SearchState& state, int index, Random& random) {
    constexpr double roomOnlyShare = 0.25;
    constexpr double sameRoomShare = 0.4;
    constexpr int mostDraws = 5;
    const Class& one = problem.classAt(index);
    const int timeCount = static_cast<int>(one.times.size());
    const int roomCount = roomCountOf(one);
    Choice choice = state.choiceOf(index);
    const bool keepsTime = timeCount == 1 || (roomCount > 1 && random.fraction() < roomOnlyShare);
    if (!keepsTime) choice.time = random.below(timeCount);
    if (roomCount == 1 || (!keepsTime && random.fraction() < sameRoomShare)) return choice;
    for (int draw = 0; draw < mostDraws; ++draw) {
        choice.room = random.below(roomCount);
        if (state.isFree(index, choice)) break;
    }
    return choice;
}

/// The classes that violate hard constraints, as of some time ago.
std::vector<int> violatingClasses(const Problem& problem, SearchState& state) {
    std::vector<int> classes;
    for (int i = 0; i < problem.classCount(); ++i) {
        if (optionCountOf(problem.classAt(i)) > 1 && state.tollOf(i).hard > 0) classes.push_back(i);
    }
    return classes;
}

/// The classes with more than one place, and the requests with more than one section.
struct Movables {
    explicit Movables(const Problem& problem) {
        for (int i = 0; i < problem.classCount(); ++i) {
            if (optionCountOf(problem.classAt(i)) > 1) classes.push_back(i);
        }
        const Instance& instance = problem.instance();
        for (std::size_t i = 0; i < problem.requests().size(); ++i) {
            const Course& course = instance.courses[at(problem.requests()[i].course)];
            const auto hasChoice = [&instance](int config) {
                const std::vector<int>& subparts = instance.configs[at(config)].subparts;
                return std::any_of(subparts.begin(), subparts.end(),
                                   [&](int subpart) { return instance.subparts[at(subpart)].classes.size() > 1; });
            };
            if (course.configs.size() > 1 || std::any_of(course.configs.begin(), course.configs.end(), hasChoice))
                requests.push_back(static_cast<int>(i));
        }
    }

    std::vector<int> classes;
    std::vector<int> requests;
};

/// One annealing of a state.
class Walk {
public:
    Walk(const Problem& problem, SearchState& state, const Movables& movables, const SearchOrder& order, Random& random)
        : problem_(problem),
          state_(state),
          movables_(movables),
          random_(random),
          targetCost_(order.targetCost),
          best_(state.individual()),
          least_(state.total()),
          offer_(order.offer) {
        classShare_ = movables.requests.empty() ? 1.0 : movables.classes.empty() ? 0.0 : 0.6;
        measure(order.conflictWeight);
        offer_.renew();
    }

    /// A start temperature in the unit of the cost.
    double temperature() const { return temperature_; }
    bool isDone() const {
        return (movables_.classes.empty() && movables_.requests.empty()) || (least_.hard == 0 && least_.soft <= targetCost_);
    }

    bool tryMove(double temperature) {
        if (random_.fraction() >= classShare_) return trySection(temperature);
        constexpr double violatingShare = 0.2;
        const bool mends = !violating_.empty() && random_.fraction() < violatingShare;
        const std::vector<int>& from = mends ? violating_ : movables_.classes;
        const int index = from[at(random_.below(static_cast<int>(from.size())))];
        const Choice choice = drawChoice(problem_, state_, index, random_);
        if (choice == state_.choiceOf(index)) return false;
        const Toll difference = state_.tollAt(index, choice) - state_.tollOf(index);
        if (!isAccepted(difference, temperature)) return false;
        leave(difference);
        state_.move(index, choice, difference);
        noteIfBest();
        return true;
    }

    void offerBest() {
        constexpr double rise = 1.1;
        constexpr double fall = 0.95;
        constexpr double mostFold = 1000;
        const bool isViolated = state_.total().hard > 0;
        hardWeight_ = std::clamp(hardWeight_ * (isViolated ? rise : fall), leastWeight_, leastWeight_ * mostFold);
        violating_.clear();
        if (isViolated) violating_ = violatingClasses(problem_, state_);
        keepBest();
        offer_.make(best_);
    }

    Individual takeBest() {
        keepBest();
        return std::move(best_);
    }

private:
    /// Measures what moves cost, for the temperature and the weight of hard constraints.
    void measure(int conflictWeight) {
        constexpr int draws = 400;
        constexpr double heat = 0.3;           // share of the mean cost of a move that makes the timetable worse
        constexpr double weightOfHard = 2;     // a violation costs twice the mean
        constexpr double usualWeight = 100;    // of SearchOrder::conflictWeight
        double sum = 0;
        int count = 0;
        for (int draw = 0; draw < draws && !movables_.classes.empty(); ++draw) {
            const int index = movables_.classes[at(random_.below(static_cast<int>(movables_.classes.size())))];
            const Toll difference = state_.tollAt(index, drawChoice(problem_, state_, index, random_)) - state_.tollOf(index);
            if (difference.soft == 0) continue;
            sum += static_cast<double>(std::abs(difference.soft));
            ++count;
        }
        const double mean = count > 0 ? sum / count : static_cast<double>(std::max(1, problem_.instance().weights.student));
        temperature_ = heat * mean;
        leastWeight_ = hardWeight_ = weightOfHard * mean * conflictWeight / usualWeight;
    }

    bool trySection(double temperature) {
        constexpr double exchangeShare = 0.5;
        const int request = movables_.requests[at(random_.below(static_cast<int>(movables_.requests.size())))];
        if (!state_.sections().hasSection(request)) return false;
        if (random_.fraction() < exchangeShare) {
            const std::span<const int> others = problem_.requestsFor(problem_.requests()[at(request)].course);
            const int other = others[at(random_.below(static_cast<int>(others.size())))];
            if (other == request || !state_.sections().hasSection(other)) return false;
            const std::span<const int> one = state_.sections().sectionOf(request);
            const std::span<const int> two = state_.sections().sectionOf(other);
            if (std::equal(one.begin(), one.end(), two.begin(), two.end())) return false;
            const Toll difference = state_.tollOfExchange(request, other);
            if (!isAccepted(difference, temperature)) return false;
            leave(difference);
            state_.exchangeSections(request, other, difference);
        } else {
            if (!state_.sections().drawSection(request, random_, section_)) return false;
            const Toll difference = state_.tollOfSection(request, section_);
            if (!isAccepted(difference, temperature)) return false;
            leave(difference);
            state_.changeSection(request, section_, difference);
        }
        noteIfBest();
        return true;
    }

    bool isAccepted(const Toll& difference, double temperature) {
        const double worse = static_cast<double>(difference.hard) * hardWeight_ + static_cast<double>(difference.soft);
        return worse <= 0 || worse <= -temperature * std::log(1.0 - random_.fraction());
    }

    /// A copy of the timetable takes time, so the best one is copied only before the walk leaves it for a worse one.
    void leave(const Toll& difference) {
        if (difference > Toll{}) keepBest();
    }

    void keepBest() {
        if (isAtBest_) best_ = state_.individual();
        isAtBest_ = false;
    }

    void noteIfBest() {
        if (state_.total() >= least_) return;
        least_ = state_.total();
        isAtBest_ = true;
        offer_.renew();
    }

    const Problem& problem_;
    SearchState& state_;
    const Movables& movables_;
    Random& random_;
    std::int64_t targetCost_;
    Individual best_;
    Toll least_;               ///< of the best timetable
    bool isAtBest_ = false;    ///< the state is the best timetable, and best_ is an earlier one
    BestOffer offer_;
    std::vector<int> violating_;
    std::vector<int> section_;    ///< working memory
    double classShare_ = 1;       ///< share of the moves that move classes
    double temperature_ = 1;
    double hardWeight_ = 1;
    double leastWeight_ = 1;
};

/// Builds a timetable step by step.
class Builder {
public:
    Builder(const Problem& problem, std::uint64_t seed, const Budget& budget, const StopHook& stop)
        : problem_(problem),
          random_(seed),
          state_(problem, random_),
          meter_(budget, stop) {}

    Individual run() {
        placeAll();
        best_ = state_.individual();
        mend();
        return std::move(best_);
    }

private:
    void placeAll() {
        std::vector<int> order(at(problem_.classCount()));
        std::iota(order.begin(), order.end(), 0);
        random_.shuffle(order);
        // The fewest places first; of these, the ones with the most constraints.
        const auto key = [this](int index) {
            return std::pair(optionCountOf(problem_.classAt(index)), -static_cast<int>(problem_.distributionsOf(index).size()));
        };
        std::stable_sort(order.begin(), order.end(), [&key](int one, int other) { return key(one) < key(other); });
        for (const int index : order) {
            const auto [choice, toll] = bestChoice(index, [](const Choice&) { return true; });
            state_.move(index, choice, toll - state_.tollOf(index));
        }
    }

    /// Looks at all places of the class, or at some when there are many. Returns the best one and its toll; time -1 when none is wanted.
    template <class IsWanted>
    std::pair<Choice, Toll> bestChoice(int index, const IsWanted& isWanted) {
        constexpr int mostLooks = 150;
        const Class& one = problem_.classAt(index);
        const int count = optionCountOf(one);
        const int looks = std::min(count, mostLooks);
        const int start = random_.below(count);
        Choice best;
        Toll least;
        for (int look = 0; look < looks; ++look) {
            const int option = looks == count ? (start + look) % count : random_.below(count);
            const Choice choice = choiceOf(one, option);
            if (!isWanted(choice)) continue;
            const Toll toll = state_.tollAt(index, choice);
            if (best.time < 0 || toll < least) {
                best = choice;
                least = toll;
            }
        }
        moves_ += looks;
        return {best, least};
    }

    void mend() {
        constexpr int movesPerList = 50;
        std::vector<std::pair<Choice, std::int64_t>> tabu(at(problem_.classCount()), {Choice{}, 0});
        std::int64_t step = 0;
        while (best_.conflicts > 0 && !meter_.hasEndedAfter(std::exchange(moves_, 0))) {
            const std::vector<int> violating = violatingClasses(problem_, state_);
            moves_ += problem_.classCount();
            mendSections();
            if (violating.empty() && state_.total().hard == best_.conflicts && !isMendable()) return;
            for (int i = 0; i < movesPerList && state_.total().hard > 0 && !violating.empty(); ++i, ++step) {
                const int index = violating[at(random_.below(static_cast<int>(violating.size())))];
                const Choice before = state_.choiceOf(index);
                const auto isWanted = [&](const Choice& choice) {
                    const auto& [place, until] = tabu[at(index)];
                    return choice != before && (step >= until || choice != place);
                };
                const auto [choice, toll] = bestChoice(index, isWanted);
                if (choice.time < 0) continue;
                state_.move(index, choice, toll - state_.tollOf(index));
                tabu[at(index)] = {before, step + 10 + random_.below(static_cast<int>(violating.size()) + 1)};
                noteIfBest();
            }
        }
    }

    bool isMendable() const { return state_.sections().excess() > 0; }

    /// Moves students out of classes that are too full.
    void mendSections() {
        constexpr int mostDraws = 2000;
        const int count = static_cast<int>(problem_.requests().size());
        std::vector<int> section;
        for (int draw = 0; draw < mostDraws && state_.sections().excess() > 0 && count > 0; ++draw) {
            const int request = random_.below(count);
            if (!state_.sections().drawSection(request, random_, section)) continue;
            const Toll difference = state_.tollOfSection(request, section);
            if (difference.hard > 0) continue;
            state_.changeSection(request, section, difference);
            noteIfBest();
        }
        moves_ += mostDraws;
    }

    void noteIfBest() {
        if (std::pair(state_.total().hard, state_.total().soft) < std::pair(best_.conflicts, best_.cost)) best_ = state_.individual();
    }

    const Problem& problem_;
    Random random_;
    SearchState state_;
    BudgetMeter meter_;
    Individual best_;
    std::int64_t moves_ = 0;
};

}    // namespace

Individual construct(const Problem& problem, std::uint64_t seed, const Budget& budget, const StopHook& stop) {
    return Builder(problem, seed, budget, stop).run();
}

SearchResult anneal(const Problem& problem, const Slots& slots, const SearchOrder& order, double heat, const StopHook& stop) {
    constexpr double coldShare = 0.01;    // the end temperature, as a share of the start temperature
    Random random(order.seed);
    SearchState state(problem, slots, random);
    const Movables movables(problem);
    Walk walk(problem, state, movables, order, random);
    BudgetMeter meter(order.budget, stop);
    CoolingSchedule schedule;
    schedule.startTemperature = std::max(0.1, walk.temperature() * heat);
    schedule.endTemperature = std::max(0.02, walk.temperature() * coldShare);
    schedule.acceptedShare = 1;
    coolDown(walk, schedule, meter);
    return {walk.takeBest(), meter.moves()};
}

}    // namespace timetabling::sectioning
