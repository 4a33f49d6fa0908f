#pragma once

#include <cstdint>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>

namespace timetabling::curriculum {

/// The properties of a generated instance.
struct GeneratorOptions {
    int courseCount = 80;
    int roomCount = 16;
    int dayCount = 5;
    int periodsPerDay = 5;
    int curriculumCount = 60;
    std::uint64_t seed = 1;
};

/// Makes up a faculty: programmes with their years, courses, teachers, rooms, curricula and the times at which teachers are away.
///
/// The instance is built around a hidden timetable without hard violations and without missing seats.
/// The hidden timetable is dropped afterwards, so at least one feasible timetable exists.
/// Equal options give the same instance on every machine.
/// Errors: std::invalid_argument when an option is out of range or the courses do not fit into the rooms.
Instance generateInstance(const GeneratorOptions& options);

}    // namespace timetabling::curriculum
