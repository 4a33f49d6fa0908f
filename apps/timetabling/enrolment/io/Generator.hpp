#pragma once

#include <cstdint>

#include <ferry/apps/timetabling/enrolment/model/Instance.hpp>

namespace timetabling::enrolment {

/// The properties of a generated instance.
struct GeneratorOptions {
    int eventCount = 200;
    int roomCount = 8;
    int featureCount = 5;
    int studentCount = 200;
    bool hasSecondRules = true;    ///< the instance has closed periods and precedences as in ITC-2007 track 2
    std::uint64_t seed = 1;
};

/// Makes up rooms, events and the students who have enrolled in them.
///
/// The instance is built around a hidden timetable that breaks no rule. The hidden timetable is dropped afterwards.
/// So at least one feasible timetable exists. The same options give the same instance on every machine.
/// Errors: std::invalid_argument when an option is out of range or the events do not fit into the rooms.
Instance generateInstance(const GeneratorOptions& options);

}    // namespace timetabling::enrolment
