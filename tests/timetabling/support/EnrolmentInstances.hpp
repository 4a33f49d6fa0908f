#pragma once

#include <string>
#include <vector>

#include <ferry/apps/timetabling/enrolment/io/Generator.hpp>
#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>

namespace timetabling::test {

/// Three rooms (2, 3 and 4 seats), two features, four events, four students, by the rules of the second competition: event 0 is closed
/// in period 0, event 1 is before event 2. A person can check it by hand.
extern const std::string SmallEnrolmentText;
enrolment::Problem smallEnrolment();
/// The same without closed periods and precedences, by the rules of the first competition.
enrolment::Problem smallFirstEnrolment();

/// A generated problem that has a timetable without violations.
enrolment::Problem generatedEnrolment(bool hasSecondRules, std::uint64_t seed, int eventCount = 120, int roomCount = 5);

/// The real post-enrolment instances that are there; none when the folder with the data is not.
std::vector<std::string> realEnrolmentFiles();

}    // namespace timetabling::test
