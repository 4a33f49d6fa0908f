#include <ferry/tests/timetabling/support/TestInstances.hpp>

#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/io/InstanceReader.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>
#include <ferry/tests/timetabling/support/RealFiles.hpp>

namespace timetabling::test {

const char* const SmallInstanceText = R"(Name: Small
Courses: 4
Rooms: 2
Days: 5
Periods_per_day: 4
Curricula: 2
Constraints: 6

COURSES:
Algebra Ada 3 3 30
Botany Ben 3 2 42
Chemistry Cat 5 4 40
Drawing Dan 5 4 18

ROOMS:
Small 32
Large 50

CURRICULA:
Science 3 Algebra Botany Chemistry
Design 2 Chemistry Drawing

UNAVAILABILITY_CONSTRAINTS:
Chemistry 3 2
Chemistry 3 3
Botany 4 0
Botany 4 1
Botany 4 2
Botany 4 3

END.
)";

// Three courses meet on day 0 period 1. All are in one curriculum, which gives 3 conflicts, and two of them share one room.
// Another room is used twice on day 2 period 1. Chemistry is once in a room with 8 missing seats.
// Algebra misses two days, Chemistry one.
// Drawing leaves its curriculum isolated on days 3 and 4. Algebra, Chemistry and Drawing use two rooms each.
const char* const SmallTimetableText = R"(Algebra Small 0 0
Algebra Small 0 1
Algebra Large 0 2
Botany Large 0 1
Botany Large 1 2
Botany Large 2 1
Chemistry Large 0 1
Chemistry Small 1 0
Chemistry Large 1 1
Chemistry Large 2 2
Chemistry Large 2 3
Drawing Large 0 0
Drawing Small 1 2
Drawing Large 2 1
Drawing Small 3 0
Drawing Small 4 3
)";

Problem smallProblem() { return Problem(curriculum::readInstance(TextFile("small.ctt", SmallInstanceText))); }

Instance plainInstance(const std::vector<int>& lectures, int roomCount, int periodsPerDay) {
    Instance instance;
    instance.name = "Plain";
    instance.dayCount = 1;
    instance.periodsPerDay = periodsPerDay;
    for (std::size_t i = 0; i < lectures.size(); ++i) {
        instance.courses.push_back({fmt::format("c{}", i), fmt::format("t{}", i), lectures[i], 1, 10});
    }
    for (int room = 0; room < roomCount; ++room) instance.rooms.push_back({fmt::format("r{}", room), 20});
    return instance;
}

std::vector<std::string> realInstanceFiles() { return realFiles({"ctt", "ectt"}); }

std::string temporaryPath(const std::string& name) {
    static const ferry::test::TemporaryFolder folder;
    return (folder.path() / name).string();
}

}    // namespace timetabling::test
