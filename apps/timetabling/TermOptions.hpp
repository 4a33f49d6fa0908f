#pragma once

#include <vector>

#include <CLI/CLI.hpp>

#include <ferry/apps/timetabling/report/Calendar.hpp>

namespace timetabling {

/// Adds the options that say on which dates the days of the timetable are. They need one of the results that show dates.
/// Returns the option for the first day, which the others need.
CLI::Option& addDates(CLI::App& command, const std::vector<CLI::Option*>& results, Term& term);
/// Adds the options that say when the periods of calendars are.
/// Each option needs 'calendars', and 'calendars' needs the first day.
void addTimes(CLI::App& command, CLI::Option& calendars, CLI::Option& firstDay, Term& term);

}    // namespace timetabling
