#include <ferry/apps/timetabling/enrolment/search/SearchState.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/enrolment/io/InstanceReader.hpp>
#include <ferry/apps/timetabling/enrolment/model/Score.hpp>
#include <ferry/apps/timetabling/enrolment/model/Solution.hpp>
#include <ferry/apps/timetabling/enrolment/search/EnrolmentSearch.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>
#include <ferry/tests/support/Sanitizers.hpp>
#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>

using namespace timetabling;
using namespace timetabling::enrolment;

namespace {

/// Makes random changes of a timetable: places events, removes events, and exchanges events in chains and pairs.
class Wanderer {
public:
    Wanderer(const Problem& problem, std::uint64_t seed) : problem_(problem), random_(seed), state_(problem) {}

    /// Makes `changes` changes. Compares the running totals with the full scorer after every few changes.
    void wander(int changes, int changesPerComparison) {
        int made = 0;
        for (int attempt = 0; made < changes && attempt < 200 * changes; ++attempt) {
            if (!change()) continue;
            if (++made % changesPerComparison == 0) compare();
        }
        REQUIRE(made == changes);
        compare();
    }

private:
    bool change() {
        const int event = random_.below(problem_.eventCount());
        const int period = random_.below(PeriodCount);
        if (state_.periodOf(event) < 0) return state_.tryPlace(event, period);
        if (random_.below(10) == 0) {
            state_.remove(event);
            return true;
        }
        if (state_.periodOf(event) == period) return false;
        Exchange exchange;
        exchange.clear(state_.periodOf(event), period);
        if (!state_.addChain(exchange, event, 1000)) return false;
        if (random_.below(2) == 0 && !state_.eventsIn(period).empty()) {
            const int other = state_.eventsIn(period)[0];
            if (!state_.addChain(exchange, other, 1000)) return false;
        }
        if (!state_.isAllowed(exchange)) return false;
        if (!state_.displaced()) return state_.tryApply(exchange, state_.costOf(exchange));
        Displacement expected = state_.displaced()->total();
        const std::optional<Displacement> more = state_.displacementOf(exchange);
        if (!more) return false;
        state_.apply(exchange, state_.costOf(exchange));
        expected += *more;
        REQUIRE(state_.displaced()->total() == expected);
        return true;
    }

    /// Compares the displaced events of the state with a full count, and their rooms with the best possible assignment of rooms.
    void compareDisplaced(const Slots& slots) {
        const Solution solution = toSolution(problem_, slots);
        Displacement total;
        std::vector<int> displaced;
        for (int event = 0; event < problem_.eventCount(); ++event) {
            const Displacement here = problem_.published()->displacementAt(event, solution[static_cast<std::size_t>(event)]);
            total += here;
            if (here.count() > 0) displaced.push_back(event);
        }
        REQUIRE(state_.displaced()->total() == total);
        std::vector<int> told(state_.displaced()->events().begin(), state_.displaced()->events().end());
        std::sort(told.begin(), told.end());
        REQUIRE(told == displaced);
        REQUIRE(SearchState(problem_, slots).displaced()->total() == total);
        REQUIRE(state_.individual().moved == total.count());
    }

    void compare() {
        const Slots slots = state_.slots();
        const Score score = scoreOf(problem_, toSolution(problem_, slots));
        REQUIRE(score.violations() == 0);
        REQUIRE(score.distance() == state_.distance());
        REQUIRE(score.cost() == state_.cost());
        for (int event = 0; event < problem_.eventCount(); ++event) {
            REQUIRE((state_.periodOf(event) < 0) == (slots[static_cast<std::size_t>(event)] < 0));
        }
        const std::span<const int> unplaced = state_.unplaced();
        REQUIRE(static_cast<std::ptrdiff_t>(unplaced.size()) == std::count(slots.begin(), slots.end(), -1));
        if (state_.displaced()) compareDisplaced(slots);
    }

    const Problem& problem_;
    Random random_;
    SearchState state_;
};

/// A hundredth of the changes, a thousandth with a sanitizer, or all changes in a long campaign.
int scaled(int changes) {
    if (std::getenv("TIMETABLING_LONG_TEST") != nullptr) return changes;
    return changes / (ferry::test::isSanitized ? 1000 : 100);
}

}    // namespace

TEST_CASE("Enrolment SearchState: the running totals equal the full ones over random changes of small instances") {
    Wanderer(test::smallEnrolment(), 1).wander(scaled(1'000'000), 1);
    Wanderer(test::smallFirstEnrolment(), 2).wander(scaled(1'000'000), 1);
}

TEST_CASE("Enrolment SearchState: the running totals equal the full ones over random changes of generated instances") {
    for (const bool hasSecondRules : {false, true}) {
        const Problem problem = test::generatedEnrolment(hasSecondRules, 7);
        Wanderer(problem, 3).wander(scaled(1'000'000), 20);
    }
}

TEST_CASE("Enrolment SearchState: the running totals equal the full ones over random changes with published timetables and pins") {
    for (const bool hasPins : {false, true}) {
        Instance instance = test::generatedEnrolment(!hasPins, 8).instance();
        const Slots slots = EnrolmentSearch(instance).construct(1, Budget::ofMoves(20'000'000), {}).slots;
        instance.published.places = toSolution(Problem(instance), slots);
        for (int event = 0; hasPins && event < 30; ++event) {
            const auto& [period, room] = instance.published.places[static_cast<std::size_t>(event)];
            instance.published.pins.push_back({event, period, event % 2 == 0 ? room : -1});
        }
        instance.published.places[40].room = instance.published.places[41].room;
        const Problem problem(instance);
        Wanderer(problem, 5).wander(scaled(200'000), 5);
    }
}

TEST_CASE("Enrolment SearchState: the running totals equal the full ones over random changes of real instances") {
    for (const std::string& file : test::realEnrolmentFiles()) {
        if (file.find("competition01") == std::string::npos && file.find("2007-2-1.tim") == std::string::npos) continue;
        CAPTURE(file);
        const Problem problem(readInstance(file));
        Wanderer(problem, 4).wander(scaled(1'000'000), 500);
    }
}

TEST_CASE("Enrolment SearchState: a chain moves the events that cannot stay, and not more than allowed") {
    const Problem problem = test::smallEnrolment();
    SearchState state(problem);
    REQUIRE(state.tryPlace(0, 1));
    REQUIRE(state.tryPlace(1, 2));
    REQUIRE(state.tryPlace(3, 2));
    CHECK(state.blockers(0, 2) == 1);
    CHECK_FALSE(state.tryPlace(2, 2));
    Exchange exchange;
    exchange.clear(1, 2);
    CHECK(state.addChain(exchange, 0, 2));
    CHECK(exchange.fromFirst == std::vector<int>{0});
    CHECK(exchange.fromSecond == std::vector<int>{1});
    exchange.clear(1, 2);
    CHECK_FALSE(state.addChain(exchange, 0, 1));
    // Event 0 must not be in period 0.
    REQUIRE(state.tryPlace(2, 9));
    exchange.clear(0, 1);
    exchange.fromSecond.push_back(0);
    CHECK_FALSE(state.isAllowed(exchange));
    // Event 1 has to stay before event 2.
    exchange.clear(2, 10);
    exchange.fromFirst.push_back(1);
    CHECK_FALSE(state.isAllowed(exchange));
}

TEST_CASE("Enrolment SearchState: events change rooms to make place for one more, and none is placed when that does not help") {
    const Problem problem = test::smallEnrolment();
    SearchState state(problem);
    // Rooms 1 and 2 suit event 0, all rooms suit events 1 and 2, and only room 2 suits event 3.
    REQUIRE(state.tryPlace(0, 5));
    REQUIRE(state.tryPlace(3, 5));
    CHECK(toSolution(problem, state.slots())[3] == Place{5, 2});
    CHECK(toSolution(problem, state.slots())[0] == Place{5, 1});
    state.remove(3);
    CHECK(state.hasRoomFor(3, 5));
    CHECK(state.distance() == 2 + 2 + 1);
}

TEST_CASE("Enrolment SearchState: slots that break a rule are refused") {
    const Problem problem = test::smallEnrolment();
    CHECK_THROWS_AS(SearchState(problem, Slots{0, -1, -1, -1}), std::invalid_argument);
    CHECK_NOTHROW(SearchState(problem, Slots{problem.slotOf(1, 1), -1, -1, -1}));
}
