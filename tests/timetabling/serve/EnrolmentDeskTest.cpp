#include <ferry/apps/timetabling/serve/EnrolmentDesk.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <ferry/apps/timetabling/enrolment/io/InstanceReader.hpp>
#include <ferry/apps/timetabling/enrolment/io/PublishedFile.hpp>
#include <ferry/apps/timetabling/enrolment/model/Score.hpp>
#include <ferry/apps/timetabling/enrolment/search/EnrolmentSearch.hpp>
#include <ferry/apps/timetabling/serve/Desk.hpp>
#include <ferry/apps/timetabling/serve/HttpAnswer.hpp>
#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>
#include <ferry/tests/timetabling/support/contains.hpp>

using namespace timetabling;

namespace enrolmentDeskTest {

/// A desk with a timetable that leaves no event out. It can be changed.
struct EventDesk {
    explicit EventDesk(bool hasSecondRules = true)
        : problem(test::generatedEnrolment(hasSecondRules, 3, 40, 4)),
          desk(problem.instance()),
          slots(enrolment::EnrolmentSearch(problem.instance()).construct(1, Budget::ofMoves(2'000'000), {}).slots) {
        REQUIRE(std::count(slots.begin(), slots.end(), -1) == 0);
        desk.follow(slots);
        desk.open();
    }

    std::uint64_t version() const { return desk.version(); }
    enrolment::Place placeOf(int event) const { return toSolution(problem, slots)[static_cast<std::size_t>(event)]; }
    std::optional<DeskOrder> lastOrder() {
        std::optional<DeskOrder> last;
        while (auto order = desk.takeOrder()) last = std::move(order);
        return last;
    }

    enrolment::Problem problem;
    Desk desk;
    Slots slots;
};

int refusalOf(const std::function<void()>& change) {
    try {
        change();
    } catch (const HttpRefusal& refusal) {
        return refusal.status();
    }
    return 200;
}

}    // namespace enrolmentDeskTest

using namespace enrolmentDeskTest;

TEST_CASE("EnrolmentDesk: each place of an event costs what a full evaluation tells") {
    for (const bool hasSecondRules : {false, true}) {
        EventDesk open(hasSecondRules);
        const enrolment::Solution before = toSolution(open.problem, open.slots);
        const enrolment::Score score = scoreOf(open.problem, before);
        std::set<std::string> kinds;
        for (const int event : {0, 13, 39}) {
            const auto answer = open.desk.places(event, open.placeOf(event).period);
            REQUIRE(answer["places"].size() == static_cast<std::size_t>(open.problem.slotCount()));
            for (const auto& place : answer["places"]) {
                kinds.insert(place["kind"].get<std::string>());
                if (!place.contains("cost")) continue;
                enrolment::Solution after = before;
                const enrolment::Place to{place["period"], place["room"]};
                for (enrolment::Place& other : after) {
                    if (other == to) other = open.placeOf(event);
                }
                after[static_cast<std::size_t>(event)] = to;
                const enrolment::Score now = scoreOf(open.problem, after);
                REQUIRE(place["violations"] == now.violations() - score.violations());
                REQUIRE(place["cost"] == now.cost() - score.cost());
            }
        }
        for (const char* kind : {"here", "free", "exchange", "room does not suit"}) CHECK(kinds.contains(kind));
        CHECK(kinds.contains("period closed") == hasSecondRules);
    }
}

TEST_CASE("EnrolmentDesk: an event moves, is left out, and comes back") {
    EventDesk open;
    const enrolment::Place here = open.placeOf(5);
    const auto before = open.desk.state();
    CHECK(before["noun"] == "event");
    open.desk.leaveOut(open.version(), 5, here.period);
    const auto leftOut = open.desk.state();
    CHECK(leftOut["leftOut"] == nlohmann::ordered_json::parse(R"([{"course": 5, "count": 1, "text": "event 5"}])"));
    CHECK(leftOut["violations"] == open.problem.absencePenalty(5));
    const std::optional<DeskOrder> order = open.lastOrder();
    REQUIRE(order);
    CHECK(order->kind == DeskOrder::Kind::Write);
    CHECK(order->isWorthKeeping);    // by the rules of ITC-2007
    CHECK(order->slots[5] == -1);
    const auto answer = open.desk.placesForLeftOut(5);
    for (const auto& place : answer["places"]) {
        if (place["period"] != here.period || place["room"] != here.room) continue;
        CHECK(place["violations"] == -open.problem.absencePenalty(5));
        CHECK(place["cost"] == before["cost"].get<int>() - leftOut["cost"].get<int>());
    }
    open.desk.place(open.version(), 5, here.period, here.room);
    CHECK(open.desk.state()["cost"] == before["cost"]);
    CHECK(open.lastOrder()->slots == open.slots);
    open.desk.undo(open.version());
    open.desk.undo(open.version());
    CHECK(open.desk.state()["violations"] == before["violations"]);
}

TEST_CASE("EnrolmentDesk: a timetable that breaks a rule is not written, and one that lacks events neither by the rules of ITC-2002") {
    EventDesk open(false);
    open.desk.leaveOut(open.version(), 5, open.placeOf(5).period);
    CHECK_FALSE(open.lastOrder()->isWorthKeeping);
    open.desk.undo(open.version());
    CHECK(open.lastOrder()->isWorthKeeping);
    for (int event = 0; event < open.problem.eventCount(); ++event) {
        const auto answer = open.desk.places(event, open.placeOf(event).period);
        for (const auto& place : answer["places"]) {
            if (place["kind"] != "free" || place["violations"] == 0) continue;
            open.desk.move(open.version(), event, open.placeOf(event).period, place["period"], place["room"]);
            CHECK_FALSE(open.lastOrder()->isWorthKeeping);
            return;
        }
    }
    FAIL("no move breaks a rule");
}

TEST_CASE("EnrolmentDesk: pins and closings go to the search, to the files of the next run, and to the page") {
    EventDesk open;
    const enrolment::Place pinned = open.placeOf(1);
    open.desk.pin(open.version(), 1, pinned.period, pinned.period, -1);
    CHECK(refusalOf([&] { open.desk.move(open.version(), 1, pinned.period, 0, 0); }) == 409);
    CHECK(refusalOf([&] { open.desk.leaveOut(open.version(), 1, pinned.period); }) == 409);
    CHECK(enrolment::readPins(TextFile("pins.csv", open.desk.document(Desk::Document::Pins)), open.problem) ==
          std::vector<enrolment::Pin>{{1, pinned.period, -1}});
    const enrolment::Place other = open.placeOf(2);
    CHECK(refusalOf([&] { open.desk.setClosed(open.version(), other.room, other.period, true); }) == 409);
    // The pinned event would have no period.
    CHECK(refusalOf([&] { open.desk.setClosed(open.version(), -1, pinned.period, true); }) == 409);
    const int period = other.period == pinned.period ? (pinned.period + 1) % enrolment::PeriodCount : other.period;
    open.desk.setClosed(open.version(), -1, period, true);
    std::uint64_t version = 0;
    CHECK(open.desk.view(version).closedPlaces[static_cast<std::size_t>(period * open.problem.roomCount())]);
    CHECK(open.desk.freeRooms()["periods"][static_cast<std::size_t>(period)]["rooms"].empty());
    const auto changed = enrolment::readInstance(TextFile("changed.tim", open.desk.document(Desk::Document::Closings)));
    for (const std::vector<int>& closed : changed.second.closedPeriods) CHECK(std::binary_search(closed.begin(), closed.end(), period));
    open.lastOrder();
    open.desk.solve(open.version(), 3, false);
    const std::optional<DeskOrder> order = open.desk.takeOrder();
    REQUIRE(order);
    const auto& instance = std::get<enrolment::Instance>(order->instance);
    CHECK(instance.published.places == toSolution(open.problem, open.slots));
    CHECK(instance.published.pins == std::vector<enrolment::Pin>{{1, pinned.period, -1}});
    CHECK_FALSE(instance.published.keepWeight);
    Slots result = open.slots;
    result[3] = -1;
    open.desk.propose(order->instance, result, "one event less");
    CHECK(open.desk.state()["proposal"]["movedCount"] == 1);
    open.desk.take(open.version());
    CHECK(open.lastOrder()->slots == result);
    open.desk.setClosed(open.version(), -1, period, false);
    CHECK(open.desk.state()["closings"].empty());
    open.desk.unpin(open.version(), 1, pinned.period);
    open.desk.setClosed(open.version(), other.room, -1, true);
    CHECK(open.desk.state()["closings"][0]["text"] == "room " + std::to_string(other.room) + ", all week");
    CHECK(open.desk.state()["violations"].get<int>() > 0);
    EventDesk first(false);
    CHECK(refusalOf([&] { first.desk.setClosed(first.version(), -1, 4, true); }) == 409);
    first.desk.setClosed(first.version(), 0, -1, true);
    CHECK(test::contains(first.desk.document(Desk::Document::Csv), "event,day,period,room"));
}
