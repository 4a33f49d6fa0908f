#include <ferry/apps/timetabling/parallel/Messages.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/InstanceReader.hpp>
#include <ferry/apps/timetabling/curriculum/io/InstanceWriter.hpp>
#include <ferry/apps/timetabling/problem/AnyProblem.hpp>
#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>
#include <ferry/tests/timetabling/support/SectioningInstances.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

namespace {

using Ints = std::vector<std::int32_t>;

template <class T>
Ints intsOf(const T& object) {
    ferry::IntBuffer buffer;
    {
        ferry::IntWriter out(buffer);    // the buffer is complete after the destructor of the writer
        out << object;
    }
    return {buffer.ints().begin(), buffer.ints().end()};
}

/// Reads the object that was written. Requires that every incomplete beginning of the ints is refused.
template <class T>
T roundTrip(const T& object) {
    const Ints ints = intsOf(object);
    for (std::size_t count = 0; count < ints.size(); ++count) {
        T damaged;
        ferry::IntReader in(std::span(ints.data(), count));
        CAPTURE(count);
        CHECK_THROWS_AS(in >> damaged, ferry::Exception);
    }
    T read;
    ferry::IntReader in(ints);
    in >> read;
    CHECK(in.remaining() == 0);
    return read;
}

}    // namespace

TEST_CASE("Messages: an improved individual arrives as it was, in these ints") {
    ImprovedIndividual reply;
    reply.individual = {{5, 7}, 1, 2, 4, 400};
    reply.task = 6;
    reply.moves = std::int64_t{3} << 32;
    reply.conflictWeight = 100;
    reply.isInVain = true;
    const ImprovedIndividual read = roundTrip(reply);
    CHECK(read.individual.slots == reply.individual.slots);
    CHECK(read.individual.conflicts == 1);
    CHECK(read.individual.cost == 2);
    CHECK(read.individual.moved == 4);
    CHECK(read.individual.charge == 400);
    CHECK(read.task == 6);
    CHECK(read.moves == reply.moves);
    CHECK(read.conflictWeight == 100);
    CHECK(read.isInVain);
    CHECK(intsOf(reply) == Ints{2, 5, 7, 1, 0, 2, 0, 4, 0, 400, 0, 6, 0, 3, 100, 1});
}

TEST_CASE("Messages: a report of work arrives as it was, in these ints") {
    WorkReport report;
    report.task = 6;
    report.version = 3;
    report.isBuild = true;
    report.individual = {{5, 7}, 0, 2};
    const WorkReport read = roundTrip(report);
    CHECK(read.task == 6);
    CHECK(read.version == 3);
    CHECK(read.isBuild);
    CHECK(read.individual.slots == report.individual.slots);
    CHECK(read.individual.cost == 2);
    CHECK(intsOf(report) == Ints{6, 3, 1, 2, 5, 7, 0, 0, 2, 0, 0, 0, 0, 0});
}

TEST_CASE("Messages: tasks arrive as they were, in these ints") {
    BuildTask build;
    build.seed = 9;
    build.construction = Budget::ofMoves(10);
    build.annealing = Budget::ofSeconds(0.5);
    build.conflictWeight = 300;
    build.targetCost = 7;
    const BuildTask readBuild = roundTrip(build);
    CHECK(readBuild.seed == 9);
    CHECK(readBuild.construction.moves == 10);
    CHECK(readBuild.annealing.seconds == 0.5);
    CHECK(readBuild.conflictWeight == 300);
    CHECK(readBuild.targetCost == 7);
    CHECK(intsOf(build) == Ints{9, 0, 10, 0, 0, 0, 0, 0, 0, 0x3FE00000, 300, 7, 0});

    ImproveTask improve;
    improve.seed = 9;
    improve.slots = {1, 2, 3};
    improve.annealing = Budget::ofMoves(10);
    improve.conflictWeight = 100;
    improve.targetCost = 8;
    const ImproveTask readImprove = roundTrip(improve);
    CHECK(readImprove.slots == improve.slots);
    CHECK(readImprove.annealing.moves == 10);
    CHECK(readImprove.targetCost == 8);
    CHECK(intsOf(improve) == Ints{9, 0, 3, 1, 2, 3, 10, 0, 0, 0, 100, 8, 0});
}

TEST_CASE("Messages: the exception keeps its reason, and tells a proof from a failed search") {
    const NoFeasibleTimetable proven(Infeasibility{"too many lectures", {"there is 1 room", "course a has 2 lectures"}, false});
    CHECK(std::string(proven.what()) == "no feasible timetable exists: too many lectures");
    CHECK(std::string(NoFeasibleTimetable("a clash").what()) == "no feasible timetable was found; the best attempt: a clash");
    const NoFeasibleTimetable read = roundTrip(proven);
    CHECK(read.reason == "too many lectures");
    CHECK(read.isProven);
    CHECK(read.demands == proven.demands);
    CHECK_FALSE(read.isMinimal);
}

TEST_CASE("Messages: an instance of any kind arrives as it was") {
    const Instance instance = test::smallProblem().instance();
    const AnyInstance curriculum = roundTrip(AnyInstance(instance));
    CHECK(writeInstance(std::get<curriculum::Instance>(curriculum)) == writeInstance(instance));
    Instance published = instance;
    published.published.lectures = {{0, 1, -1, "day 0 period 1 room Attic"}};
    published.published.pins = {{1, 4, 1}};
    published.published.keepWeight = 7;
    const curriculum::Published read = std::get<curriculum::Instance>(roundTrip(AnyInstance(published))).published;
    CHECK(read.lectures[0].place == "day 0 period 1 room Attic");
    CHECK(read.pins == published.published.pins);
    CHECK(read.keepWeight == 7);
    enrolment::Instance second = test::smallEnrolment().instance();
    second.published = {{{1, 1}, {-1, -1}, {2, 7}, {3, -1}}, {{0, 1, 1}, {2, 2, -1}}, 7};
    const AnyInstance enrolment = roundTrip(AnyInstance(second));
    CHECK(std::get<enrolment::Instance>(enrolment) == second);
    sectioning::Instance third = sectioning::fixedClasses({{{3, 5, 10, 20}, 1}, {{1, 15, 40, 10}, -1}});
    third.classes[1].limit = 7;
    third.rooms[0].closings = {{1, 2, 3, 4}};
    third.distributions = {{sectioning::DistributionType::MaxBreaks, 1, 4, false, 9, {1, 0}}};
    third.students = {{"S", {0}}};
    third.notes = {"a note"};
    CHECK(std::get<sectioning::Instance>(roundTrip(AnyInstance(third))) == third);
}
