#include <ferry/apps/timetabling/PublishedCommandLine.hpp>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>
#include <ferry/apps/timetabling/wholeNumber.hpp>

namespace timetabling {

void addPublished(CLI::App& command, PublishedOptions& options) {
    CLI::Option* start = command.add_option(
        "--start", options.startFile,
        "The timetable to begin with, as --out, --csv or --json has written it: as few lectures or events as possible move");
    command
        .add_option("--keep", options.keepWeight,
                    "The cost of each lecture or event that moves, instead of as few moves as possible; 0: moves cost nothing")
        ->check(wholeNumber(0, curriculum::limits::PeopleOrSeats))
        ->needs(start);
    CLI::Option* pins = command.add_option(
        "--pin", options.pinFile,
        "A table of lectures or events that must be in given places: course (of a .tim: event), day, period, [room]; or a whole timetable");
    command
        .add_option("--pin-all-but", options.free, "The courses (of a .tim: events) that may move: all others stay where --start has them")
        ->delimiter(',')
        ->needs(start)
        ->excludes(pins);
}

}    // namespace timetabling
