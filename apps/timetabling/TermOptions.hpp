#pragma once

#include <CLI/CLI.hpp>

#include <ferry/apps/timetabling/report/Calendar.hpp>

namespace timetabling {

/// Adds the options that say when the days and periods of calendars are.
/// Each option needs 'calendars', and 'calendars' needs the first day.
void addTerm(CLI::App& command, CLI::Option& calendars, Term& term);

}    // namespace timetabling
