#include <ferry/apps/timetabling/enrolment/search/Republishing.hpp>

#include <algorithm>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/enrolment/model/Score.hpp>
#include <ferry/apps/timetabling/enrolment/model/movedEvents.hpp>
#include <ferry/apps/timetabling/enrolment/search/EnrolmentSearch.hpp>
#include <ferry/tests/support/Sanitizers.hpp>
#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>

using namespace timetabling;
using namespace timetabling::enrolment;

namespace {

/// Finds the least total of cost and charges of a feasible timetable, by trying all timetables.
class EveryTimetable {
public:
    explicit EveryTimetable(const Problem& problem) : problem_(problem) {}

    std::optional<std::int64_t> leastTotal() {
        placeFrom(0);
        return least_;
    }

private:
    void placeFrom(int event) {
        const std::int64_t charge = problem_.published()->charges().of(displacement_);
        if (least_ && charge > *least_) return;
        if (event == problem_.eventCount()) {
            const std::int64_t total = scoreOf(problem_, solution_).cost() + charge;
            least_ = std::min(least_.value_or(total), total);
            return;
        }
        for (const int period : problem_.openPeriods(event)) {
            for (const int room : problem_.suitableRooms(event)) {
                if (!fits(event, {period, room})) continue;
                const Displacement here = problem_.published()->displacementAt(event, {period, room});
                solution_.push_back({period, room});
                displacement_ += here;
                placeFrom(event + 1);
                displacement_ -= here;
                solution_.pop_back();
            }
        }
    }

    bool fits(int event, const Place& place) const {
        for (int other = 0; other < event; ++other) {
            const Place& there = solution_[static_cast<std::size_t>(other)];
            if (there == place) return false;
            if (there.period == place.period && problem_.excludeEachOther(event, other)) return false;
        }
        for (const int earlier : problem_.earlierThan(event)) {
            if (earlier < event && solution_[static_cast<std::size_t>(earlier)].period >= place.period) return false;
        }
        for (const int later : problem_.laterThan(event)) {
            if (later < event && solution_[static_cast<std::size_t>(later)].period <= place.period) return false;
        }
        return true;
    }

    const Problem& problem_;
    Solution solution_;
    Displacement displacement_;
    std::optional<std::int64_t> least_;
};

/// Returns the closed periods of each event: all behind the first openCount ones, and each of these with a probability of oddsClosed
/// percent.
std::vector<std::vector<int>> fewOpenPeriods(Random& random, int eventCount, int openCount, int oddsClosed) {
    std::vector<std::vector<int>> closed(static_cast<std::size_t>(eventCount));
    for (std::vector<int>& periods : closed) {
        for (int period = 0; period < PeriodCount; ++period) {
            if (period >= openCount || random.below(100) < oddsClosed) periods.push_back(period);
        }
    }
    return closed;
}

Instance tinyInstance(Random& random) {
    constexpr int Events = 6;
    Instance instance;
    instance.name = "tiny";
    instance.hasSecondRules = true;
    instance.featureCount = 1;
    instance.featuresOfEvent.resize(Events);
    for (std::vector<int>& features : instance.featuresOfEvent) {
        if (random.below(4) == 0) features.push_back(0);
    }
    instance.roomSeats = {4, 4, 1 + random.below(4)};
    instance.featuresOfRoom = {{0}, {}, {}};
    for (int student = 0; student < 4; ++student) {
        const int first = random.below(Events - 2);
        instance.eventsOfStudent.push_back({first, first + 1 + random.below(Events - first - 1)});
    }
    instance.second.closedPeriods = fewOpenPeriods(random, Events, 4, 0);
    if (random.below(2) == 0) instance.second.precedences.push_back({0, 5});
    return instance;
}

Individual solveOnce(const EnrolmentSearch& search, std::uint64_t seed) {
    const Individual built = search.construct(seed, Budget::ofMoves(1'000'000), {});
    SearchOrder order;
    order.seed = seed;
    order.budget = Budget::ofMoves(200'000);
    return search.anneal(built.slots, order, {}).best;
}

/// An instance with a good published timetable. Afterwards some periods were closed, and sometimes a room was removed.
std::optional<Instance> changedEnrolment(Random& random) {
    Instance instance = tinyInstance(random);
    const Individual good = EnrolmentSearch(instance).construct(random.bits(), Budget::ofMoves(100'000), {});
    if (!good.isFeasible()) return std::nullopt;
    instance.published.places = toSolution(Problem(instance), good.slots);
    instance.second.closedPeriods = fewOpenPeriods(random, 6, 4, 20);
    if (random.below(3) == 0) {
        instance.roomSeats.pop_back();
        instance.featuresOfRoom.pop_back();
    }
    if (random.below(4) == 0) instance.published.places[0].room = -1;
    if (random.below(4) == 0) instance.published.places[1] = {};
    return instance;
}

Instance publishedInstance(std::uint64_t seed) {
    Instance instance = test::generatedEnrolment(seed % 2 == 0, seed).instance();
    const EnrolmentSearch search(instance);
    const Individual good = solveOnce(search, 1);
    REQUIRE(good.isFeasible());
    instance.published.places = toSolution(Problem(instance), good.slots);
    return instance;
}

}    // namespace

TEST_CASE(
    "Enrolment Republishing: the fewest events move, then the fewest in time, then the cost is least, as an exhaustive search confirms") {
    Random random(1);
    int solved = 0;
    std::int64_t moved = 0;
    constexpr int wanted = ferry::test::isSanitized ? 8 : 60;
    for (int attempt = 0; solved < wanted && attempt < 400; ++attempt) {
        std::optional<Instance> instance = changedEnrolment(random);
        if (!instance) continue;
        if (attempt % 4 == 0) instance->published.keepWeight = random.below(8);
        const Problem problem(*instance);
        const std::optional<std::int64_t> least = EveryTimetable(problem).leastTotal();
        if (!least) continue;
        CAPTURE(attempt);
        const Individual best = solveOnce(EnrolmentSearch(*instance), random.bits());
        REQUIRE(best.isFeasible());
        REQUIRE_NOTHROW(checkSlots(problem, best.slots));
        CHECK(best.total() == *least);
        const std::vector<Moved> told = movedEvents(problem, toSolution(problem, best.slots));
        CHECK(std::count_if(told.begin(), told.end(), [](const Moved& one) { return one.isMoved(); }) == best.moved);
        moved += best.moved;
        ++solved;
    }
    CHECK(solved == wanted);
    CHECK(moved > wanted);    // otherwise the instances would test nothing
}

TEST_CASE("Enrolment Republishing: nothing moves without a change, and only events of a room that is gone move otherwise") {
    for (const std::uint64_t seed : {20U, 21U}) {
        Instance instance = publishedInstance(seed);
        CHECK(solveOnce(EnrolmentSearch(instance), 2).moved == 0);
        // As if event 7 had been published in a room that no longer exists: the event stays in its period.
        const Place& place = instance.published.places[7];
        instance.published.places[7].room = limits::RoomCount - 1;
        const Problem problem(instance);
        const Individual best = solveOnce(EnrolmentSearch(instance), 2);
        CHECK(best.moved == 1);
        CHECK(problem.periodOfSlot(best.slots[7]) == place.period);
        const std::vector<Moved> moved = movedEvents(problem, toSolution(problem, best.slots));
        REQUIRE(moved.size() == 1);
        CHECK(moved[0].cause == "the room is no longer there");
    }
}

TEST_CASE("Enrolment Republishing: nine of ten events are pinned, the rest is solved, and no pinned event moves") {
    for (const std::uint64_t seed : {22U, 23U}) {
        Instance instance = publishedInstance(seed);
        Random random(3);
        for (int event = 0; event < static_cast<int>(instance.published.places.size()); ++event) {
            const auto& [period, room] = instance.published.places[static_cast<std::size_t>(event)];
            if (random.below(10) > 0) instance.published.pins.push_back({event, period, random.below(4) > 0 ? room : -1});
        }
        for (const bool hasPublished : {true, false}) {
            if (!hasPublished) instance.published.places.clear();
            const EnrolmentSearch search(instance);
            CHECK_FALSE(search.findInfeasibility());
            const Individual built = search.construct(1, Budget::ofMoves(50'000'000), {});
            REQUIRE(built.isFeasible());
            REQUIRE_NOTHROW(search.check(built.slots));    // check() throws for pinned events in other places
            SearchOrder order;
            order.budget = Budget::ofMoves(100'000);
            const Individual first = search.anneal(built.slots, order, {}).best;
            REQUIRE_NOTHROW(search.check(first.slots));
            order.seed = 2;
            const Individual second = search.anneal(built.slots, order, {}).best;
            for (int i = 0; i < 20; ++i) REQUIRE_NOTHROW(search.check(search.cross(first.slots, second.slots, random)));
            const Individual child = search.improve(search.cross(first.slots, second.slots, random), order, {}).best;
            CHECK_NOTHROW(search.check(child.slots));
            CHECK(child.isFeasible());
        }
    }
}

TEST_CASE("Enrolment Republishing: a pinned event in another place than the timetable has is refused") {
    Instance instance = test::smallEnrolment().instance();
    instance.published.pins = {{0, 3, 1}, {1, 4, -1}};
    const EnrolmentSearch search(instance);
    const Problem problem(instance);
    CHECK_NOTHROW(search.check({problem.slotOf(3, 1), problem.slotOf(4, 0), -1, -1}));
    CHECK_THROWS_AS(search.check({problem.slotOf(3, 2), problem.slotOf(4, 0), -1, -1}), std::invalid_argument);
    CHECK_THROWS_AS(search.check({problem.slotOf(3, 1), problem.slotOf(5, 0), -1, -1}), std::invalid_argument);
}

TEST_CASE("Enrolment Republishing: when every event is pinned the annealing ends at once with them") {
    Instance instance = test::smallEnrolment().instance();
    instance.published.pins = {{0, 8, 1}, {1, 17, 0}, {2, 26, 1}, {3, 35, 2}};
    const Problem problem(instance);
    const EnrolmentSearch search(instance);
    const Individual built = search.construct(1, Budget::ofMoves(100), {});
    CHECK(built.slots == Slots{problem.slotOf(8, 1), problem.slotOf(17, 0), problem.slotOf(26, 1), problem.slotOf(35, 2)});
    SearchOrder order;
    order.budget = Budget::ofSeconds(1000);
    CHECK(search.anneal(built.slots, order, {}).best.slots == built.slots);
}
