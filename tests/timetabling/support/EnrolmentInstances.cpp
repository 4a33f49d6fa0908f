#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>

#include <ferry/apps/timetabling/enrolment/io/InstanceReader.hpp>
#include <ferry/tests/timetabling/support/RealFiles.hpp>

namespace timetabling::test {

namespace {

// Students attend events {0, 1}, {0, 2}, {0, 1, 2} and {3}. Event 0 has three students, events 1 and 2 have two, event 3 has one. Room 1
// has feature 0, room 2 has both; event 0 needs feature 0, event 3 needs feature 1.
const std::string FirstPart =
    "4 3 2 4\n2 3 4\n"
    "1 1 0 0\n1 0 1 0\n1 1 1 0\n0 0 0 1\n"
    "0 0\n1 0\n1 1\n"
    "1 0\n0 0\n0 0\n0 1\n";

std::string openRows() {
    std::string text;
    for (int event = 0; event < 4; ++event) {
        for (int period = 0; period < enrolment::PeriodCount; ++period) text += event == 0 && period == 0 ? "0 " : "1 ";
        text += '\n';
    }
    return text;
}

}    // namespace

const std::string SmallEnrolmentText = FirstPart + openRows() + "0 0 0 0\n0 0 1 0\n0 -1 0 0\n0 0 0 0\n";

enrolment::Problem smallEnrolment() { return enrolment::Problem(enrolment::readInstance(TextFile("small.tim", SmallEnrolmentText))); }

enrolment::Problem smallFirstEnrolment() { return enrolment::Problem(enrolment::readInstance(TextFile("small.tim", FirstPart))); }

enrolment::Problem generatedEnrolment(bool hasSecondRules, std::uint64_t seed, int eventCount, int roomCount) {
    enrolment::GeneratorOptions options;
    options.eventCount = eventCount;
    options.roomCount = roomCount;
    options.studentCount = 80;
    options.hasSecondRules = hasSecondRules;
    options.seed = seed;
    return enrolment::Problem(enrolment::generateInstance(options));
}

std::vector<std::string> realEnrolmentFiles() { return realFiles({"itc2002", "itc2007-track2", "socha"}); }

}    // namespace timetabling::test
