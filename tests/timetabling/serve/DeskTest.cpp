#include <ferry/apps/timetabling/serve/Desk.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <ferry/apps/timetabling/curriculum/io/CsvFolder.hpp>
#include <ferry/apps/timetabling/curriculum/io/Generator.hpp>
#include <ferry/apps/timetabling/curriculum/io/PublishedFile.hpp>
#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/apps/timetabling/curriculum/search/Construction.hpp>
#include <ferry/apps/timetabling/problem/AnyProblem.hpp>
#include <ferry/apps/timetabling/serve/HttpAnswer.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>
#include <ferry/tests/timetabling/support/contains.hpp>

using namespace timetabling;
using curriculum::Placement;
using curriculum::Problem;
using curriculum::Solution;
using timetabling::test::contains;

namespace deskTest {

curriculum::Instance smallInstance(curriculum::Formulation formulation = curriculum::Formulation::UD2) {
    curriculum::GeneratorOptions options;
    options.courseCount = 10;
    options.roomCount = 4;
    options.dayCount = 4;
    options.periodsPerDay = 4;
    options.curriculumCount = 5;
    options.seed = 3;
    curriculum::Instance instance = curriculum::generateInstance(options);
    instance.formulation = formulation;
    return instance;
}

/// A desk with a timetable. It can be changed.
struct OpenDesk {
    explicit OpenDesk(const curriculum::Instance& instance, std::uint64_t seed = 1) : problem(instance), desk(instance) {
        slots = curriculum::randomSlots(problem, seed);
        desk.follow(slots);
        desk.open();
    }

    std::uint64_t version() const { return desk.version(); }
    /// The present timetable, as an order to write has it.
    Solution timetable() {
        while (const auto order = desk.takeOrder()) {
            if (order->kind != DeskOrder::Kind::Write) continue;
            written = toSolution(Problem(std::get<curriculum::Instance>(order->instance)), order->slots);
        }
        return written ? *written : toSolution(problem, slots);
    }

    Problem problem;
    Slots slots;
    Desk desk;
    std::optional<Solution> written;
};

/// Returns the places of the lecture. A loop over a part of an answer would not keep the answer alive.
nlohmann::ordered_json placesOf(const OpenDesk& open, const Placement& lecture) {
    return open.desk.places(lecture.course, lecture.period)["places"];
}

int statusOf(const std::function<void()>& change) {
    try {
        change();
    } catch (const HttpRefusal& refusal) {
        return refusal.status();
    }
    return 200;
}

Solution moved(Solution solution, const Placement& from, const nlohmann::ordered_json& place, const Problem& problem) {
    const int period = place["period"];
    const int room = place["room"];
    for (Placement& one : solution.placements) {
        if (one == from) {
            one = {from.course, period, room};
        } else if (one.period == period && one.room == room) {
            CHECK(place["kind"] == "exchange");
            CHECK(place["with"] == problem.course(one.course).id);
            one = {one.course, from.period, from.room};
        }
    }
    return solution;
}

/// Compares the costs of all places of all lectures with full evaluations. Returns the number of places.
int compareAllPlaces(const curriculum::Instance& instance) {
    OpenDesk open(instance);
    const Solution solution = toSolution(open.problem, open.slots);
    const curriculum::Score before = scoreOf(open.problem, solution);
    int compared = 0;
    for (const Placement& lecture : solution.placements) {
        const auto answer = open.desk.places(lecture.course, lecture.period);
        REQUIRE(answer["places"].size() == static_cast<std::size_t>(open.problem.slotCount()));
        CHECK(answer["room"] == lecture.room);
        for (const auto& place : answer["places"]) {
            if (!place.contains("cost")) continue;
            const curriculum::Score after = scoreOf(open.problem, moved(solution, lecture, place, open.problem));
            REQUIRE(place["cost"] == after.cost() - before.cost());
            REQUIRE(place["violations"] == after.violations() - before.violations());
            ++compared;
        }
    }
    return compared;
}

Placement firstOf(const OpenDesk& open) { return toSolution(open.problem, open.slots).placements.front(); }

/// Returns a place to which the lecture may go without an exchange.
std::pair<int, int> freePlaceFor(const OpenDesk& open, const Placement& lecture) {
    for (const auto& place : placesOf(open, lecture)) {
        if (place["kind"] == "free" && place["period"] != lecture.period) return {place["period"], place["room"]};
    }
    FAIL("no free place");
    return {};
}

}    // namespace deskTest

using namespace deskTest;

TEST_CASE("Desk: each place of each lecture costs what a full evaluation after the move says") {
    for (const curriculum::Formulation formulation : curriculum::AllFormulations) {
        CAPTURE(nameOf(formulation));
        CHECK(compareAllPlaces(smallInstance(formulation)) > 500);
    }
    curriculum::Instance own = smallInstance();
    own.weights = curriculum::Weights{.teacherGaps = 3, .teacherDays = 2, .weeklyTime = 1};
    own.teacherLimits.push_back({own.courses.front().teacher, 1, 1, 1});
    CHECK(compareAllPlaces(own) > 500);
    curriculum::Instance closed = smallInstance();
    closed.roomClosings = {{0, 0, 0}, {1, 2, 3}};
    CHECK(compareAllPlaces(closed) > 500);
}

TEST_CASE("Desk: places that are none say why") {
    curriculum::Instance instance = smallInstance();
    instance.roomClosings = {{0, 0, 0}};
    instance.unavailabilities.push_back({0, 0, 1});
    OpenDesk open(instance);
    std::set<std::string> kinds;
    for (const Placement& lecture : toSolution(open.problem, open.slots).placements) {
        for (const auto& place : placesOf(open, lecture)) {
            kinds.insert(place["kind"].get<std::string>());
            CHECK(place.contains("cost") == (place["kind"] == "free" || place["kind"] == "exchange"));
            const int status = statusOf([&] {
                if (!place.contains("cost")) open.desk.move(open.version(), lecture.course, lecture.period, place["period"], place["room"]);
            });
            CHECK(status == (place.contains("cost") ? 200 : 409));
        }
    }
    CHECK(kinds ==
          std::set<std::string>{"here", "free", "exchange", "room closed", "period closed", "course is there", "other cannot leave"});
}

TEST_CASE("Desk: a move changes the timetable and its cost, and undo takes it back") {
    OpenDesk open(smallInstance());
    const Placement lecture = firstOf(open);
    const auto [period, room] = freePlaceFor(open, lecture);
    const auto before = open.desk.state();
    open.desk.move(open.version(), lecture.course, lecture.period, period, room);
    const Solution after = open.timetable();
    CHECK(std::count(after.placements.begin(), after.placements.end(), Placement{lecture.course, period, room}) == 1);
    CHECK(open.desk.state()["cost"] == scoreOf(open.problem, after).cost());
    CHECK(open.desk.state()["version"] > before["version"]);
    CHECK(statusOf([&] { open.desk.places(lecture.course, lecture.period); }) == 404);
    open.desk.undo(open.version());
    CHECK(open.timetable() == toSolution(open.problem, open.slots));
    CHECK(open.desk.state()["cost"] == before["cost"]);
    CHECK(statusOf([&] { open.desk.undo(open.version()); }) == 409);
}

TEST_CASE("Desk: an exchange moves both lectures") {
    OpenDesk open(smallInstance());
    const Solution before = toSolution(open.problem, open.slots);
    for (const Placement& lecture : before.placements) {
        for (const auto& place : placesOf(open, lecture)) {
            if (place["kind"] != "exchange") continue;
            open.desk.move(open.version(), lecture.course, lecture.period, place["period"], place["room"]);
            Solution expected = moved(before, lecture, place, open.problem);
            Solution found = open.timetable();
            const auto key = [](const Placement& one) { return std::tuple(one.course, one.period, one.room); };
            std::sort(expected.placements.begin(), expected.placements.end(), [&](auto& a, auto& b) { return key(a) < key(b); });
            CHECK(found == expected);
            return;
        }
    }
    FAIL("no exchange");
}

TEST_CASE("Desk: a pinned lecture stays, and a pin that contradicts another one is refused") {
    OpenDesk open(smallInstance());
    const Placement lecture = firstOf(open);
    const auto [period, room] = freePlaceFor(open, lecture);
    open.desk.pin(open.version(), lecture.course, lecture.period, lecture.period, lecture.room);
    CHECK(open.desk.state()["pins"][0]["isMet"] == true);
    CHECK(open.desk.places(lecture.course, lecture.period)["isPinned"] == true);
    CHECK(statusOf([&] { open.desk.move(open.version(), lecture.course, lecture.period, period, room); }) == 409);
    // The pin of another place takes the place of this one, and the timetable has to be solved again.
    open.desk.pin(open.version(), lecture.course, lecture.period, period, room);
    REQUIRE(open.desk.state()["pins"].size() == 1);
    CHECK(open.desk.state()["pins"][0]["isMet"] == false);
    // A second lecture in the same place.
    const Placement other = toSolution(open.problem, open.slots).placements.back();
    CHECK(statusOf([&] { open.desk.pin(open.version(), other.course, other.period, period, room); }) == 409);
    const auto pins = readPins(TextFile("pins.csv", open.desk.document(Desk::Document::Pins)), open.problem);
    CHECK(pins == std::vector<curriculum::Pin>{{lecture.course, period, room}});
    open.desk.unpin(open.version(), lecture.course, period);
    CHECK(open.desk.state()["pins"].empty());
    CHECK(statusOf([&] { open.desk.unpin(open.version(), lecture.course, period); }) == 404);
}

TEST_CASE("Desk: a closed room is a violation until the lecture leaves it") {
    OpenDesk open(smallInstance());
    const Placement lecture = firstOf(open);
    const auto before = open.desk.state();
    open.desk.setClosed(open.version(), lecture.room, lecture.period, true);
    CHECK(open.desk.state()["violations"] == before["violations"].get<int>() + 1);
    const auto answer = open.desk.places(lecture.course, lecture.period);
    for (const auto& place : answer["places"]) {
        if (place["kind"] != "free") continue;
        curriculum::Instance closed = smallInstance();
        closed.roomClosings.push_back({lecture.room, lecture.period / 4, lecture.period % 4});
        const Problem problem(closed);
        const Solution after = moved(toSolution(open.problem, open.slots), lecture, place, problem);
        REQUIRE(place["violations"] ==
                scoreOf(problem, after).violations() - scoreOf(problem, toSolution(open.problem, open.slots)).violations());
    }
    const auto [period, room] = freePlaceFor(open, lecture);
    open.desk.move(open.version(), lecture.course, lecture.period, period, room);
    CHECK(statusOf([&] { open.desk.move(open.version(), lecture.course, period, lecture.period, lecture.room); }) == 409);
    CHECK(contains(open.desk.document(Desk::Document::Closings), open.problem.room(lecture.room).id));
    open.desk.setClosed(open.version(), lecture.room, lecture.period, false);
    open.desk.move(open.version(), lecture.course, period, lecture.period, lecture.room);
    CHECK(statusOf([&] { open.desk.setClosed(open.version(), lecture.room, lecture.period, false); }) == 404);
}

TEST_CASE("Desk: closing a room for the week, or a period for all rooms, is told as one closing") {
    OpenDesk open(smallInstance());
    open.desk.setClosed(open.version(), 1, -1, true);
    open.desk.setClosed(open.version(), -1, 5, true);
    open.desk.setClosed(open.version(), 0, 7, true);
    const auto closings = open.desk.state()["closings"];
    REQUIRE(closings.size() == 3);
    CHECK(closings[0]["room"] == 1);
    CHECK(closings[0]["period"] == -1);
    CHECK(closings[1]["room"] == -1);
    CHECK(closings[1]["period"] == 5);
    const auto free = open.desk.freeRooms();
    for (const auto& row : free["periods"]) {
        for (const auto& room : row["rooms"]) CHECK(room["room"] != open.problem.room(1).id);
    }
    CHECK(open.desk.freeRooms()["periods"][5]["rooms"].empty());
    open.desk.setClosed(open.version(), 1, -1, false);
    open.desk.setClosed(open.version(), -1, 5, false);
    open.desk.setClosed(open.version(), 0, 7, false);
    CHECK(open.desk.state()["closings"].empty());
}

TEST_CASE("Desk: an order to solve has the present timetable as the published one, and its result waits to be taken over") {
    OpenDesk open(smallInstance());
    const Placement lecture = firstOf(open);
    open.desk.setClosed(open.version(), lecture.room, lecture.period, true);
    open.timetable();
    open.desk.solve(open.version(), 5, false);
    const auto order = open.desk.takeOrder();
    REQUIRE(order);
    CHECK(order->kind == DeskOrder::Kind::Solve);
    CHECK(order->seconds == 5);
    const auto& instance = std::get<curriculum::Instance>(order->instance);
    CHECK(instance.roomClosings.size() == 1);
    CHECK(instance.published.lectures.size() == static_cast<std::size_t>(open.problem.lectureCount()));
    CHECK_FALSE(instance.published.keepWeight);
    CHECK(statusOf([&] { open.desk.undo(open.version()); }) == 409);    // the search is running
    CHECK_FALSE(open.desk.isStopWanted());
    open.desk.stop();
    CHECK(open.desk.isStopWanted());
    const Problem problem(instance);
    const Slots slots = curriculum::randomSlots(problem, 9);
    const Solution result = toSolution(problem, slots);
    open.desk.propose(order->instance, slots, "12 moved; fewer are impossible");
    CHECK_FALSE(open.desk.isStopWanted());
    const auto proposal = open.desk.state()["proposal"];
    CHECK(proposal["cost"] == scoreOf(open.problem, result).cost());
    CHECK(proposal["movedCount"] == proposal["moved"].size());
    CHECK(proposal["movedCount"] > 0);
    open.desk.take(open.version());
    CHECK(open.timetable() == result);
    CHECK(open.desk.state()["proposal"].is_null());
    CHECK(statusOf([&] { open.desk.take(open.version()); }) == 409);
    open.desk.undo(open.version());
    CHECK(open.timetable() == toSolution(open.problem, open.slots));
    open.desk.solve(open.version(), 1, true);
    CHECK(std::get<curriculum::Instance>(open.desk.takeOrder()->instance).published.keepWeight == 0);
    open.desk.fail("no feasible timetable exists");
    CHECK(open.desk.state()["told"] == "no feasible timetable exists");
    CHECK(statusOf([&] { open.desk.discard(open.version()); }) == 409);
}

TEST_CASE("Desk: numbers out of range, old versions and changes during a search are refused, and change nothing") {
    OpenDesk open(smallInstance());
    const Placement lecture = firstOf(open);
    const auto before = open.desk.state();
    for (const int wrong : {-1, -2'000'000'000, 2'000'000'000, 16}) {
        CAPTURE(wrong);
        CHECK(statusOf([&] { open.desk.places(wrong, 0); }) == 400);
        CHECK(statusOf([&] { open.desk.places(0, wrong); }) == 400);
        CHECK(statusOf([&] { open.desk.move(open.version(), wrong, lecture.period, 0, 0); }) == 400);
        CHECK(statusOf([&] { open.desk.move(open.version(), lecture.course, lecture.period, wrong, 0); }) == 400);
        CHECK(statusOf([&] { open.desk.move(open.version(), lecture.course, lecture.period, 0, wrong); }) == 400);
        CHECK(statusOf([&] { open.desk.pin(open.version(), lecture.course, lecture.period, wrong, 0); }) == 400);
        CHECK(statusOf([&] { open.desk.unpin(open.version(), wrong, 0); }) == 400);
    }
    for (const int wrong : {-2, 4, 2'000'000'000}) CHECK(statusOf([&] { open.desk.setClosed(open.version(), wrong, 0, true); }) == 400);
    CHECK(statusOf([&] { open.desk.setClosed(open.version(), -1, -1, true); }) == 400);
    CHECK(statusOf([&] { open.desk.setClosed(open.version(), 0, 16, true); }) == 400);
    for (const double wrong : {0.0, -1.0, 1e9, std::nan("")})
        CHECK(statusOf([&] { open.desk.solve(open.version(), wrong, false); }) == 400);
    for (const std::uint64_t version : {open.version() - 1, open.version() + 1, std::uint64_t{0}}) {
        CHECK(statusOf([&] { open.desk.setClosed(version, 0, 0, true); }) == 409);
        CHECK(statusOf([&] { open.desk.undo(version); }) == 409);
    }
    CHECK(statusOf([&] { open.desk.stop(); }) == 409);
    CHECK(open.desk.state() == before);
    Desk fresh(smallInstance());
    CHECK_FALSE(fresh.hasTimetable());
    CHECK(fresh.state()["hasTimetable"] == false);
    CHECK(statusOf([&] { fresh.places(0, 0); }) == 404);
    CHECK(statusOf([&] { fresh.undo(fresh.version()); }) == 409);
    CHECK(statusOf([&] { fresh.freeRooms(); }) == 404);
    fresh.follow(open.slots);
    CHECK(fresh.places(lecture.course, lecture.period)["room"] == lecture.room);    // while the search runs
    CHECK(statusOf([&] { fresh.move(fresh.version(), lecture.course, lecture.period, 0, 0); }) == 409);
    fresh.stop();
    fresh.end();
    REQUIRE(fresh.isStopWanted());
    CHECK(fresh.takeOrder()->kind == DeskOrder::Kind::End);
}

TEST_CASE("Desk: a timetable of the rest can be changed too") {
    OpenDesk open(smallInstance());
    Slots slots = open.slots;
    slots.back() = -1;
    open.desk.follow(slots);
    CHECK(open.desk.state()["violations"].get<int>() >= 1);
    const Placement lecture = firstOf(open);
    const auto [period, room] = freePlaceFor(open, lecture);
    open.desk.move(open.version(), lecture.course, lecture.period, period, room);
    CHECK(open.timetable().placements.size() == slots.size() - 1);
    open.desk.solve(open.version(), 1, false);
    CHECK(Problem(std::get<curriculum::Instance>(open.desk.takeOrder()->instance)).lectureCount() == open.problem.lectureCount() - 1);
}

TEST_CASE("Desk: a lecture that is left out goes to a free place by hand, at the cost that a full evaluation tells") {
    curriculum::Instance instance = smallInstance();
    instance.roomClosings = {{0, 0, 0}};
    OpenDesk open(instance);
    Slots slots = open.slots;
    slots.back() = -1;
    slots[slots.size() / 2] = -1;
    open.desk.follow(slots);
    const Solution before = toSolution(open.problem, slots);
    const curriculum::Score score = scoreOf(open.problem, before);
    const auto leftOut = open.desk.state()["leftOut"];
    REQUIRE(leftOut.size() == 2);
    open.desk.setClosed(open.version(), 1, 5, true);
    std::set<std::string> kinds;
    int compared = 0;
    for (const auto& one : leftOut) {
        CHECK(one["count"] == 1);
        const int course = one["course"];
        const auto answer = open.desk.placesForLeftOut(course);
        REQUIRE(answer["places"].size() == static_cast<std::size_t>(open.problem.slotCount()));
        for (const auto& place : answer["places"]) {
            kinds.insert(place["kind"].get<std::string>());
            CHECK(place.contains("cost") == (place["kind"] == "free"));
            if (!place.contains("cost")) {
                CHECK(statusOf([&] { open.desk.place(open.version(), course, place["period"], place["room"]); }) == 409);
                continue;
            }
            Solution after = before;
            after.placements.push_back({course, place["period"], place["room"]});
            CHECK(place["cost"] == scoreOf(open.problem, after).cost() - score.cost());
            CHECK(place["violations"] == scoreOf(open.problem, after).violations() - score.violations());
            ++compared;
        }
    }
    CHECK(compared > 10);
    for (const char* kind : {"free", "taken", "room closed"}) CHECK(kinds.contains(kind));
    const int course = leftOut[0]["course"];
    const auto answer = open.desk.placesForLeftOut(course);
    for (const auto& place : answer["places"]) {
        if (!place.contains("cost")) continue;
        const int violations = open.desk.state()["violations"];
        open.desk.place(open.version(), course, place["period"], place["room"]);
        CHECK(open.desk.state()["violations"] == violations + place["violations"].get<int>());
        break;
    }
    CHECK(open.desk.state()["leftOut"].size() == 1);
    CHECK(open.timetable().placements.size() == before.placements.size() + 1);
    CHECK(statusOf([&] { open.desk.placesForLeftOut(course); }) == 404);
    CHECK(statusOf([&] { open.desk.place(open.version(), course, 0, 1); }) == 409);
    open.desk.undo(open.version());
    CHECK(open.desk.state()["leftOut"].size() == 2);
    for (const int wrong : {-1, 99}) {
        CHECK(statusOf([&] { open.desk.placesForLeftOut(wrong); }) == 400);
        CHECK(statusOf([&] { open.desk.place(open.version(), wrong, 0, 0); }) == 400);
        CHECK(statusOf([&] { open.desk.place(open.version(), course, wrong, 0); }) == 400);
        CHECK(statusOf([&] { open.desk.place(open.version(), course, 0, wrong); }) == 400);
    }
}

TEST_CASE("Desk: a lecture that is left out by hand can come back") {
    OpenDesk open(smallInstance());
    const Placement lecture = firstOf(open);
    open.desk.pin(open.version(), lecture.course, lecture.period, lecture.period, lecture.room);
    CHECK(statusOf([&] { open.desk.leaveOut(open.version(), lecture.course, lecture.period); }) == 409);
    open.desk.undo(open.version());
    const auto before = open.desk.state();
    open.desk.leaveOut(open.version(), lecture.course, lecture.period);
    CHECK(open.desk.state()["leftOut"][0]["course"] == lecture.course);
    CHECK(open.timetable().placements.size() == open.slots.size() - 1);
    CHECK(statusOf([&] { open.desk.leaveOut(open.version(), lecture.course, lecture.period); }) == 404);
    open.desk.place(open.version(), lecture.course, lecture.period, lecture.room);
    CHECK(open.timetable() == toSolution(open.problem, open.slots));
    CHECK(open.desk.state()["violations"] == before["violations"]);
    CHECK(open.desk.state()["cost"] == before["cost"]);
}

TEST_CASE("Desk: whatever the page has changed, a search is refused or can be carried out") {
    OpenDesk open(smallInstance());
    const Placement first = firstOf(open);
    const auto [toPeriod, room] = freePlaceFor(open, first);
    open.desk.pin(open.version(), first.course, first.period, toPeriod, -1);
    for (const Placement& one : toSolution(open.problem, open.slots).placements) {
        if (one.course == first.course && one.period != toPeriod) open.desk.leaveOut(open.version(), one.course, one.period);
    }
    const std::string refusal = "without the lectures that are left out, course " + open.problem.course(first.course).id +
                                " has 0 lectures, and more are pinned: take a pin away, or place a lecture";
    CHECK_THROWS_WITH_AS(open.desk.solve(open.version(), 1, false), refusal.c_str(), HttpRefusal);
    CHECK(open.desk.state()["isSearching"] == false);
    std::mt19937 random(1);
    std::set<int> answers;
    for (int round = 0; round < 200; ++round) {
        const std::vector<Placement> lectures = open.timetable().placements;
        const Placement& one = lectures[random() % lectures.size()];
        const int period = static_cast<int>(random() % 16);
        const auto state = open.desk.state();
        statusOf([&] {
            switch (random() % 4) {
                case 0: return open.desk.pin(open.version(), one.course, one.period, period, static_cast<int>(random() % 5) - 1);
                case 1: return open.desk.leaveOut(open.version(), one.course, one.period);
                case 2:
                    for (const auto& pin : state["pins"]) return open.desk.unpin(open.version(), pin["course"], pin["period"]);
                    return;
                default:
                    for (const auto& left : state["leftOut"]) return open.desk.place(open.version(), left["course"], period, 0);
            }
        });
        open.timetable();    // takes the orders to write
        const int answer = statusOf([&] { open.desk.solve(open.version(), 1, false); });
        answers.insert(answer);
        if (answer != 200) continue;
        while (const auto order = open.desk.takeOrder()) {
            if (order->kind == DeskOrder::Kind::Solve) CHECK_NOTHROW(makeSearchProblem(order->instance));
        }
        open.desk.fail("");
    }
    CHECK(answers == std::set<int>{200, 409});
}

TEST_CASE("Desk: pins of the command line are there, and can be taken away") {
    curriculum::Instance instance = smallInstance();
    const Slots slots = curriculum::randomSlots(Problem(instance), 1);
    const Placement lecture = toSolution(Problem(instance), slots).placements.front();
    instance.published.pins = {{lecture.course, lecture.period, lecture.room}};
    const Problem pinned(instance);
    Desk desk(instance);
    desk.follow(toSlots(pinned, toSolution(Problem(smallInstance()), slots)));
    desk.open();
    REQUIRE(desk.state()["pins"].size() == 1);
    std::uint64_t version = 0;
    CHECK(desk.view(version).entries.front().notes == std::vector<std::string>{"pinned"});
    CHECK(version == desk.version());
    desk.unpin(version, lecture.course, lecture.period);
    const auto order = desk.takeOrder();
    REQUIRE(order);
    CHECK(order->kind == DeskOrder::Kind::Write);
    CHECK(order->isWorthKeeping == (desk.state()["violations"] == 0));
    CHECK(std::get<curriculum::Instance>(order->instance).published.pins.empty());
    CHECK(contains(desk.document(Desk::Document::Csv), "course,teacher,day,period,room,curricula"));
    CHECK(nlohmann::json::accept(desk.document(Desk::Document::Json)));
}
