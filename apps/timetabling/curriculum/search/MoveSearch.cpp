#include <ferry/apps/timetabling/curriculum/search/MoveSearch.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace timetabling::curriculum {

namespace {

constexpr int mostMoreMoves = 1000;              ///< greatest number of moves beyond the forced ones; keeps the recursion flat
constexpr std::int64_t decisionsPerLook = 64;    ///< decisions from one look at the stop hook to the next

/// Gives partners to seekers by augmenting paths. partnersOf(seeker) lists partners; each takes as many seekers as it has places.
template <class PartnersOf>
bool matchAll(std::size_t seekers, std::vector<int> places, const PartnersOf& partnersOf, std::vector<int>& partnerOf) {
    std::vector<std::vector<std::size_t>> takenBy(places.size());
    partnerOf.assign(seekers, -1);
    std::vector<bool> isSeen;
    const auto place = [&](auto&& self, std::size_t seeker) -> bool {
        for (const int partner : partnersOf(seeker)) {
            const auto at = static_cast<std::size_t>(partner);
            if (isSeen[at]) continue;
            isSeen[at] = true;
            if (static_cast<int>(takenBy[at].size()) < places[at]) {
                takenBy[at].push_back(seeker);
                partnerOf[seeker] = partner;
                return true;
            }
            for (std::size_t& other : takenBy[at]) {
                if (!self(self, other)) continue;
                other = seeker;
                partnerOf[seeker] = partner;
                return true;
            }
        }
        return false;
    };
    for (std::size_t seeker = 0; seeker < seekers; ++seeker) {
        isSeen.assign(places.size(), false);
        if (!place(place, seeker)) return false;
    }
    return true;
}

}    // namespace

MoveSearch::MoveSearch(const Problem& problem)
    : problem_(problem),
      kept_(static_cast<std::size_t>(problem.periodCount())),
      placed_(static_cast<std::size_t>(problem.periodCount())),
      blocks_(static_cast<std::size_t>(problem.courseCount()) * static_cast<std::size_t>(problem.periodCount()), 0) {
    const PublishedPlaces& published = *problem.published();
    isPossible_ = !problem.hasPins();
    for (int course = 0; course < problem.courseCount(); ++course) {
        int stays = 0;
        for (const int period : published.periodsOf(course)) {
            const int room = published.roomAt(course, period);
            const bool isThere = room >= 0 && problem.isAvailable(course, period) && problem.isRoomOpen(room, period) &&
                                 !(problem.weights().isRoomSuitabilityHard && !problem.isSuitable(course, room));
            if (!isThere) continue;
            ++stays;
            keptIn(period).push_back({course, room});
        }
        rest_.push_back(problem.course(course).lectureCount - stays);
        if (rest_.back() < 0) isPossible_ = false;
        forced_ += std::max(rest_.back(), 0);
    }
    // Each lecture without a place takes a level of the recursion.
    constexpr int mostWithoutPlace = 2000;
    if (std::accumulate(rest_.begin(), rest_.end(), std::int64_t{0}) > mostWithoutPlace) isPossible_ = false;
    forced_ -= published.additionalLectures();
    moves_ = forced_;
    findRivals();
}

/// Finds the pairs of published lectures that the changed instance does not let stay together.
void MoveSearch::findRivals() {
    for (int period = 0; period < problem_.periodCount(); ++period) {
        const std::vector<Kept>& kept = keptIn(period);
        for (std::size_t i = 0; i < kept.size(); ++i) {
            for (std::size_t k = i + 1; k < kept.size(); ++k) {
                const bool areInConflict = problem_.areInConflict(kept[i].course, kept[k].course);
                if (areInConflict || kept[i].room == kept[k].room)
                    rivals_.push_back({period, kept[i].course, kept[k].course, areInConflict});
            }
        }
    }
}

MoveSearch::Kept* MoveSearch::find(int course, int period) {
    std::vector<Kept>& kept = keptIn(period);
    const auto found = std::find_if(kept.begin(), kept.end(), [course](const Kept& one) { return one.course == course; });
    return found == kept.end() ? nullptr : &*found;
}

void MoveSearch::evict(int course, int period, bool isBlocked) {
    std::vector<Kept>& kept = keptIn(period);
    kept.erase(std::find_if(kept.begin(), kept.end(), [course](const Kept& one) { return one.course == course; }));
    ++rest_[static_cast<std::size_t>(course)];
    ++moves_;
    if (isBlocked) ++blocks_[cellOf(course, period)];
}

void MoveSearch::restore(int course, int period, const Kept& kept, bool isBlocked) {
    keptIn(period).push_back(kept);
    --rest_[static_cast<std::size_t>(course)];
    --moves_;
    if (isBlocked) --blocks_[cellOf(course, period)];
}

MoveSearch::Outcome MoveSearch::run(int mostMoves, std::int64_t mostDecisions, const StopHook& stop) {
    if (!isPossible_) return Outcome::GaveUp;
    // The state of an earlier success is taken back by starting anew.
    const MoveSearch fresh(problem_);
    kept_ = fresh.kept_;
    placed_ = fresh.placed_;
    rest_ = fresh.rest_;
    blocks_ = fresh.blocks_;
    moves_ = forced_;
    mostMoves_ = mostMoves;
    decisionsLeft_ = mostDecisions;
    stop_ = &stop;
    return decide();
}

/// Returns how the course can get into the period. Nothing when it cannot, or when too many lectures would have to leave.
std::optional<MoveSearch::Option> MoveSearch::optionFor(int course, int period) const {
    if (blocks_[cellOf(course, period)] != 0) return std::nullopt;
    const std::vector<int>& placed = placed_[static_cast<std::size_t>(period)];
    for (const int other : placed) {
        if (other == course || problem_.areInConflict(course, other)) return std::nullopt;
    }
    Option option{period, 0, false};
    bool hasFree = false;
    const std::vector<Kept>& kept = keptIn(period);
    for (const Kept& one : kept) {
        if (one.course == course) return std::nullopt;
        if (!problem_.areInConflict(course, one.course)) {
            hasFree = hasFree || !one.isFixed;
            continue;
        }
        if (one.isFixed) return std::nullopt;
        ++option.cost;
    }
    const int left = static_cast<int>(kept.size() + placed.size()) - option.cost;
    if (left >= problem_.openRooms(period)) {
        if (!hasFree || left > problem_.openRooms(period)) return std::nullopt;
        option.isFull = true;
        ++option.cost;
    }
    if (option.cost > slack()) return std::nullopt;
    return option;
}

std::vector<MoveSearch::Option> MoveSearch::optionsFor(int course) const {
    std::vector<Option> options;
    for (const int period : problem_.availablePeriods(course)) {
        if (const auto option = optionFor(course, period)) options.push_back(*option);
    }
    return options;
}

/// Whether the lectures without a place get periods when no further lecture may move. Conflicts among them are left out.
bool MoveSearch::canAllBePlaced() const {
    std::vector<int> places;
    for (int period = 0; period < problem_.periodCount(); ++period)
        places.push_back(problem_.openRooms(period) -
                         static_cast<int>(keptIn(period).size() + placed_[static_cast<std::size_t>(period)].size()));
    std::vector<std::vector<int>> periods;
    std::vector<int> seekers;
    for (int course = 0; course < problem_.courseCount(); ++course) {
        if (rest_[static_cast<std::size_t>(course)] == 0) continue;
        std::vector<int>& ofCourse = periods.emplace_back();
        for (const Option& option : optionsFor(course)) ofCourse.push_back(option.period);
        seekers.insert(seekers.end(), static_cast<std::size_t>(rest_[static_cast<std::size_t>(course)]),
                       static_cast<int>(periods.size()) - 1);
    }
    std::vector<int> partners;
    return matchAll(
        seekers.size(), std::move(places),
        [&](std::size_t seeker) -> const std::vector<int>& { return periods[static_cast<std::size_t>(seekers[seeker])]; }, partners);
}

MoveSearch::Outcome MoveSearch::decide() {
    if (slack() < 0) return Outcome::Impossible;
    if (decisionsLeft_-- <= 0) return Outcome::GaveUp;
    if (decisionsLeft_ % decisionsPerLook == 0 && *stop_ && (*stop_)()) return Outcome::GaveUp;
    const std::vector<Rivals> rivals = presentRivals();
    if (leastEvictions(rivals) > slack()) return Outcome::Impossible;
    int tightest = -1;
    int leastSpare = std::numeric_limits<int>::max();
    std::vector<Option> best;
    for (int course = 0; course < problem_.courseCount(); ++course) {
        const int rest = rest_[static_cast<std::size_t>(course)];
        if (rest == 0) continue;
        std::vector<Option> options = optionsFor(course);
        const int spare = static_cast<int>(options.size()) - rest;
        if (spare < 0) return Outcome::Impossible;
        if (spare >= leastSpare) continue;
        leastSpare = spare;
        tightest = course;
        best = std::move(options);
    }
    if (!rivals.empty()) return decideRivals(hardestOf(rivals));
    if (tightest < 0) return Outcome::Found;
    if (slack() == 0 && !canAllBePlaced()) return Outcome::Impossible;
    return decideLecture(tightest, best);
}

std::vector<MoveSearch::Rivals> MoveSearch::presentRivals() {
    std::vector<Rivals> present;
    std::copy_if(rivals_.begin(), rivals_.end(), std::back_inserter(present),
                 [this](const Rivals& one) { return find(one.first, one.period) && find(one.second, one.period); });
    return present;
}

/// One of each pair has to go, so pairs without a common lecture need as many evictions.
int MoveSearch::leastEvictions(const std::vector<Rivals>& rivals) const {
    std::vector<std::size_t> taken;
    int count = 0;
    for (const Rivals& one : rivals) {
        const std::array<std::size_t, 2> cells{cellOf(one.first, one.period), cellOf(one.second, one.period)};
        if (std::any_of(cells.begin(), cells.end(),
                        [&](std::size_t cell) { return std::find(taken.begin(), taken.end(), cell) != taken.end(); }))
            continue;
        taken.insert(taken.end(), cells.begin(), cells.end());
        ++count;
    }
    return count;
}

/// Returns the pair whose lectures are in the most pairs. The lecture that is in more pairs comes first.
MoveSearch::Rivals MoveSearch::hardestOf(const std::vector<Rivals>& rivals) const {
    const auto degree = [&](int course, int period) {
        return std::count_if(rivals.begin(), rivals.end(),
                             [&](const Rivals& one) { return one.period == period && (one.first == course || one.second == course); });
    };
    const auto sum = [&](const Rivals& one) { return degree(one.first, one.period) + degree(one.second, one.period); };
    Rivals hardest = *std::max_element(rivals.begin(), rivals.end(), [&](const Rivals& a, const Rivals& b) { return sum(a) < sum(b); });
    if (degree(hardest.second, hardest.period) > degree(hardest.first, hardest.period)) std::swap(hardest.first, hardest.second);
    return hardest;
}

/// One of the two has to go. On the second branch, the first one stays.
MoveSearch::Outcome MoveSearch::decideRivals(const Rivals& rivals) {
    const auto without = [&](int course) {
        const Kept kept = *find(course, rivals.period);
        if (kept.isFixed) return Outcome::Impossible;
        evict(course, rivals.period, rivals.areInConflict);
        const Outcome outcome = decide();
        if (outcome != Outcome::Found) restore(course, rivals.period, kept, rivals.areInConflict);
        return outcome;
    };
    Outcome outcome = without(rivals.first);
    if (outcome != Outcome::Impossible) return outcome;
    Kept* first = find(rivals.first, rivals.period);
    const bool wasFixed = std::exchange(first->isFixed, true);
    outcome = without(rivals.second);
    if (outcome != Outcome::Found) find(rivals.first, rivals.period)->isFixed = wasFixed;
    return outcome;
}

/// Evicts the lectures of the period that are in conflict with the course. Returns their courses.
std::vector<int> MoveSearch::evictRivalsOf(int course, int period) {
    std::vector<int> courses;
    for (const Kept& one : keptIn(period)) {
        if (problem_.areInConflict(course, one.course)) courses.push_back(one.course);
    }
    for (const int other : courses) evict(other, period, true);
    return courses;
}

/// Tries the course in each period. A period that has failed is closed to the course for the rest of the branch.
MoveSearch::Outcome MoveSearch::decideLecture(int course, const std::vector<Option>& options) {
    std::vector<Option> ordered = options;
    std::stable_sort(ordered.begin(), ordered.end(), [](const Option& one, const Option& other) { return one.cost < other.cost; });
    Outcome outcome = Outcome::Impossible;
    std::vector<int> blocked;
    for (const Option& option : ordered) {
        const int period = option.period;
        const std::vector<Kept> before = keptIn(period);
        const std::vector<int> gone = evictRivalsOf(course, period);
        placed_[static_cast<std::size_t>(period)].push_back(course);
        --rest_[static_cast<std::size_t>(course)];
        outcome = option.isFull ? decideFullPeriod(course, period) : decide();
        if (outcome == Outcome::Found) return outcome;
        ++rest_[static_cast<std::size_t>(course)];
        placed_[static_cast<std::size_t>(period)].pop_back();
        for (const int other : gone) {
            const auto kept = std::find_if(before.begin(), before.end(), [other](const Kept& one) { return one.course == other; });
            restore(other, period, *kept, true);
        }
        if (outcome == Outcome::GaveUp) break;
        ++blocks_[cellOf(course, period)];
        blocked.push_back(period);
    }
    for (const int period : blocked) --blocks_[cellOf(course, period)];
    return outcome;
}

/// The period has one lecture more than rooms, so one that is in its published place has to go. Those that were tried stay then.
MoveSearch::Outcome MoveSearch::decideFullPeriod(int course, int period) {
    std::vector<int> candidates;
    for (const Kept& one : keptIn(period)) {
        if (!one.isFixed && one.course != course) candidates.push_back(one.course);
    }
    Outcome outcome = Outcome::Impossible;
    std::vector<int> fixed;
    for (const int other : candidates) {
        const Kept kept = *find(other, period);
        evict(other, period, true);
        outcome = decide();
        if (outcome == Outcome::Found) return outcome;
        restore(other, period, kept, true);
        if (outcome == Outcome::GaveUp) break;
        find(other, period)->isFixed = true;
        fixed.push_back(other);
    }
    for (const int other : fixed) find(other, period)->isFixed = false;
    return outcome;
}

std::optional<Slots> MoveSearch::slots() const {
    std::vector<std::vector<std::int32_t>> slotsOf(static_cast<std::size_t>(problem_.courseCount()));
    for (int period = 0; period < problem_.periodCount(); ++period) {
        std::vector<int> isFree;
        for (int room = 0; room < problem_.roomCount(); ++room) isFree.push_back(problem_.isRoomOpen(room, period) ? 1 : 0);
        for (const Kept& one : keptIn(period)) {
            isFree[static_cast<std::size_t>(one.room)] = 0;
            slotsOf[static_cast<std::size_t>(one.course)].push_back(problem_.slotOf(period, one.room));
        }
        const std::vector<int>& placed = placed_[static_cast<std::size_t>(period)];
        std::vector<std::vector<int>> rooms;
        for (const int course : placed) {
            std::vector<int>& ofCourse = rooms.emplace_back();
            for (int room = 0; room < problem_.roomCount(); ++room) {
                if (isFree[static_cast<std::size_t>(room)] != 0 &&
                    (!problem_.weights().isRoomSuitabilityHard || problem_.isSuitable(course, room)))
                    ofCourse.push_back(room);
            }
            std::stable_sort(ofCourse.begin(), ofCourse.end(),
                             [&](int one, int other) { return problem_.missingSeats(course, one) < problem_.missingSeats(course, other); });
        }
        std::vector<int> roomOf;
        if (!matchAll(
                placed.size(), isFree, [&](std::size_t seeker) -> const std::vector<int>& { return rooms[seeker]; }, roomOf))
            return std::nullopt;
        for (std::size_t i = 0; i < placed.size(); ++i)
            slotsOf[static_cast<std::size_t>(placed[i])].push_back(problem_.slotOf(period, roomOf[i]));
    }
    Slots slots;
    for (const std::vector<std::int32_t>& ofCourse : slotsOf) slots.insert(slots.end(), ofCourse.begin(), ofCourse.end());
    return slots;
}

LeastMoves findLeastMoves(const Problem& problem, const Budget& budget, const StopHook& stop) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    const auto isOver = [&] {
        if (stop && stop()) return true;
        return budget.seconds > 0 && std::chrono::duration<double>(Clock::now() - begin).count() >= budget.seconds;
    };
    MoveSearch search(problem);
    LeastMoves least{search.forcedMoves(), search.forcedMoves()};
    const std::int64_t most = budget.moves > 0 ? budget.moves : std::numeric_limits<std::int64_t>::max();
    const int mostBound = std::min(problem.lectureCount(), least.forced + mostMoreMoves);
    for (; search.isPossible() && least.bound <= mostBound; ++least.bound) {
        const MoveSearch::Outcome outcome = search.run(least.bound, most, isOver);
        if (outcome == MoveSearch::Outcome::Found) least.slots = search.slots();
        if (outcome != MoveSearch::Outcome::Impossible || isOver()) break;
    }
    return least;
}

}    // namespace timetabling::curriculum
