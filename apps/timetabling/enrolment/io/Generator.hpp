#pragma once

#include <cstdint>

#include <ferry/apps/timetabling/enrolment/model/Instance.hpp>

namespace timetabling::enrolment {

/// What a generated instance should look like.
struct GeneratorOptions {
    int eventCount = 200;
    int roomCount = 8;
    int featureCount = 5;
    int studentCount = 200;
    bool hasSecondRules = true;    ///< closed periods and precedences as in ITC-2007 track 2
    std::uint64_t seed = 1;
};

/// Makes up rooms, events and the students who have enrolled in them.
///
/// The instance is built around a timetable that breaks no rule, which is then forgotten; so there is at least one. The same options
/// give the same instance on every machine.
/// Errors: std::invalid_argument when an option is out of range or the events do not fit into the rooms.
Instance generateInstance(const GeneratorOptions& options);

}    // namespace timetabling::enrolment
