#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ferry/apps/timetabling/model/foldedName.hpp>

namespace timetabling {

/// Returns the end of an error text: "; did you mean 'rooms.csv'?", or nothing when no candidate is like the name.
/// Knows what spreadsheets make of names: numbers without leading zeros or with '.0', and dates.
std::string meantInstead(std::string_view name, const std::vector<std::string>& candidates);

}    // namespace timetabling
