#include <ferry/apps/timetabling/PublishedCommandLine.hpp>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>
#include <ferry/apps/timetabling/wholeNumber.hpp>

namespace timetabling {

void addPublished(CLI::App& command, PublishedOptions& options) {
    CLI::Option* start = command.add_option("--start", options.startFile,
                                            "A timetable to begin with, in the format of the competition: as little as possible moves");
    command.add_option("--keep", options.keepWeight, "What a lecture or an event that is moved costs instead; 0: nothing")
        ->check(wholeNumber(0, curriculum::limits::PeopleOrSeats))
        ->needs(start);
    CLI::Option* pins = command.add_option("--pin", options.pinFile,
                                           "A table of what has to be where it says: course (of a .tim: event), day, period, [room]");
    command.add_option("--pin-all-but", options.free, "Courses (of a .tim: events), all others of which have to stay where they start")
        ->delimiter(',')
        ->needs(start)
        ->excludes(pins);
}

}    // namespace timetabling
