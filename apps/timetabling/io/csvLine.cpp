#include <ferry/apps/timetabling/io/csvLine.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace timetabling {

namespace {

/// The texts with which a formula begins in some spreadsheet. The last four are the wide forms of = + - @ in UTF-8.
constexpr std::array<std::string_view, 11> formulaBegins{
    "=", "+", "-", "@", "\t", "\r", "\n", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};

/// Whether the cell looks like a formula. A formula with a leading ' counts too, so that each cell can be read back.
bool isLikeFormula(std::string_view cell) {
    cell.remove_prefix(std::min(cell.find_first_not_of('\''), cell.size()));
    return std::any_of(formulaBegins.begin(), formulaBegins.end(), [cell](std::string_view begin) { return cell.starts_with(begin); });
}

}    // namespace

std::string withoutFormulaGuard(std::string cell) {
    if (cell.starts_with('\'') && isLikeFormula(cell)) cell.erase(0, 1);
    return cell;
}

std::string csvLine(const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) line += ',';
        const std::string cell = isLikeFormula(cells[i]) ? '\'' + cells[i] : cells[i];
        if (cell.find_first_of(",\"\r\n") == std::string::npos) {
            line += cell;
            continue;
        }
        line += '"';
        for (const char symbol : cell) line += symbol == '"' ? std::string("\"\"") : std::string(1, symbol);
        line += '"';
    }
    return line + "\r\n";
}

}    // namespace timetabling
