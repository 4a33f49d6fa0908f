#include <ferry/apps/timetabling/curriculum/model/Score.hpp>

#include <algorithm>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/SolutionFile.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

namespace {

Score scoreOfText(const Problem& problem, const std::string& text) {
    return scoreOf(problem, readSolution(TextFile("timetable", text), problem));
}

bool isDescribed(const Problem& problem, const std::vector<Violation>& violations, const std::string& text) {
    return std::any_of(violations.begin(), violations.end(),
                       [&](const Violation& violation) { return describe(problem, violation) == text; });
}

}    // namespace

TEST_CASE("Score: the golden timetable has 5 violations and costs 30, part by part") {
    const Problem problem = test::smallProblem();
    const Score score = scoreOfText(problem, test::SmallTimetableText);
    CHECK(score[Constraint::Lectures] == 0);
    CHECK(score[Constraint::Conflicts] == 3);
    CHECK(score[Constraint::Availability] == 0);
    CHECK(score[Constraint::RoomOccupancy] == 2);
    CHECK(score[Constraint::RoomCapacity] == 8);
    CHECK(score[Constraint::MinWorkingDays] == 15);
    CHECK(score[Constraint::CurriculumCompactness] == 4);
    CHECK(score[Constraint::RoomStability] == 3);
    CHECK(score.violations() == 5);
    CHECK(score.cost() == 30);
    CHECK_FALSE(score.isFeasible());
}

TEST_CASE("Score: every violation is explained in the names of the instance") {
    const Problem problem = test::smallProblem();
    const Solution solution = readSolution(TextFile("timetable", test::SmallTimetableText), problem);
    const std::vector<Violation> violations = findViolations(problem, solution);
    CHECK(violations.size() == 13);
    CHECK(isDescribed(problem, violations,
                      "courses Algebra and Botany share curriculum Science and both meet on day 0 period 1: 1 violation"));
    CHECK(isDescribed(problem, violations, "room Large holds 2 lectures on day 0 period 1: 1 violation"));
    CHECK(isDescribed(problem, violations, "course Chemistry has 40 students but room Small has 32 seats on day 1 period 0: costs 8"));
    CHECK(isDescribed(problem, violations, "course Algebra meets on 1 day, should meet on 3 or more: costs 10"));
    CHECK(isDescribed(problem, violations, "curriculum Design is isolated on day 4 period 3: costs 2"));
    CHECK(isDescribed(problem, violations, "course Drawing uses 2 rooms: costs 1"));
}

TEST_CASE("Score: the order of the lines does not matter") {
    const Problem problem = test::smallProblem();
    Solution solution = readSolution(TextFile("timetable", test::SmallTimetableText), problem);
    std::reverse(solution.placements.begin(), solution.placements.end());
    CHECK(scoreOf(problem, solution).violations() == 5);
    CHECK(scoreOf(problem, solution).cost() == 30);
}

TEST_CASE("Score: missing and extra lectures are one violation each") {
    const Problem problem = test::smallProblem();
    CHECK(scoreOf(problem, Solution{})[Constraint::Lectures] == 16);
    const Score score =
        scoreOfText(problem, "Algebra Small 0 0\nAlgebra Small 1 0\nAlgebra Small 2 0\nAlgebra Small 3 0\nAlgebra Small 4 0\n");
    CHECK(score[Constraint::Lectures] == 2 + 3 + 5 + 5);
}

TEST_CASE("Score: a second lecture of a course in one period is dropped and so counts as missing only") {
    const Problem problem = test::smallProblem();
    const Score once = scoreOfText(problem, "Chemistry Large 0 0\n");
    const Score twice = scoreOfText(problem, "Chemistry Large 0 0\nChemistry Small 0 0\n");
    CHECK(once == twice);
}

TEST_CASE("Score: a lecture in a closed period is one violation") {
    const Problem problem = test::smallProblem();
    CHECK(scoreOfText(problem, "Chemistry Large 3 2\nChemistry Large 3 3\nChemistry Large 3 1\n")[Constraint::Availability] == 2);
}

TEST_CASE("Score: two courses that share both a teacher and a curriculum conflict once") {
    Instance instance = test::plainInstance({1, 1}, 2, 2);
    instance.courses[1].teacher = instance.courses[0].teacher;
    instance.curricula.push_back({"q0", {0, 1}});
    instance.curricula.push_back({"q1", {0, 1}});
    const Problem problem(instance);
    const Solution solution{{{0, 0, 0}, {1, 0, 1}}};
    CHECK(scoreOf(problem, solution)[Constraint::Conflicts] == 1);
    CHECK(describe(problem, findViolations(problem, solution).front()) ==
          "courses c0 and c1 share teacher t0 and both meet on day 0 period 0: 1 violation");
}

TEST_CASE("Score: three lectures in one room are two violations") {
    const Problem problem(test::plainInstance({1, 1, 1}, 1, 2));
    CHECK(scoreOf(problem, Solution{{{0, 1, 0}, {1, 1, 0}, {2, 1, 0}}})[Constraint::RoomOccupancy] == 2);
}

TEST_CASE("Score: periods of neighbouring days are not adjacent") {
    Instance instance = test::plainInstance({2}, 1, 2);
    instance.dayCount = 2;
    instance.curricula.push_back({"q0", {0}});
    const Problem problem(instance);
    CHECK(scoreOf(problem, Solution{{{0, 1, 0}, {0, 2, 0}}})[Constraint::CurriculumCompactness] == 4);
    CHECK(scoreOf(problem, Solution{{{0, 0, 0}, {0, 1, 0}}})[Constraint::CurriculumCompactness] == 0);
}

TEST_CASE("Score: a course with no lecture in the timetable misses all its working days and no room") {
    const Problem problem(test::plainInstance({2}, 1, 2));
    const Score score = scoreOf(problem, Solution{});
    CHECK(score[Constraint::MinWorkingDays] == 5);
    CHECK(score[Constraint::RoomStability] == 0);
}
