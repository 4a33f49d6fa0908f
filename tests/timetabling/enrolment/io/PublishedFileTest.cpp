#include <ferry/apps/timetabling/enrolment/io/PublishedFile.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/enrolment/model/Solution.hpp>
#include <ferry/apps/timetabling/enrolment/report/EnrolmentPresenter.hpp>
#include <ferry/apps/timetabling/enrolment/search/EnrolmentSearch.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>
#include <ferry/tests/timetabling/support/damaged.hpp>

using namespace timetabling;
using namespace timetabling::enrolment;

namespace {

std::vector<Pin> pinsOf(const std::string& rows) {
    return readPins(TextFile("pins.csv", "event,day,period,room\n" + rows), test::smallEnrolment());
}

template <class Read>
std::string complaintOf(Read read) {
    try {
        read();
    } catch (const InputError& error) {
        return error.what();
    }
    return "none";
}

std::string complaintAbout(const std::string& rows) {
    return complaintOf([&] { pinsOf(rows); });
}

}    // namespace

TEST_CASE("Enrolment PublishedFile: pins are read with and without a room") {
    CHECK(pinsOf("0,0,1,2\n3,4,8,\n") == std::vector<Pin>{{0, 1, 2}, {3, 44, -1}});
    CHECK(readPins(TextFile("pins.csv", "day;event;period\n1;2;0\n"), test::smallEnrolment()) == std::vector<Pin>{{2, 9, -1}});
    CHECK(pinsOf("").empty());
}

TEST_CASE("Enrolment PublishedFile: what --out, --csv and --json have written pins the events that take place") {
    const Problem problem = test::smallEnrolment();
    const std::vector<Pin> expected{{0, 1, 2}, {3, 44, 2}};
    CHECK(readPins(TextFile("old.sln", "1 2\n-1 -1\n-1 -1\n44 2\n"), problem) == expected);
    CHECK(pinsOf("0,0,1,2\n1,,,\n2,,,\n3,4,8,2\n") == expected);
    const Slots slots = toSlots(problem, {{1, 2}, {}, {}, {44, 2}});
    const EnrolmentPresenter presenter(problem.instance());
    CHECK(readPins(TextFile("old.csv", presenter.csvTable(slots)), problem) == expected);
    CHECK(readPins(TextFile("old.json", presenter.jsonDocument(slots)), problem) == expected);
    CHECK(complaintOf([&] { readPins(TextFile("old.sln", "0 2\n-1 -1\n-1 -1\n44 2\n"), problem); }) ==
          "old.sln: event 0 is pinned on day 0 period 0, which is closed to it");
    CHECK(complaintOf([&] { readPins(TextFile("old.json", R"({"events": [{"event": 0, "day": 0, "period": 0}]})"), problem); }) ==
          "old.json: entry 0: event 0 is pinned on day 0 period 0, which is closed to it");
    CHECK(complaintOf([&] { readPins(TextFile("pins.csv", "what\n"), problem); }).starts_with("pins.csv:1: "));
}

TEST_CASE("Enrolment PublishedFile: pins that cannot be, alone or together, are told with their line") {
    CHECK(complaintAbout("4,0,0,\n") == "pins.csv:2: column 'event': expected a whole number from 0 to 3, found '4'");
    CHECK(complaintAbout("1,5,0,\n") == "pins.csv:2: column 'day': expected a whole number from 0 to 4, found '5'");
    CHECK(complaintAbout("1,0,9,\n") == "pins.csv:2: column 'period': expected a whole number from 0 to 8, found '9'");
    CHECK(complaintAbout("1,0,0,3\n") == "pins.csv:2: column 'room': expected a whole number from 0 to 2, found '3'");
    CHECK(complaintAbout("0,0,0,\n") == "pins.csv:2: event 0 is pinned on day 0 period 0, which is closed to it");
    CHECK(complaintAbout("0,0,1,0\n") == "pins.csv:2: event 0 is pinned in room 0, which is too small or lacks a feature");
    CHECK(complaintAbout("1,0,0,\n1,0,0,0\n") == "pins.csv:3: event 1 is pinned twice");
    CHECK(complaintAbout("0,0,1,\n1,0,1,\n") == "pins.csv:3: events 1 and 0 share students and are both pinned on day 0 period 1");
    CHECK(complaintAbout("1,0,1,2\n3,0,1,2\n") == "pins.csv:3: events 3 and 1 are both pinned in room 2 on day 0 period 1");
    CHECK(complaintAbout("1,0,1,\n2,0,0,\n") == "pins.csv:3: event 1 has to be before event 2, and is not where they are pinned");
    CHECK(complaintAbout("2,0,1,\n1,0,1,\n") == "pins.csv:3: event 1 has to be before event 2, and is not where they are pinned");
    // Room 2 is the only room that suits event 3.
    CHECK(complaintAbout("1,0,1,2\n3,0,1,\n") == "pins.csv:3: the events that are pinned on day 0 period 1 leave no room for event 3");
    CHECK(complaintAbout("1,0,1,\n3,0,1,\n") == "none");
}

TEST_CASE("Enrolment PublishedFile: of a thousand damaged tables of pins each is read, and can be heeded, or refused in one line") {
    const std::string good = "event,day,period,room\n0,0,1,1\n1,1,0,\n2,2,3,0\n3,4,8,\"2\"\n";
    const Problem problem = test::smallEnrolment();
    Random random(5);
    int refused = 0;
    for (int i = 0; i < 1000; ++i) {
        const std::string text = test::damaged(good, random);
        CAPTURE(text);
        try {
            Instance instance = problem.instance();
            instance.published.pins = readPins(TextFile("pins.csv", text), problem);
            const EnrolmentSearch search(instance);
            const Individual built = search.construct(1, Budget::ofMoves(1000), {});
            CHECK_NOTHROW(search.check(built.slots));
            for (const Pin& pin : instance.published.pins) CHECK(built.slots[static_cast<std::size_t>(pin.event)] >= 0);
        } catch (const InputError& error) {
            ++refused;
            CHECK(std::string(error.what()).find('\n') == std::string::npos);
        }
    }
    CHECK(refused > 500);
}

TEST_CASE("Enrolment PublishedFile: a published timetable may have rooms that are gone, but has a line for each event") {
    const Problem problem = test::smallEnrolment();
    const auto places = readPublished(TextFile("old.sln", "1 1\n-1 -1\n44 7\n3 -1\n"), problem);
    CHECK(places == std::vector<Place>{{1, 1}, {-1, -1}, {44, 7}, {3, -1}});
    const auto complaint = [&](const char* text) { return complaintOf([&] { readPublished(TextFile("old.sln", text), problem); }); };
    CHECK(complaint("") == "old.sln:1: expected the period of event 0, found the end of the file");
    CHECK(complaint("1 1\n2 1\n3 1\n") == "old.sln:4: expected the period of event 3, found the end of the file");
    CHECK(complaint("1 1\n2 1\n3 1\n4 1\n5 1\n") == "old.sln:5: expected the end of the file after 4 events, found more");
    CHECK(complaint("45 1\n2 1\n3 1\n4 1\n") == "old.sln:1: expected the period of event 0 from -1 to 44, found '45'");
    CHECK(complaint("1 1000\n2 1\n3 1\n4 1\n") == "old.sln:1: expected the room of event 0 from -1 to 999, found '1000'");
}

TEST_CASE("Enrolment PublishedFile: all but some events are pinned, as far as their places are there") {
    const Problem problem = test::smallEnrolment();
    const std::vector<Place> places{{1, 1}, {-1, -1}, {9, -1}, {10, 3}};
    CHECK(pinsOfAllBut({"3"}, places, problem) == std::vector<Pin>{{0, 1, 1}, {2, 9, -1}});
    const auto complaint = [&](const char* event) { return complaintOf([&] { pinsOfAllBut({event}, places, problem); }); };
    CHECK(complaint("0") == "--pin-all-but: event 3 cannot stay on day 1 period 1 room 3: its room is no longer there");
    CHECK(complaint("4") == "--pin-all-but: expected events from 0 to 3, found '4'");
    CHECK(complaint("-1") == "--pin-all-but: expected events from 0 to 3, found '-1'");
    CHECK(complaint("1x") == "--pin-all-but: expected events from 0 to 3, found '1x'");
    CHECK(complaint("") == "--pin-all-but: expected events from 0 to 3, found nothing");
}
