#include <ferry/apps/timetabling/curriculum/io/Generator.hpp>

#include <stdexcept>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/InstanceReader.hpp>
#include <ferry/apps/timetabling/curriculum/io/InstanceWriter.hpp>
#include <ferry/apps/timetabling/curriculum/search/Construction.hpp>
#include <ferry/apps/timetabling/curriculum/search/Infeasibility.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

TEST_CASE("Generator: the same options give the same instance, another seed another one") {
    GeneratorOptions options;
    const std::string text = writeInstance(generateInstance(options));
    CHECK(writeInstance(generateInstance(options)) == text);
    options.seed = 2;
    CHECK(writeInstance(generateInstance(options)) != text);
}

TEST_CASE("Generator: what it makes can be read, has the asked size and a feasible timetable") {
    for (int seed = 1; seed <= 5; ++seed) {
        GeneratorOptions options;
        options.courseCount = 20 * seed;
        options.roomCount = 4 + 3 * seed;
        options.curriculumCount = 12 * seed;
        options.seed = static_cast<std::uint64_t>(seed);
        const Problem problem(readInstance(TextFile("generated.ctt", writeInstance(generateInstance(options)))));
        CHECK(problem.courseCount() == options.courseCount);
        CHECK(problem.roomCount() == options.roomCount);
        CHECK(problem.curriculumCount() == options.curriculumCount);
        CHECK_FALSE(findInfeasibility(problem));
        CHECK(constructIndividual(problem, 1, Budget::ofMoves(20'000'000), {}).isFeasible());
    }
}

TEST_CASE("Generator: more courses than places are refused, a full faculty is not") {
    GeneratorOptions options;
    options.courseCount = 50;
    options.roomCount = 2;
    CHECK_NOTHROW(generateInstance(options));
    options.courseCount = 51;
    CHECK_THROWS_AS(generateInstance(options), std::invalid_argument);
    options.courseCount = 0;
    CHECK_THROWS_AS(generateInstance(options), std::invalid_argument);
    options.courseCount = 10;
    options.periodsPerDay = 61;
    CHECK_THROWS_AS(generateInstance(options), std::invalid_argument);
}
