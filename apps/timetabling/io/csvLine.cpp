#include <ferry/apps/timetabling/io/csvLine.hpp>

namespace timetabling {

std::string csvLine(const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) line += ',';
        if (cells[i].find_first_of(",\"\r\n") == std::string::npos) {
            line += cells[i];
            continue;
        }
        line += '"';
        for (const char symbol : cells[i]) line += symbol == '"' ? std::string("\"\"") : std::string(1, symbol);
        line += '"';
    }
    return line + "\r\n";
}

}    // namespace timetabling
