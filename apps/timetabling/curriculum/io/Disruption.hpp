#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>

namespace timetabling::curriculum {

/// The kinds of change to an instance whose timetable has been published.
enum class DisruptionKind {
    Lecture,        ///< a lecture cannot be in its published period any more
    Period,         ///< a period is closed to all courses
    Room,           ///< a room is gone
    LargestRoom,    ///< the largest room is gone
    RoomDay,        ///< a room is closed for a day
    TeacherDay,     ///< a teacher is away for a day
    Curriculum,     ///< a course joins a curriculum
};

/// The names of the kinds, such as "room-day".
const std::vector<std::string>& disruptionNames();
/// Errors: std::invalid_argument for another name.
DisruptionKind disruptionOf(std::string_view name);

struct DisruptionOptions {
    DisruptionKind kind = DisruptionKind::Period;
    int count = 1;
    std::uint64_t seed = 1;
};

/// Disrupts the instance as often as asked, at random places. Returns what happened, one line for each disruption.
/// The lectures of the published timetable are needed for the kind Lecture only.
/// Errors: std::invalid_argument when the instance has too few parts of the kind.
std::vector<std::string> disrupt(Instance& instance, const std::vector<PublishedLecture>& lectures, const DisruptionOptions& options);

}    // namespace timetabling::curriculum
