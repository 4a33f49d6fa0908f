#include <ferry/apps/timetabling/problem/AnyProblem.hpp>

#include <fstream>
#include <string>
#include <variant>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;

namespace {

std::string write(const std::string& name, const std::string& text) {
    const std::string path = test::temporaryPath(name);
    std::ofstream(path) << text;
    return path;
}

}    // namespace

TEST_CASE("AnyProblem: the ending of the name tells the kind, and each kind is solved and shown") {
    const AnyInstance enrolment = readAnyInstance(write("any.TIM", test::SmallEnrolmentText));
    CHECK(std::holds_alternative<enrolment::Instance>(enrolment));
    const AnyInstance curriculum = readAnyInstance(write("any.ctt", test::SmallInstanceText));
    CHECK(std::holds_alternative<curriculum::Instance>(curriculum));
    CHECK(std::get<curriculum::Instance>(readAnyInstance(write("any.ctt", test::SmallInstanceText), curriculum::Formulation::UD5))
              .formulation == curriculum::Formulation::UD5);
    CHECK_THROWS_AS(readAnyInstance(write("any.tim", test::SmallEnrolmentText), curriculum::Formulation::UD5), InputError);
    CHECK_THROWS_AS(readAnyInstance(write("other.ctt", test::SmallEnrolmentText)), InputError);
    for (const AnyInstance& instance : {enrolment, curriculum}) {
        const auto problem = makeSearchProblem(instance);
        CHECK_FALSE(problem->findInfeasibility());
        CHECK(problem->populationFor(3) == (std::holds_alternative<enrolment::Instance>(instance) ? 3 : 4));
        const Individual built = problem->construct(1, Budget::ofMoves(1'000'000), {});
        CHECK(built.isFeasible());
        const SearchResult best = problem->anneal(built.slots, {1, Budget::ofMoves(20'000), 100}, {});
        CHECK_NOTHROW(problem->check(best.best.slots));
        const auto presenter = makePresenter(instance);
        CHECK(presenter->examine(best.best.slots).isFeasible);
        CHECK(presenter->examine(write("any.out", presenter->solutionFile(best.best.slots))).score ==
              presenter->examine(best.best.slots).score);
    }
}
