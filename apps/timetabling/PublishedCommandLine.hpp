#pragma once

#include <CLI/CLI.hpp>

#include <ferry/apps/timetabling/problem/PublishedOptions.hpp>

namespace timetabling {

/// Adds the options of 'solve' that say what should stay as it is.
void addPublished(CLI::App& command, PublishedOptions& options);

}    // namespace timetabling
