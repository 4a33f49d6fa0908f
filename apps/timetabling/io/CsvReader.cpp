#include <ferry/apps/timetabling/io/CsvReader.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/csvLine.hpp>

namespace timetabling {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string trimmed(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
    return std::string(text.substr(begin, text.find_last_not_of(blanks) + 1 - begin));
}

bool isIn(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}    // namespace

CsvReader::CsvReader(TextFile file, const std::vector<std::string>& needed, const std::vector<std::string>& optional)
    : file_(std::move(file)) {
    constexpr std::string_view utf8Mark = "\xEF\xBB\xBF";
    const TextLine head = file_.next();
    lineNumber_ = head.number;
    std::string_view text = head.text;
    if (text.starts_with(utf8Mark)) text.remove_prefix(utf8Mark.size());
    if (text.find(',') == std::string_view::npos && text.find(';') != std::string_view::npos) separator_ = ';';
    for (const std::string& column : cellsOf(text)) {
        if (!isIn(needed, column) && !isIn(optional, column))
            throw InputError(file_.name(), lineNumber_,
                             fmt::format("expected the columns {}{}{}, found '{}'", fmt::join(needed, ", "),
                                         optional.empty() ? "" : " and optionally ", fmt::join(optional, ", "), printable(column)));
        if (!columns_.try_emplace(column, columns_.size()).second)
            throw InputError(file_.name(), lineNumber_, fmt::format("expected each column once, found '{}' twice", column));
    }
    for (const std::string& column : needed) {
        if (!columns_.contains(column))
            throw InputError(file_.name(), lineNumber_, fmt::format("expected a column '{}', found none", column));
    }
}

bool CsvReader::next() {
    const TextLine line = file_.next();
    if (line.words.empty()) return false;
    lineNumber_ = line.number;
    cells_ = cellsOf(line.text);
    if (cells_.size() != columns_.size())
        throw InputError(file_.name(), lineNumber_,
                         fmt::format("expected {} cells as in the head, found {}", columns_.size(), cells_.size()));
    return true;
}

std::vector<std::string> CsvReader::cellsOf(std::string_view line) const {
    std::vector<std::string> cells;
    for (bool isMore = true; isMore;) {
        line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
        std::string cell;
        if (line.starts_with('"')) {
            line.remove_prefix(1);
            for (;;) {
                const std::size_t quote = line.find('"');
                if (quote == std::string_view::npos)
                    throw InputError(file_.name(), lineNumber_, "expected a closing quote in the same line");
                cell += line.substr(0, quote);
                line.remove_prefix(quote + 1);
                if (!line.starts_with('"')) break;
                cell += '"';
                line.remove_prefix(1);
            }
            line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
            if (!line.empty() && line.front() != separator_)
                throw InputError(file_.name(), lineNumber_,
                                 fmt::format("expected '{}' behind a closing quote, found '{}'", separator_, printable(line)));
        } else {
            cell = trimmed(line.substr(0, line.find(separator_)));
            line.remove_prefix(std::min(line.find(separator_), line.size()));
        }
        cells.push_back(withoutFormulaGuard(std::move(cell)));
        isMore = !line.empty();
        if (isMore) line.remove_prefix(1);
    }
    return cells;
}

bool CsvReader::has(std::string_view column) const {
    const auto found = columns_.find(column);
    return found != columns_.end() && !cells_[found->second].empty();
}

const std::string& CsvReader::text(std::string_view column) const {
    if (!has(column)) fail(column, "something");
    return cells_[columns_.find(column)->second];
}

const std::string& CsvReader::name(std::string_view column) const {
    const std::string& name = text(column);
    if (name.find_first_of(" \t\n") != std::string::npos) fail(column, "a name without blanks");
    return name;
}

int CsvReader::number(std::string_view column, std::int64_t least, std::int64_t most) const {
    const std::string& cell = text(column);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size() || value < least || value > most)
        fail(column, fmt::format("a whole number from {} to {}", least, most));
    return static_cast<int>(value);
}

void CsvReader::fail(std::string_view column, std::string_view expected) const {
    const auto found = columns_.find(column);
    throw InputError(file_.name(), lineNumber_,
                     fmt::format("column '{}': expected {}, found '{}'", column, expected,
                                 found == columns_.end() ? "" : printable(cells_[found->second])));
}

}    // namespace timetabling
