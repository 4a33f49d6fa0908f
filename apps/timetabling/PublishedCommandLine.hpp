#pragma once

#include <CLI/CLI.hpp>

#include <ferry/apps/timetabling/problem/PublishedOptions.hpp>

namespace timetabling {

/// Adds the options of 'solve' that say which parts of a timetable should stay as they are.
void addPublished(CLI::App& command, PublishedOptions& options);

}    // namespace timetabling
