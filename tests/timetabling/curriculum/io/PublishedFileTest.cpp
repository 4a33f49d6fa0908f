#include <ferry/apps/timetabling/curriculum/io/PublishedFile.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/io/SolutionFile.hpp>
#include <ferry/apps/timetabling/curriculum/report/JsonReport.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>
#include <ferry/tests/timetabling/support/damaged.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

namespace {

std::vector<Pin> pinsOf(const std::string& rows) {
    return readPins(TextFile("pins.csv", "course,day,period,room\n" + rows), test::smallProblem());
}

std::string complaintAbout(const std::string& rows) {
    try {
        pinsOf(rows);
    } catch (const InputError& error) {
        return error.what();
    }
    return "none";
}

}    // namespace

TEST_CASE("PublishedFile: pins are read with and without a room") {
    CHECK(pinsOf("Algebra,0,1,Large\nBotany,1,0,\n") == std::vector<Pin>{{0, 1, 1}, {1, 4, -1}});
    CHECK(readPins(TextFile("pins.csv", "day;course;period\n4;Drawing;3\n"), test::smallProblem()) == std::vector<Pin>{{3, 19, -1}});
    CHECK(pinsOf("").empty());
}

TEST_CASE("PublishedFile: pins that cannot be, alone or together, are told with their line") {
    CHECK(complaintAbout("Alchemy,0,0,\n") == "pins.csv:2: column 'course': expected a course of this instance, found 'Alchemy'");
    CHECK(complaintAbout("Algebra,5,0,\n") == "pins.csv:2: column 'day': expected a whole number from 0 to 4, found '5'");
    CHECK(complaintAbout("Algebra,0,4,\n") == "pins.csv:2: column 'period': expected a whole number from 0 to 3, found '4'");
    CHECK(complaintAbout("Algebra,0,0,Attic\n") == "pins.csv:2: column 'room': expected a room of this instance, found 'Attic'");
    CHECK(complaintAbout("Chemistry,3,2,\n") == "pins.csv:2: course Chemistry is pinned on day 3 period 2, which is closed to it");
    CHECK(complaintAbout("Algebra,0,0,\nAlgebra,0,0,Large\n") == "pins.csv:3: course Algebra is pinned twice on day 0 period 0");
    CHECK(complaintAbout("Algebra,0,0,\nBotany,0,0,\n") ==
          "pins.csv:3: courses Botany and Algebra share curriculum Science and are both pinned on day 0 period 0");
    CHECK(complaintAbout("Algebra,0,0,Large\nDrawing,0,0,Large\n") ==
          "pins.csv:3: two lectures are pinned in room Large on day 0 period 0");
    CHECK(complaintAbout("Algebra,0,0,\nAlgebra,0,1,\nAlgebra,0,2,\nAlgebra,0,3,\n") ==
          "pins.csv:5: course Algebra has 3 lectures, and more are pinned");
    CHECK(complaintAbout("Algebra,0,0,Large\nDrawing,0,0,Small\n") == "none");
}

TEST_CASE("PublishedFile: a span of times in a row of one lecture ends with its period") {
    Instance instance = test::smallProblem().instance();
    instance.names.periods = {{"1st", 495, 540}, {"2nd", 555, 600}, {"3rd", 615, -1}, {"4th", 675, -1}};
    const Problem problem(instance);
    const auto table = [](const std::string& span) { return TextFile("t.csv", "course,day,period,room\nAlgebra,0," + span + ",Large\n"); };
    CHECK(readPins(table("9:15-10:00"), problem) == std::vector<Pin>{{0, 1, 1}});
    CHECK(readPins(table("10:15-11:00"), problem) == std::vector<Pin>{{0, 2, 1}});
    CHECK(readPublished(table("12:00-13:00"), problem).lectures[0].period == -1);    // a period that is gone
    const char* refusal =
        "t.csv:2: column 'period': expected a period of periods.csv, by its name or its begin, found '08:15-11:00'; a row has one period, "
        "and '1st (08:15-09:00)' begins then";
    CHECK_THROWS_WITH_AS(readPins(table("08:15-11:00"), problem), refusal, InputError);
    CHECK_THROWS_WITH_AS(readPublished(table("08:15-11:00"), problem), refusal, InputError);
    CHECK_THROWS_AS(readPins(table("10:15-12:00"), problem), InputError);
}

TEST_CASE("PublishedFile: each file that the program writes is read again where the names of days and periods are numbers") {
    Instance instance = test::smallProblem().instance();
    instance.names.days = {"1", "2", "3", "4", "5"};
    instance.names.periods = {{"1.0", -1, -1}, {"2.0", -1, -1}, {"3.0", -1, -1}, {"4.0", -1, -1}};
    const Problem problem(instance);
    const Solution solution{{{0, 0, 1}, {0, 5, 0}}};
    const std::vector<Pin> pins{{0, 0, 1}, {0, 5, 0}};
    const TextFile table("t.csv", "course,day,period,room\nAlgebra,1,1,Large\nAlgebra,2.0,2.0,Small\n");
    for (const TextFile& file :
         {TextFile("t.json", writeJsonReport(problem, solution)), TextFile("t.sol", writeSolution(problem, solution)), table}) {
        CAPTURE(file.name());
        CHECK(readSolution(file, problem).placements == solution.placements);
        CHECK(readPins(file, problem) == pins);
        const std::vector<PublishedLecture> lectures = readPublished(file, problem).lectures;
        REQUIRE(lectures.size() == 2);
        CHECK(lectures[1].period == 5);
    }
    const auto refuses = [&](const char* name, const char* text, const char* why) {
        CHECK_THROWS_WITH_AS(readPins(TextFile(name, text), problem), why, InputError);
    };
    refuses("t.csv", "course,day,period\nAlgebra,0,1\n", "t.csv:2: column 'day': expected a day of days.csv, found '0'");
    refuses("t.sol", "Algebra Large 0 0\n\nAlgebra Large 5 0\n", "t.sol:3: column 'day': expected a whole number from 0 to 4, found '5'");
    refuses("t.json", R"({"lectures": [{"course": "Algebra", "day": 0, "period": 4}]})",
            "t.json: entry 0, 'period': expected a whole number from 0 to 3, found '4'");
    instance.names.days = {"Mon", "Tue", "Wed", "Thu", "Fri"};
    CHECK(readPins(TextFile("t.json", R"({"lectures": [{"course": "Algebra", "day": "Tue", "period": 0}]})"), Problem(instance)) ==
          std::vector<Pin>{{0, 4, -1}});
}

TEST_CASE("PublishedFile: a timetable of the program is read again, whatever letters the name of the first course or room has") {
    const Problem small = test::smallProblem();
    for (const std::string name : {"Algebra, Part 1", "A;B", "A|B", "{A}", "sep=A", "day,period", "=A", "'A", "\"A\"", "1", "#A"}) {
        CAPTURE(name);
        for (const bool isRoom : {false, true}) {
            Instance instance = small.instance();
            (isRoom ? instance.rooms[1].id : instance.courses[0].id) = name;
            const Problem problem(instance);
            const TextFile file("t.sol", "\n" + writeSolution(problem, Solution{{{0, 1, 1}}}));
            CHECK(readPins(file, problem) == std::vector<Pin>{{0, 1, 1}});
            CHECK(readSolution(file, problem).placements == std::vector<Placement>{{0, 1, 1}});
            CHECK(readPublished(file, problem).lectures.size() == 1);
        }
    }
}

TEST_CASE("PublishedFile: of a thousand damaged tables of pins each is read or refused in one line") {
    const std::string good = "course,day,period,room\nAlgebra,0,1,Large\nBotany,1,0,\nChemistry,2,3,Small\nDrawing,4,3,\"Large\"\n";
    const Problem problem = test::smallProblem();
    Random random(5);
    int refused = 0;
    for (int i = 0; i < 1000; ++i) {
        const std::string text = test::damaged(good, random);
        CAPTURE(text);
        try {
            Instance instance = problem.instance();
            instance.published.pins = readPins(TextFile("pins.csv", text), problem);
            CHECK_NOTHROW(Problem{instance});
        } catch (const InputError& error) {
            ++refused;
            CHECK(std::string(error.what()).find('\n') == std::string::npos);
        }
    }
    CHECK(refused > 500);
}

TEST_CASE("PublishedFile: a published timetable may have rooms, periods and courses that are gone") {
    const Problem problem = test::smallProblem();
    const auto [lectures, leftOut] = readPublished(
        TextFile("old.sol", "Algebra Large 0 1\nAlgebra Attic 0 2\nAlgebra Large 6 0\nAlchemy Large 0 0\nAlgebra Small 0 1\n"), problem);
    CHECK(leftOut ==
          "lectures left out: 1 of courses that the instance does not have (Alchemy); 1 in a period that has one of the course already");
    REQUIRE(lectures.size() == 3);
    CHECK(lectures[0].period == 1);
    CHECK(lectures[0].room == 1);
    CHECK(lectures[1].room == -1);
    CHECK(lectures[1].place == "day 0 period 2 room Attic");
    CHECK(lectures[2].period == -1);
    const auto refuses = [&](const char* text) { CHECK_THROWS_AS(readPublished(TextFile("old.sol", text), problem), InputError); };
    refuses("");
    refuses("Alchemy Large 0 0\n");
    refuses("Algebra Large 0\n");
    refuses("Algebra Large 0 -1\n");
    refuses("Algebra Large 366 0\n");
}

TEST_CASE("PublishedFile: of many courses that are gone some are named") {
    std::string rows = "Algebra Large 0 1\n";
    CHECK(readPublished(TextFile("old.sol", rows), test::smallProblem()).leftOut.empty());
    for (int i = 0; i < 9; ++i) rows += fmt::format("Gone{} Large 0 1\nGone{} Large 0 2\n", i, i);
    CHECK(readPublished(TextFile("old.sol", rows), test::smallProblem()).leftOut ==
          "lectures left out: 18 of courses that the instance does not have (Gone0, Gone1, Gone2, Gone3, Gone4, ...)");
}

TEST_CASE("PublishedFile: all but some courses are pinned, as far as their places are there") {
    const Problem problem = test::smallProblem();
    const std::vector<PublishedLecture> lectures{{0, 1, 1, "a"}, {1, 4, 0, "b"}, {2, 5, -1, "c"}};
    CHECK(pinsOfAllBut({"Chemistry"}, lectures, problem) == std::vector<Pin>{{0, 1, 1}, {1, 4, 0}});
    CHECK_THROWS_WITH_AS(pinsOfAllBut({"Botany"}, lectures, problem),
                         "--pin-all-but: course Chemistry cannot stay on c: its room is no longer there", InputError);
    CHECK_THROWS_AS(pinsOfAllBut({"Alchemy"}, lectures, problem), InputError);
}
