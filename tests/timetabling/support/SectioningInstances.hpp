#pragma once

#include <string>
#include <vector>

#include <ferry/apps/timetabling/sectioning/model/Instance.hpp>

/// Small instances with student sectioning for tests.

namespace timetabling::sectioning {

/// Two rooms that are 3 slots apart, 5 days of 100 slots, 4 weeks, no students. Each of the places is a class that has this time and this
/// room (-1: none) and no others. All classes are of one course.
struct FixedClass {
    TimeSpan span;
    int room = -1;
};
Instance fixedClasses(const std::vector<FixedClass>& classes);

/// An XML file with two courses, three rooms, all parts of the format and two students: 13 weeks, 7 days, 288 slots.
std::string smallXml();

}    // namespace timetabling::sectioning
