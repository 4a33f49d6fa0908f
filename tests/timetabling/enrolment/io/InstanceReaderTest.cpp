#include <ferry/apps/timetabling/enrolment/io/InstanceReader.hpp>

#include <string>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/enrolment/io/InstanceWriter.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>
#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>
#include <ferry/tests/timetabling/support/damaged.hpp>

using namespace timetabling;
using namespace timetabling::enrolment;

namespace {

std::string errorOf(const std::string& text) {
    try {
        readInstance(TextFile("small.tim", text));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

}    // namespace

TEST_CASE("Enrolment InstanceReader: reads the small instance, by either rules") {
    const Problem problem = test::smallEnrolment();
    const Instance& instance = problem.instance();
    CHECK(instance.name == "small");
    CHECK(instance.roomSeats == std::vector<int>{2, 3, 4});
    CHECK(instance.eventsOfStudent[2] == std::vector<int>{0, 1, 2});
    CHECK(instance.featuresOfRoom[2] == std::vector<int>{0, 1});
    CHECK(instance.hasSecondRules);
    CHECK(instance.second.closedPeriods[0] == std::vector<int>{0});
    CHECK(instance.second.precedences == std::vector<Precedence>{{1, 2}});
    CHECK_FALSE(test::smallFirstEnrolment().instance().hasSecondRules);

    CHECK(problem.shareStudents(0, 1));
    CHECK_FALSE(problem.shareStudents(0, 3));
    CHECK(std::vector<int>(problem.suitableRooms(0).begin(), problem.suitableRooms(0).end()) == std::vector<int>{1, 2});
    CHECK(std::vector<int>(problem.suitableRooms(3).begin(), problem.suitableRooms(3).end()) == std::vector<int>{2});
    CHECK_FALSE(problem.isOpen(0, 0));
    CHECK(problem.isOpen(0, 1));
}

TEST_CASE("Enrolment InstanceReader: reads what InstanceWriter writes") {
    for (const bool hasSecondRules : {false, true}) {
        Instance instance = test::generatedEnrolment(hasSecondRules, 3).instance();
        CHECK(readInstance(TextFile(instance.name + ".tim", writeInstance(instance))) == instance);
    }
}

TEST_CASE("Enrolment InstanceReader: an error names file, line, what was expected and what was found") {
    const std::string& good = test::SmallEnrolmentText;
    CHECK(errorOf("") == "small.tim:1: expected the number of events, found the end of the file");
    CHECK(errorOf(replaced(good, "4 3 2 4", "4 3 x 4")) == "small.tim:1: expected the number of features from 0 to 1000, found 'x'");
    CHECK(errorOf(replaced(good, "4 3 2 4", "0 3 2 4")) == "small.tim:1: expected the number of events from 1 to 4000, found '0'");
    CHECK(errorOf(replaced(good, "4 3 2 4", "4000 3 2 100000")) ==
          "small.tim:1: expected at most 20000000 students x events, found 100000 x 4000");
    CHECK(errorOf(replaced(good, "2 3 4", "2 -3 4")) == "small.tim:2: expected the seats of a room from 0 to 1000000, found '-3'");
    CHECK(errorOf(replaced(good, "1 1 1 0", "1 1 2 0")) ==
          "small.tim:5: expected whether a student attends an event from 0 to 1, found '2'");
    CHECK(errorOf(replaced(good, "0 0 1 0\n0 -1", "0 0 1 0\n0 0")) ==
          "small.tim:18: expected a 1 with a -1 at its mirror place, found only one of them for events 1 and 2");
    CHECK(errorOf(replaced(good, "0 0 0 0\n0 0 1 0", "1 0 0 0\n0 0 1 0")) == "small.tim:18: expected 0 for event 0 and itself, found 1");
    CHECK(errorOf(good.substr(0, good.size() - 4)) ==
          "small.tim:22: expected whether an event is before another one, found the end of the file");
    CHECK(errorOf(good + "7\n") == "small.tim:22: expected the end of the file, found more");
}

TEST_CASE("Enrolment InstanceReader: of a thousand damaged files by either rules each is read or refused in one line") {
    for (const bool hasSecondRules : {false, true}) {
        const std::string good = writeInstance(test::generatedEnrolment(hasSecondRules, 5, 12, 2).instance());
        Random random(1);
        int refused = 0;
        for (int i = 0; i < 1000; ++i) {
            const std::string error = errorOf(test::damaged(good, random));
            CHECK(error.find('\n') == std::string::npos);
            refused += error == "no error" ? 0 : 1;
        }
        CHECK(refused > 500);
    }
}

TEST_CASE("Enrolment InstanceReader: reads the real instances") {
    for (const std::string& file : test::realEnrolmentFiles()) {
        CAPTURE(file);
        const Instance instance = readInstance(file);
        CHECK(instance.hasSecondRules == (file.find("track2") != std::string::npos));
        CHECK(instance.roomSeats.size() >= 5);
    }
}
