#include <ferry/apps/timetabling/sectioning/model/Evaluation.hpp>

#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/sectioning/io/InstanceReader.hpp>
#include <ferry/tests/timetabling/support/SectioningInstances.hpp>

#ifdef TIMETABLING_WITH_PUGIXML

using namespace timetabling;
using namespace timetabling::sectioning;

namespace {

// The classes of the small instance in the order of the file.
constexpr int Lec1 = 0;
constexpr int Lec2 = 1;
constexpr int Lab1 = 2;
constexpr int Lab2 = 3;
constexpr int Sem = 4;

Instance smallInstance() { return readInstance(XmlFile("small.xml", smallXml())); }

/// All classes at their first times and in their first rooms. Student 1 is in Lec1, Lab1 and Sem, student 2 in Lec2 and Lab2.
Solution firstPlaces() { return {{0, 0, 0, 0, 0}, {0, 0, -1, -1, 0}, {{Lec1, Lab1, Sem}, {Lec2, Lab2}}}; }

std::vector<std::string> textsOf(const Problem& problem, const Solution& solution) {
    std::vector<std::string> texts;
    for (const Remark& remark : remarksOn(problem, solution)) texts.push_back(remark.constraint + ": " + remark.text);
    return texts;
}

}    // namespace

TEST_CASE("Evaluation of ITC-2019: the four sums and their weights, by hand") {
    const Problem problem(smallInstance());
    const Solution solution = firstPlaces();
    const Score score = scoreOf(problem, solution);
    // Lec1 ends at 100 in R1 on Mondays, Sem begins at 99 in R2: they overlap, which SameAttendees forbids.
    // Lec2 is in R3 on Mondays from 86 to 104, and R3 is closed from 102.
    CHECK(score.required[static_cast<std::size_t>(DistributionType::SameAttendees)] == 1);
    CHECK(score[HardConstraint::RoomClosed] == 1);
    CHECK(score.violations() == 2);
    CHECK(score.time == 4);    // Lab1 and Lab2
    CHECK(score.room == 1);    // Sem
    CHECK(score.distribution == 0);
    // Lec1 and Lab1 overlap on Friday of the first week; Lec1 and Sem on all Mondays.
    CHECK(score.student == 2);
    CHECK(score.cost(problem.instance().weights) == 2 * 4 + 1 * 1 + 3 * 0 + 5 * 2);
    CHECK(violationsInWords(score) == "1 RoomClosed, 1 RequiredSameAttendees");
    CHECK(textsOf(problem, solution) ==
          std::vector<std::string>{"RoomClosed: class Lec2 is in room R3 while it is closed",
                                   "RequiredSameAttendees: SameAttendees of classes Lec1, Sem: 1 pair violated",
                                   "TimePenalty: the time of class Lab1 has penalty 2: costs 4",
                                   "TimePenalty: the time of class Lab2 has penalty 2: costs 4",
                                   "RoomPenalty: room R2 of class Sem has penalty 1: costs 1",
                                   "StudentConflicts: classes Lec1 and Lab1 overlap for 1 student: costs 5",
                                   "StudentConflicts: classes Lec1 and Sem overlap for 1 student: costs 5"});
}

TEST_CASE("Evaluation of ITC-2019: a way that is too long is a conflict of a student") {
    Instance instance = smallInstance();
    instance.classes[Sem].times[0].span.start = 101;    // Lec1 ends at 100 in R1, and R2 is 2 slots away
    instance.distributions.clear();
    CHECK(scoreOf(Problem(instance), firstPlaces()).student == 2);
    instance.classes[Sem].times[0].span.start = 102;
    CHECK(scoreOf(Problem(instance), firstPlaces()).student == 1);
}

TEST_CASE("Evaluation of ITC-2019: classes without a time or a room, two classes in a room") {
    const Problem problem(smallInstance());
    Solution solution = firstPlaces();
    solution.times[Lec2] = -1;
    solution.rooms[Sem] = -1;
    Score score = scoreOf(problem, solution);
    CHECK(score[HardConstraint::ClassTime] == 1);
    CHECK(score[HardConstraint::ClassRoom] == 1);
    CHECK(score[HardConstraint::RoomClosed] == 0);
    CHECK(score.room == 0);

    solution = firstPlaces();
    solution.rooms[Lec1] = 1;    // R2, where Sem is
    score = scoreOf(problem, solution);
    CHECK(score[HardConstraint::RoomOverlap] == 1);
    CHECK(score.room == 11);
}

TEST_CASE("Evaluation of ITC-2019: a student has one class of each subpart with its parent, and limits count students") {
    const Problem problem(smallInstance());
    const auto wrongSections = [&problem](const std::vector<int>& first, const std::vector<int>& second) {
        Solution solution = firstPlaces();
        solution.classesOfStudents = {first, second};
        return scoreOf(problem, solution)[HardConstraint::StudentCourse];
    };
    CHECK(wrongSections({Lec1, Lab1, Sem}, {Lec2, Lab2}) == 0);
    CHECK(wrongSections({Sem, Lab1, Lec1}, {Lab2, Lec2}) == 0);          // the order says nothing
    CHECK(wrongSections({Lec1, Lab2, Sem}, {Lec2, Lab2}) == 1);          // the parent of Lab2 is Lec2
    CHECK(wrongSections({Lec1, Sem}, {Lec2, Lab2}) == 1);                // no lab
    CHECK(wrongSections({Lec1, Lec2, Lab1, Sem}, {Lec2, Lab2}) == 1);    // two lectures
    CHECK(wrongSections({Lec1, Lab1}, {Lec2, Lab2}) == 1);               // no law
    CHECK(wrongSections({Lec1, Lab1, Sem}, {Lec2, Lab2, Sem}) == 1);     // student 2 does not ask for law
    CHECK(wrongSections({}, {}) == 3);

    Solution solution = firstPlaces();
    solution.classesOfStudents = {{Lec2, Lab2, Sem}, {Lec2, Lab2}};
    CHECK(scoreOf(problem, solution)[HardConstraint::ClassLimit] == 1);    // Lab2 has room for one
}

TEST_CASE("Evaluation of ITC-2019: slots hold a whole solution, and slots that do not fit are refused") {
    const Problem problem(smallInstance());
    const Solution solution = firstPlaces();
    const Slots slots = toSlots(problem, solution);
    CHECK_NOTHROW(checkSlots(problem, slots));
    CHECK(toSolution(problem, slots) == solution);
    for (std::size_t i = 0; i < slots.size(); ++i) {
        Slots damaged = slots;
        damaged[i] = 1'000'000;
        CHECK_THROWS_AS(checkSlots(problem, damaged), std::invalid_argument);
        damaged[i] = -2;
        CHECK_THROWS_AS(checkSlots(problem, damaged), std::invalid_argument);
    }
    CHECK_THROWS_AS(checkSlots(problem, Slots(slots.begin(), slots.end() - 1)), std::invalid_argument);
    Slots strange = slots;
    strange[static_cast<std::size_t>(problem.classCount()) + 1] = Lab2;    // with Lec1
    CHECK_THROWS_AS(checkSlots(problem, strange), std::invalid_argument);
}

TEST_CASE("Evaluation of ITC-2019: an instance that no file would give is refused") {
    const auto isRefused = [](const auto& change) {
        Instance instance = smallInstance();
        change(instance);
        CHECK_THROWS_AS(Problem{instance}, std::invalid_argument);
    };
    isRefused([](Instance& instance) { instance.classes[Lab1].parent = Lab2; });
    isRefused([](Instance& instance) { instance.classes[Lec1].parent = Lab1; });    // a ring
    isRefused([](Instance& instance) { instance.classes[Lec1].subpart = 1; });
    isRefused([](Instance& instance) { instance.classes[Lec1].times[0].span.weeks |= std::uint64_t{1} << 13; });
    isRefused([](Instance& instance) { instance.classes[Lec1].rooms[0].room = 3; });
    isRefused([](Instance& instance) { instance.distributions[0].classes.push_back(9); });
    isRefused([](Instance& instance) { instance.distributions[0].type = static_cast<DistributionType>(19); });
    isRefused([](Instance& instance) { instance.students[0].courses.push_back(0); });
    isRefused([](Instance& instance) { instance.rooms[0].travels.push_back({7, 1}); });
    isRefused([](Instance& instance) { instance.weekCount = 65; });
}

#endif
