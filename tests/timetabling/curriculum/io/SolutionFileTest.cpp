#include <ferry/apps/timetabling/curriculum/io/SolutionFile.hpp>

#include <string>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

namespace {

std::string errorOfSolution(const std::string& text) {
    const Problem problem = test::smallProblem();
    try {
        readSolution(TextFile("small.sol", text), problem);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

}    // namespace

TEST_CASE("SolutionFile: reads what it writes") {
    const Problem problem = test::smallProblem();
    const Solution solution = readSolution(TextFile("small.sol", test::SmallTimetableText), problem);
    CHECK(solution.placements.size() == 16);
    CHECK(solution.placements[7] == Placement{2, 4, 0});
    CHECK(writeSolution(problem, solution) == test::SmallTimetableText);
    CHECK(readSolution(TextFile("small.sol", "\r\n\tAlgebra  Small\t0 0 \r\n\r\n"), problem).placements.size() == 1);
    CHECK(readSolution(TextFile("small.sol", ""), problem).placements.empty());
}

TEST_CASE("SolutionFile: an error names file, line, what was expected and what was found") {
    CHECK(errorOfSolution("Algebra Small 0 0\nAlgebra Small 0\n") ==
          "small.sol:2: expected 'course room day period', found 'Algebra Small 0'");
    CHECK(errorOfSolution("Alchemy Small 0 0\n") == "small.sol:1: expected a course of the instance, found 'Alchemy'");
    CHECK(errorOfSolution("Algebra Huge 0 0\n") == "small.sol:1: expected a room of the instance, found 'Huge'");
    CHECK(errorOfSolution("Algebra Small 5 0\n") == "small.sol:1: expected a day from 0 to 4, found '5'");
    CHECK(errorOfSolution("Algebra Small 0 -1\n") == "small.sol:1: expected a period of the day from 0 to 3, found '-1'");
}
