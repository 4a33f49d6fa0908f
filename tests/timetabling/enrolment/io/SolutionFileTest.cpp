#include <ferry/apps/timetabling/enrolment/io/SolutionFile.hpp>

#include <string>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>

using namespace timetabling;
using namespace timetabling::enrolment;

namespace {

std::string solutionErrorOf(const std::string& text) {
    try {
        readSolution(TextFile("small.sln", text), test::smallEnrolment());
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

}    // namespace

TEST_CASE("Enrolment SolutionFile: reads what it writes") {
    const Solution solution{{1, 1}, {-1, -1}, {44, 2}, {3, -1}};
    CHECK(writeSolution(solution) == "1 1\n-1 -1\n44 2\n3 -1\n");
    CHECK(readSolution(TextFile("small.sln", writeSolution(solution)), test::smallEnrolment()) == solution);
}

TEST_CASE("Enrolment SolutionFile: an error names file, line, what was expected and what was found") {
    CHECK(solutionErrorOf("1 1\n45 0\n") == "small.sln:2: expected the period of event 1 from -1 to 44, found '45'");
    CHECK(solutionErrorOf("1 1\n4 3\n") == "small.sln:2: expected the room of event 1 from -1 to 2, found '3'");
    CHECK(solutionErrorOf("-1 1\n") == "small.sln:1: expected the room of event 0 from -1 to -1, found '1'");
    CHECK(solutionErrorOf("1 1\n2 2\n") == "small.sln:3: expected the period of event 2, found the end of the file");
    CHECK(solutionErrorOf("1 1\n2 2\n3 2\n4 2\n5 2\n") == "small.sln:5: expected the end of the file after 4 events, found more");
}
