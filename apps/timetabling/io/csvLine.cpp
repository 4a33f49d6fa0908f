#include <ferry/apps/timetabling/io/csvLine.hpp>

#include <cstddef>
#include <string_view>

namespace timetabling {

namespace {

/// Whether the cell looks like a formula. A formula with a leading ' counts too, so that each cell can be read back.
bool isLikeFormula(const std::string& cell) {
    const std::size_t begin = cell.find_first_not_of('\'');
    return begin != std::string::npos && std::string_view("=+-@\t\r").find(cell[begin]) != std::string_view::npos;
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
