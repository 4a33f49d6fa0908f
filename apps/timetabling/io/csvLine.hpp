#pragma once

#include <string>
#include <vector>

namespace timetabling {

/// A line of a table in the format CSV (RFC 4180), with its end; cells are quoted where they need it. A cell that a spreadsheet would take
/// for a formula (it begins with = + - @, a tab or a carriage return) gets a ' before it.
std::string csvLine(const std::vector<std::string>& cells);

/// The cell that csvLine() was given: removes the ' that csvLine() puts before a formula.
std::string withoutFormulaGuard(std::string cell);

}    // namespace timetabling
