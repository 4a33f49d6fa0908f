#include <ferry/apps/timetabling/curriculum/model/Formulation.hpp>

#include <array>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/InstanceReader.hpp>
#include <ferry/apps/timetabling/curriculum/io/SolutionFile.hpp>
#include <ferry/apps/timetabling/curriculum/model/DayPattern.hpp>
#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

namespace {

/// Two courses of one curriculum in two buildings, with 2 to 3 lectures a day. Botany wants double lectures, and room North does not suit
/// it.
Problem gardenProblem(Formulation formulation) {
    Instance instance = readInstance(TextFile("garden.ectt",
                                              "Name: Garden\nCourses: 2\nRooms: 3\nDays: 2\nPeriods_per_day: 5\nCurricula: 1\n"
                                              "Min_Max_Daily_Lectures: 2 3\nUnavailabilityConstraints: 0\nRoomConstraints: 1\n"
                                              "COURSES:\nAlgebra Ada 2 2 10 0\nBotany Ben 3 2 10 1\nROOMS:\nNorth 20 hill\nSouth 20 lake\n"
                                              "West 20 lake\nCURRICULA:\nScience 2 Algebra Botany\nUNAVAILABILITY_CONSTRAINTS:\n"
                                              "ROOM_CONSTRAINTS:\nBotany North\nEND.\n"));
    instance.formulation = formulation;
    return Problem(instance);
}

/// Day 0: Algebra North in 0, Botany South in 1, Botany North in 3, Botany South in 4. Day 1: Algebra South in 2.
const char* const GardenTimetable = "Algebra North 0 0\nBotany South 0 1\nBotany North 0 3\nBotany South 0 4\nAlgebra South 1 2\n";

Score scoreOfGarden(Formulation formulation) {
    const Problem problem = gardenProblem(formulation);
    return scoreOf(problem, readSolution(TextFile("garden.sol", GardenTimetable), problem));
}

}    // namespace

TEST_CASE("Formulation: each formulation has a name") {
    for (const Formulation formulation : AllFormulations) CHECK(formulationOf(nameOf(formulation)) == formulation);
    CHECK(std::string(nameOf(Formulation::UD3)) == "UD3");
    CHECK_FALSE(formulationOf("UD6"));
}

TEST_CASE("DayPattern: isolated periods, windows, loads and lone lectures of a day") {
    CHECK(isolatedPeriods(0b1011001) == 2);
    CHECK(isolatedPeriods(0) == 0);
    CHECK(windowPeriods(0b1001010) == 3);
    CHECK(windowPeriods(0b0110) == 0);
    CHECK(windowPeriods(0) == 0);
    CHECK(loadExcess(0, 2, 3) == 0);
    CHECK(loadExcess(1, 2, 3) == 1);
    CHECK(loadExcess(3, 2, 3) == 0);
    CHECK(loadExcess(5, 2, 3) == 2);
    CHECK(loneLectures(std::vector<std::int32_t>{-1, 4, -1}) == 0);
    CHECK(loneLectures(std::vector<std::int32_t>{4, 4, -1}) == 0);
    CHECK(loneLectures(std::vector<std::int32_t>{4, 3, -1}) == 2);
    CHECK(loneLectures(std::vector<std::int32_t>{4, 4, 4, 3}) == 1);
}

TEST_CASE("Formulation: each counts its own constraints with its own weights") {
    const Score first = scoreOfGarden(Formulation::UD1);
    CHECK(first[Constraint::MinWorkingDays] == 5);
    CHECK(first[Constraint::CurriculumCompactness] == 1);
    CHECK(first.cost() == 6);

    const Score second = scoreOfGarden(Formulation::UD2);
    CHECK(second[Constraint::RoomStability] == 2);
    CHECK(second.cost() == 5 + 2 + 2);

    const Score third = scoreOfGarden(Formulation::UD3);
    CHECK(third[Constraint::Windows] == 4);
    CHECK(third[Constraint::DailyLoad] == 2 * (1 + 1));
    CHECK(third[Constraint::RoomSuitability] == 3);
    CHECK(third.cost() == 11);
    CHECK(third.violations() == 0);

    const Score fourth = scoreOfGarden(Formulation::UD4);
    CHECK(fourth[Constraint::MinWorkingDays] == 1);
    CHECK(fourth[Constraint::Windows] == 1);
    CHECK(fourth[Constraint::DailyLoad] == 2);
    CHECK(fourth[Constraint::DoubleLectures] == 3);
    CHECK(fourth.cost() == 7);
    CHECK(fourth.violations() == 1);
    CHECK(fourth[Constraint::RoomRequirement] == 1);

    const Score fifth = scoreOfGarden(Formulation::UD5);
    CHECK(fifth[Constraint::TravelDistance] == 2 * 2);
    CHECK(fifth[Constraint::Windows] == 2);
    CHECK(fifth[Constraint::DailyLoad] == 4);
    CHECK(fifth.cost() == 5 + 1 + 2 + 4 + 4);
}

TEST_CASE("Formulation: the counts of the other constraints are explained") {
    const auto texts = [](Formulation formulation) {
        const Problem problem = gardenProblem(formulation);
        std::string all;
        for (const Violation& violation : findViolations(problem, readSolution(TextFile("garden.sol", GardenTimetable), problem))) {
            all += describe(problem, violation) + "\n";
        }
        return all;
    };
    CHECK(texts(Formulation::UD3) ==
          "curriculum Science has 1 empty period between its lectures on day 0: costs 4\n"
          "curriculum Science has 4 lectures on day 0, should have 2 to 3: costs 2\n"
          "curriculum Science has 1 lecture on day 1, should have 2 to 3: costs 2\n"
          "course Botany is in room North, which is not suitable, on day 0 period 3: costs 3\n");
    CHECK(texts(Formulation::UD4).find("course Botany has 3 lectures next to no other in the same room on day 0: costs 3") !=
          std::string::npos);
    CHECK(texts(Formulation::UD4).find("course Botany is in room North, which is not suitable, on day 0 period 3: 1 violation") !=
          std::string::npos);
    CHECK(texts(Formulation::UD5).find("curriculum Science changes buildings without a break 2 times on day 0: costs 4") !=
          std::string::npos);
}
