#include <ferry/apps/timetabling/enrolment/io/PublishedFile.hpp>

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/enrolment/io/SolutionFile.hpp>
#include <ferry/apps/timetabling/enrolment/model/PinBoard.hpp>
#include <ferry/apps/timetabling/enrolment/model/wording.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/TimetableRows.hpp>
#include <ferry/apps/timetabling/io/standardStreams.hpp>

namespace timetabling::enrolment {

namespace {

int eventOf(const std::string& text, const Problem& problem, const char* option) {
    int event = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), event);
    if (error != std::errc() || end != text.data() + text.size() || event < 0 || event >= problem.eventCount())
        throw InputError(option, fmt::format("expected events from 0 to {}, {}", problem.eventCount() - 1, foundInWords(text)));
    return event;
}

/// Whether the file is a timetable in the format of the competition, which begins with a number.
bool isLinesOfNumbers(const TextFile& file) {
    const std::string_view text = file.text();
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && std::string_view("-0123456789").find(text[first]) != std::string_view::npos;
}

/// Pins each event of the timetable where it is. Events that are left out are not pinned.
std::vector<Pin> pinsOfTimetable(TextFile file, const Problem& problem) {
    const std::string name = file.name();
    const std::vector<Place> places = readPlaces(std::move(file), problem.eventCount(), problem.roomCount());
    PinBoard board(problem);
    std::vector<Pin> pins;
    for (int event = 0; event < problem.eventCount(); ++event) {
        const Place& place = places[static_cast<std::size_t>(event)];
        if (!place.isPlaced()) continue;
        pins.push_back({event, place.period, place.room});
        if (const auto contradiction = board.add(pins.back())) throw InputError(name, *contradiction);
    }
    return pins;
}

}    // namespace

std::vector<Place> readPublished(TextFile file, const Problem& problem) {
    return readPlaces(std::move(file), problem.eventCount(), limits::RoomCount);
}

std::vector<Place> readPublished(const std::string& path, const Problem& problem) { return readPublished(TextFile::load(path), problem); }

std::vector<Pin> readPins(TextFile file, const Problem& problem) {
    if (isLinesOfNumbers(file)) return pinsOfTimetable(std::move(file), problem);
    const TimetableRows rows = TimetableRows::formatOf(file) == TimetableRows::Format::Json
                                   ? TimetableRows::readJson(std::move(file), "event", "events", limits::EventCount)
                                   : TimetableRows::readTable(std::move(file), "event", limits::EventCount);
    PinBoard board(problem);
    std::vector<Pin> pins;
    for (const TimetableRow& row : rows.rows()) {
        Pin pin;
        pin.event = rows.number(row, "event", row.item, problem.eventCount());
        if (row.day.empty() && row.period.empty() && row.room.empty()) continue;    // the event is left out
        pin.period = rows.number(row, "day", row.day, DayCount) * PeriodsPerDay;
        pin.period += rows.number(row, "period", row.period, PeriodsPerDay);
        if (!row.room.empty()) pin.room = rows.number(row, "room", row.room, problem.roomCount());
        if (const auto contradiction = board.add(pin)) rows.failAt(row, *contradiction);
        pins.push_back(pin);
    }
    tellNotes(rows.notes());
    return pins;
}

std::vector<Pin> readPins(const std::string& path, const Problem& problem) { return readPins(TextFile::load(path), problem); }

std::vector<Pin> pinsOfAllBut(const std::set<std::string>& events, const std::vector<Place>& places, const Problem& problem) {
    constexpr const char* Option = "--pin-all-but";
    std::set<int> free;
    for (const std::string& event : events) free.insert(eventOf(event, problem, Option));
    PinBoard board(problem);
    std::vector<Pin> pins;
    for (int event = 0; event < problem.eventCount(); ++event) {
        const Place& place = places[static_cast<std::size_t>(event)];
        if (!place.isPlaced() || free.contains(event)) continue;
        const Pin pin{event, place.period, place.room};
        std::optional<std::string> contradiction;
        if (place.room >= problem.roomCount()) contradiction = "its room is no longer there";
        if (!contradiction) contradiction = board.add(pin);
        if (contradiction) throw InputError(Option, fmt::format("event {} cannot stay on {}: {}", event, describe(place), *contradiction));
        pins.push_back(pin);
    }
    return pins;
}

}    // namespace timetabling::enrolment
