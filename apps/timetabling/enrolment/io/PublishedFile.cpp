#include <ferry/apps/timetabling/enrolment/io/PublishedFile.hpp>

#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/enrolment/io/SolutionFile.hpp>
#include <ferry/apps/timetabling/enrolment/model/PinBoard.hpp>
#include <ferry/apps/timetabling/enrolment/model/wording.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/readPinRows.hpp>

namespace timetabling::enrolment {

namespace {

int eventOf(const std::string& text, const Problem& problem, const char* option) {
    int event = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), event);
    if (error != std::errc() || end != text.data() + text.size() || event < 0 || event >= problem.eventCount())
        throw InputError(option, fmt::format("expected events from 0 to {}, {}", problem.eventCount() - 1, foundInWords(text)));
    return event;
}

}    // namespace

std::vector<Place> readPublished(TextFile file, const Problem& problem) {
    return readPlaces(std::move(file), problem.eventCount(), limits::RoomCount);
}

std::vector<Place> readPublished(const std::string& path, const Problem& problem) { return readPublished(TextFile::load(path), problem); }

std::vector<Pin> readPins(TextFile file, const Problem& problem) {
    CsvReader table(std::move(file), {"event", "day", "period"}, {"room"});
    PinBoard board(problem);
    return readPinRows(table, board, [&] {
        Pin pin;
        pin.event = table.number("event", 0, problem.eventCount() - 1);
        pin.period = table.number("day", 0, DayCount - 1) * PeriodsPerDay;
        pin.period += table.number("period", 0, PeriodsPerDay - 1);
        if (table.has("room")) pin.room = table.number("room", 0, problem.roomCount() - 1);
        return pin;
    });
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
