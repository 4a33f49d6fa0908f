#pragma once

#include <string>
#include <vector>

namespace timetabling {

/// Returns a line of a table in the format CSV (RFC 4180), with its end of line. Quotes cells where necessary.
/// A spreadsheet takes a cell for a formula when it begins with = + - @, their wide forms, a tab or an end of line. Such a cell gets a
/// leading '.
std::string csvLine(const std::vector<std::string>& cells);

/// Returns the cell that was given to csvLine(): removes the ' that csvLine() puts before a formula.
std::string withoutFormulaGuard(std::string cell);

}    // namespace timetabling
