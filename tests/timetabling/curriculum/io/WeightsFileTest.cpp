#include <ferry/apps/timetabling/curriculum/io/WeightsFile.hpp>

#include <string>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/apps/timetabling/curriculum/search/SearchState.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

namespace weightsFileTest {

std::string refusalOf(const std::string& rows) {
    try {
        readWeights(TextFile("w.csv", "constraint,weight\n" + rows));
    } catch (const InputError& error) {
        return error.what();
    }
    return "none";
}

}    // namespace weightsFileTest

TEST_CASE("WeightsFile: the formulations are such files") {
    for (const Formulation formulation : AllFormulations) {
        const OwnWeights own = readWeights(TextFile("w.csv", writeWeights(formulation)));
        CHECK(own.weights == weightsOf(formulation));
        CHECK_FALSE(own.isRoomCapacityHard);
    }
}

TEST_CASE("WeightsFile: what is wrong is told with all lines") {
    CHECK(weightsFileTest::refusalOf("RoomStabilty,1\n") ==
          "w.csv:2: column 'constraint': expected a soft constraint (RoomCapacity, MinWorkingDays, CurriculumCompactness, "
          "RoomStability, Windows, DailyLoad, TravelDistance, DoubleLectures, RoomSuitability, TeacherGaps, TeacherDays, TeacherLoad, "
          "TeacherRow, TeacherLunch, LectureOrder, WeeklyTime, StudentClashes), found 'RoomStabilty'; did you mean 'RoomStability'?");
    CHECK(weightsFileTest::refusalOf("Windows,hard\nWindows,1\n") ==
          "w.csv:2: column 'weight': expected a whole number from 0 to 10000, found 'hard'; only RoomCapacity and RoomSuitability can be "
          "hard\n"
          "w.csv:3: column 'constraint': expected each constraint once, found 'Windows'");
    CHECK(weightsFileTest::refusalOf("roomcapacity,Hard\nRoomSuitability,2\n")
              .starts_with("w.csv: RoomCapacity is hard and RoomSuitability is not"));
    CHECK(
        weightsFileTest::refusalOf("Conflicts,hard\n") ==
        "w.csv:2: column 'constraint': expected a soft constraint, found 'Conflicts'; this one is hard in any case, so leave the row out");
    CHECK(weightsFileTest::refusalOf("") == "w.csv: expected a row below the head, found none");
    CHECK(weightsFileTest::refusalOf("Room Stability,1\nroom-capacity,2.0\n") == "none");
    CHECK(weightsFileTest::refusalOf("Windows,-1\n") != "none");
    CHECK(weightsFileTest::refusalOf("Windows,10001\n") != "none");
}

TEST_CASE("WeightsFile: hard capacity makes small rooms a violation, and leaves unsuitable rooms out that do not count") {
    Instance instance = test::plainInstance({1, 1}, 2, 2);
    instance.courses[0].studentCount = 10;
    instance.courses[1].studentCount = 1;
    instance.rooms[0].seatCount = 9;
    instance.rooms[1].seatCount = 10;
    instance.roomConstraints = {{1, 0}};
    setWeights(instance, readWeights(TextFile("w.csv", "constraint,weight\nRoomCapacity,hard\nRoomStability,1\n")));
    const Problem problem(instance);
    CHECK_FALSE(problem.isSuitable(0, 0));
    CHECK(problem.isSuitable(0, 1));
    CHECK(problem.isSuitable(1, 0));
    const Score score = scoreOf(problem, Solution{{{0, 0, 0}, {1, 1, 0}}});
    CHECK(score.violations() == 1);
    CHECK(score.cost() == 0);
}
