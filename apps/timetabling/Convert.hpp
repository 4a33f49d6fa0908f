#pragma once

#include <string>

#include <ferry/apps/timetabling/curriculum/io/Disruption.hpp>

namespace timetabling {

/// Converts a curriculum-based instance, which is a .ctt file, an .ectt file or a folder of tables.
/// The ending of `to` selects the new format: .ctt, .ectt, or else a folder of tables. Other endings are refused.
/// Blanks in names become '_' in .ctt and .ectt.
/// Errors: InputError, also for data that the new format cannot hold.
void convertInstance(const std::string& from, const std::string& to);

struct DisruptOptions {
    std::string from;
    std::string published;    ///< the published timetable; empty: none
    std::string to;
    curriculum::DisruptionOptions disruption;
};

/// Disrupts a curriculum-based instance, writes it like convertInstance(), and prints what happened. Returns the exit status.
/// Errors: InputError; std::invalid_argument for a count that the instance does not allow.
int disruptInstance(const DisruptOptions& options);

}    // namespace timetabling
