#include <ferry/apps/timetabling/enrolment/io/InstanceWriter.hpp>

#include <vector>

#include <fmt/format.h>

namespace timetabling::enrolment {

namespace {

/// Adds a row of ones and zeros. With isListedOne the listed columns get a one and the others a zero; without it, the other way round.
void addRow(std::string& text, const std::vector<int>& columns, int columnCount, bool isListedOne) {
    std::string row;
    for (int column = 0; column < columnCount; ++column) row += isListedOne ? "0\n" : "1\n";
    for (const int column : columns) row[2 * static_cast<std::size_t>(column)] = isListedOne ? '1' : '0';
    text += row;
}

void addPrecedences(std::string& text, const std::vector<Precedence>& precedences, int eventCount) {
    const auto count = static_cast<std::size_t>(eventCount);
    std::vector<signed char> entries(count * count, 0);
    for (const auto& [before, after] : precedences) {
        entries[static_cast<std::size_t>(before) * count + static_cast<std::size_t>(after)] = 1;
        entries[static_cast<std::size_t>(after) * count + static_cast<std::size_t>(before)] = -1;
    }
    for (const signed char entry : entries) text += entry == 0 ? "0\n" : entry == 1 ? "1\n" : "-1\n";
}

}    // namespace

std::string writeInstance(const Instance& instance) {
    const auto eventCount = static_cast<int>(instance.featuresOfEvent.size());
    std::string text =
        fmt::format("{} {} {} {}\n", eventCount, instance.roomSeats.size(), instance.featureCount, instance.eventsOfStudent.size());
    for (const int seats : instance.roomSeats) text += fmt::format("{}\n", seats);
    for (const std::vector<int>& events : instance.eventsOfStudent) addRow(text, events, eventCount, true);
    for (const std::vector<int>& features : instance.featuresOfRoom) addRow(text, features, instance.featureCount, true);
    for (const std::vector<int>& features : instance.featuresOfEvent) addRow(text, features, instance.featureCount, true);
    if (!instance.hasSecondRules) return text;
    for (const std::vector<int>& closed : instance.second.closedPeriods) addRow(text, closed, PeriodCount, false);
    addPrecedences(text, instance.second.precedences, eventCount);
    return text;
}

}    // namespace timetabling::enrolment
