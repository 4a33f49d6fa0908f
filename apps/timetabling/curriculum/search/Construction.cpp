#include <ferry/apps/timetabling/curriculum/search/Construction.hpp>

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include <ferry/apps/timetabling/curriculum/search/Annealer.hpp>
#include <ferry/apps/timetabling/curriculum/search/MostPlaced.hpp>
#include <ferry/apps/timetabling/curriculum/search/PartialTimetable.hpp>
#include <ferry/apps/timetabling/curriculum/search/PeriodMatching.hpp>
#include <ferry/apps/timetabling/curriculum/search/WeekFilling.hpp>

namespace timetabling::curriculum {

namespace {

constexpr const char* TooCrowded = "the lectures do not fit into the rooms and the open periods";

std::vector<int> shuffled(int count, Random& random) {
    std::vector<int> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 0);
    random.shuffle(numbers);
    return numbers;
}

/// Returns the problem of the lectures that are not pinned. Its periods are right; its rooms still include those of the pins.
Problem withoutPinned(const Problem& problem) {
    Instance rest = problem.instance();
    rest.published = {};
    for (const Pin& pin : problem.instance().published.pins) {
        --rest.courses[static_cast<std::size_t>(pin.course)].lectureCount;
        rest.unavailabilities.push_back({pin.course, problem.dayOf(pin.period), problem.periodOfDay(pin.period)});
    }
    return Problem(std::move(rest));
}

/// Returns a random timetable that respects the pins.
Slots slotsAroundPins(const Problem& problem, Random& random) {
    PartialTimetable timetable(problem);
    timetable.putPinned(random);
    if (timetable.isComplete()) return timetable.slots();

    std::vector<int> placesIn = PeriodMatching::placesOf(problem);
    for (const Pin& pin : problem.instance().published.pins) --placesIn[static_cast<std::size_t>(pin.period)];
    const std::vector<int> courses = shuffled(problem.courseCount(), random);
    const PeriodMatching matching(withoutPinned(problem), courses, std::move(placesIn), shuffled(problem.periodCount(), random));
    if (!matching.isComplete()) throw std::invalid_argument(TooCrowded);
    for (int period = 0; period < problem.periodCount(); ++period) {
        std::vector<int> rooms = shuffled(problem.roomCount(), random);
        std::erase_if(rooms, [&](int room) { return timetable.isUsed(problem.slotOf(period, room)); });
        for (const int course : matching.coursesIn(period)) {
            timetable.put(course, problem.slotOf(period, rooms.back()));
            rooms.pop_back();
        }
    }
    return timetable.slots();
}

}    // namespace

Slots randomSlots(const Problem& problem, std::uint64_t seed) {
    Random random(seed);
    if (problem.hasPins()) return slotsAroundPins(problem, random);
    const std::vector<int> courses = shuffled(problem.courseCount(), random);
    const PeriodMatching matching(problem, courses, PeriodMatching::placesOf(problem), shuffled(problem.periodCount(), random));
    if (!matching.isComplete()) throw std::invalid_argument(TooCrowded);

    std::vector<int> nextLecture;
    for (int course = 0; course < problem.courseCount(); ++course) nextLecture.push_back(problem.firstLecture(course));
    Slots slots(static_cast<std::size_t>(problem.lectureCount()), -1);
    for (int period = 0; period < problem.periodCount(); ++period) {
        std::vector<int> rooms = shuffled(problem.roomCount(), random);
        if (problem.hasClosedRooms()) std::erase_if(rooms, [&](int room) { return !problem.isRoomOpen(room, period); });
        const std::vector<int>& inPeriod = matching.coursesIn(period);
        for (std::size_t i = 0; i < inPeriod.size(); ++i) {
            const int lecture = nextLecture[static_cast<std::size_t>(inPeriod[i])]++;
            slots[static_cast<std::size_t>(lecture)] = problem.slotOf(period, rooms[i]);
        }
    }
    return slots;
}

Individual constructIndividual(const Problem& problem, std::uint64_t seed, const Budget& budget, const StopHook& stop) {
    constexpr std::int64_t FirstMoves = 2'000'000;
    constexpr std::uint64_t FillingSeed = 1'000'000;
    AnnealingOptions options;
    options.conflictWeight = 1;
    options.costWeight = 0;
    options.cooling.startTemperature = 0.5;
    options.cooling.endTemperature = 0.05;
    options.cooling.acceptedShare = 1;
    options.endsWhenFeasible = true;

    BudgetMeter meter(budget, stop);
    Individual best;
    std::optional<WeekFilling> filling;
    // Most instances need a short search only. The others get longer and longer searches, and full weeks a search of their own.
    for (std::uint64_t attempt = 0; best.slots.empty() || (!best.isFeasible() && !meter.hasEnded()); ++attempt) {
        Budget part = meter.rest();
        const std::int64_t most = FirstMoves << std::min<std::uint64_t>(attempt, 20);
        part.moves = part.moves > 0 ? std::min(part.moves, most) : most;
        SearchState state(problem, randomSlots(problem, Random::seedOf(seed, 2 * attempt)));
        Annealer annealer(problem, Random::seedOf(seed, 2 * attempt + 1));
        Individual found = annealer.run(state, options, part, stop);
        meter.hasEndedAfter(annealer.moves());
        if (best.slots.empty() || found.isBetterThan(best)) best = std::move(found);
        if (best.isFeasible() || meter.hasEnded()) continue;
        if (!filling) filling.emplace(problem, Random::seedOf(seed, FillingSeed));
        if (!filling->hasGroups()) continue;
        part = meter.rest();
        part.moves = part.moves > 0 ? std::min(part.moves, most) : most;
        const std::int64_t before = filling->moves();
        const WeekFilling::Outcome outcome = filling->run(part, stop);
        meter.hasEndedAfter(filling->moves() - before);
        if (outcome != WeekFilling::Outcome::Found) continue;
        if (const auto slots = slotsOfPeriods(problem, filling->coursesIn())) {
            SearchState filled(problem, *slots);
            best = annealer.run(filled, options, Budget::ofMoves(1), stop);    // without a move, since the timetable is feasible
        }
    }
    return best;
}

}    // namespace timetabling::curriculum
