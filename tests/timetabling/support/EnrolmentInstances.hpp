#pragma once

#include <string>
#include <vector>

#include <ferry/apps/timetabling/enrolment/io/Generator.hpp>
#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>

namespace timetabling::test {

/// Three rooms (2, 3 and 4 seats), two features, four events and four students, by the rules of the second competition.
/// Event 0 is closed in period 0, and event 1 is before event 2. A person can check this instance by hand.
extern const std::string SmallEnrolmentText;
enrolment::Problem smallEnrolment();
/// Returns the same instance without closed periods and precedences, by the rules of the first competition.
enrolment::Problem smallFirstEnrolment();

/// Returns a generated problem that has a timetable without violations.
enrolment::Problem generatedEnrolment(bool hasSecondRules, std::uint64_t seed, int eventCount = 120, int roomCount = 5);

/// Returns the files of the real post-enrolment instances; none when the folder with the data does not exist.
std::vector<std::string> realEnrolmentFiles();

}    // namespace timetabling::test
