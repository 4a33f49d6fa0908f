#include <ferry/apps/timetabling/PublishedCommandLine.hpp>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>

namespace timetabling {

void addPublished(CLI::App& command, PublishedOptions& options) {
    CLI::Option* start = command.add_option(
        "--start", options.startFile, "A timetable to begin with, in the format of the competition: as few lectures as possible move");
    command.add_option("--keep", options.keepWeight, "What a lecture that is moved costs instead; 0: nothing")
        ->check(CLI::Range(0, curriculum::limits::PeopleOrSeats))
        ->needs(start);
    CLI::Option* pins =
        command.add_option("--pin", options.pinFile, "A table of lectures that have to be where it says: course, day, period, [room]");
    command.add_option("--pin-all-but", options.freeCourses, "Courses, all others of which have to stay where they start")
        ->delimiter(',')
        ->needs(start)
        ->excludes(pins);
}

}    // namespace timetabling
