#pragma once

#include <CLI/CLI.hpp>

#include <ferry/apps/timetabling/report/Calendar.hpp>

namespace timetabling {

/// The options that say when the days and periods of calendars are; each needs 'calendars', which needs the first day.
void addTerm(CLI::App& command, CLI::Option& calendars, Term& term);

}    // namespace timetabling
