#pragma once

#include <string>
#include <vector>

namespace timetabling {

/// A line of a table in the format CSV (RFC 4180), with its end; cells are quoted where they need it.
std::string csvLine(const std::vector<std::string>& cells);

}    // namespace timetabling
