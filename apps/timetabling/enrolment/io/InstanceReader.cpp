#include <ferry/apps/timetabling/enrolment/io/InstanceReader.hpp>

#include <filesystem>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/NumberReader.hpp>

namespace timetabling::enrolment {

namespace {

/// Reads a row of zeros and ones. Returns the columns with a one.
std::vector<int> readRow(NumberReader& numbers, const char* what, int columnCount) {
    std::vector<int> row;
    for (int column = 0; column < columnCount; ++column) {
        if (numbers.next(what, 0, 1) == 1) row.push_back(column);
    }
    return row;
}

std::vector<std::vector<int>> readRows(NumberReader& numbers, const char* what, int rowCount, int columnCount) {
    std::vector<std::vector<int>> rows;
    for (int row = 0; row < rowCount; ++row) rows.push_back(readRow(numbers, what, columnCount));
    return rows;
}

SecondRules readSecondRules(NumberReader& numbers, const std::string& file, int eventCount) {
    SecondRules rules;
    for (int event = 0; event < eventCount; ++event) {
        std::vector<int> closed;
        for (int period = 0; period < PeriodCount; ++period) {
            if (numbers.next("whether an event may be in a period", 0, 1) == 0) closed.push_back(period);
        }
        rules.closedPeriods.push_back(std::move(closed));
    }
    BitMatrix isBefore(static_cast<std::size_t>(eventCount), static_cast<std::size_t>(eventCount));
    BitMatrix isAfter = isBefore;
    const std::size_t firstLine = numbers.lineNumber();
    for (int event = 0; event < eventCount; ++event) {
        for (int other = 0; other < eventCount; ++other) {
            const std::size_t line = numbers.lineNumber();
            const int entry = numbers.next("whether an event is before another one", -1, 1);
            if (entry == 0) continue;
            if (event == other) throw InputError(file, line, fmt::format("expected 0 for event {} and itself, found {}", event, entry));
            (entry == 1 ? isBefore : isAfter).set(event, other);
            if (entry == 1) rules.precedences.push_back({event, other});
        }
    }
    for (int event = 0; event < eventCount; ++event) {
        for (int other = 0; other < eventCount; ++other) {
            if (isBefore.get(event, other) == isAfter.get(other, event)) continue;
            throw InputError(
                file, firstLine,
                fmt::format("expected a 1 with a -1 at its mirror place, found only one of them for events {} and {}", event, other));
        }
    }
    return rules;
}

}    // namespace

Instance readInstance(TextFile file) {
    NumberReader numbers(file);
    Instance instance;
    instance.name = std::filesystem::path(file.name()).stem().string();
    const int eventCount = numbers.next("the number of events", 1, limits::EventCount);
    const int roomCount = numbers.next("the number of rooms", 1, limits::RoomCount);
    instance.featureCount = numbers.next("the number of features", 0, limits::FeatureCount);
    const std::size_t line = numbers.lineNumber();
    const int studentCount = numbers.next("the number of students", 0, limits::StudentCount);
    if (std::int64_t{studentCount} * eventCount > limits::TableCells) {
        throw InputError(file.name(), line,
                         fmt::format("expected at most {} students x events, found {} x {}", limits::TableCells, studentCount, eventCount));
    }
    for (int room = 0; room < roomCount; ++room) {
        instance.roomSeats.push_back(numbers.next("the seats of a room", 0, limits::PeopleOrSeats));
    }
    instance.eventsOfStudent = readRows(numbers, "whether a student attends an event", studentCount, eventCount);
    instance.featuresOfRoom = readRows(numbers, "whether a room has a feature", roomCount, instance.featureCount);
    instance.featuresOfEvent = readRows(numbers, "whether an event needs a feature", eventCount, instance.featureCount);
    if (!numbers.isAtEnd()) {
        instance.hasSecondRules = true;
        instance.second = readSecondRules(numbers, file.name(), eventCount);
    }
    if (!numbers.isAtEnd()) throw InputError(file.name(), numbers.lineNumber(), "expected the end of the file, found more");
    try {
        checkInstance(instance);
    } catch (const std::invalid_argument& error) {
        throw InputError(file.name(), error.what());
    }
    return instance;
}

Instance readInstance(const std::string& path) { return readInstance(TextFile::load(path)); }

}    // namespace timetabling::enrolment
