#include <ferry/apps/timetabling/io/CsvReader.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/closestName.hpp>
#include <ferry/apps/timetabling/io/csvLine.hpp>
#include <ferry/apps/timetabling/io/decodedText.hpp>
#include <ferry/apps/timetabling/model/withoutZeroFraction.hpp>

namespace timetabling {

namespace {

constexpr std::size_t longestQuotedCell = 65536;    ///< bytes; keeps tables full of open quotes from taking long
constexpr std::size_t mostColumns = 1000;

bool isIn(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Returns the number of bytes of the blank with which the text begins: 0 when there is none. Web pages and text processors leave the long
/// ones in cells: U+00A0, U+2000 to U+200B, U+202F, U+2060, U+3000 and U+FEFF, some of which have no width.
std::size_t bytesOfBlank(std::string_view text) {
    if (std::string_view(" \t\r\n\v\f").find(text.front()) != std::string_view::npos) return 1;
    if (text.starts_with("\xC2\xA0")) return 2;
    const std::string_view three = text.substr(0, 3);
    if (three >= "\xE2\x80\x80" && three <= "\xE2\x80\x8B") return 3;
    return three == "\xE2\x80\xAF" || three == "\xE2\x81\xA0" || three == "\xE3\x80\x80" || three == "\xEF\xBB\xBF" ? 3 : 0;
}

/// Whether the blank has no width, so that the texts on both sides of it are one word.
bool hasNoWidth(std::string_view blank) { return blank == "\xE2\x80\x8B" || blank == "\xE2\x81\xA0" || blank == "\xEF\xBB\xBF"; }

/// Returns the text with one blank for each row of blanks and ends of line, and none at either end.
std::string withSingleBlanks(std::string_view text) {
    std::string result;
    bool isBlank = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t bytes = bytesOfBlank(text.substr(i));
        if (bytes > 0) {
            isBlank = isBlank || !hasNoWidth(text.substr(i, bytes));
            i += bytes - 1;
            continue;
        }
        if (isBlank && !result.empty()) result += ' ';
        isBlank = false;
        result += text[i];
    }
    return result;
}

/// Whether the text is a number with signs between its thousands: '1,200', "1'200", '1 200'.
bool areThousands(std::string_view text) {
    constexpr std::size_t digitsOfGroup = 3;
    std::size_t groups = 0;
    for (bool isMore = true; isMore; ++groups) {
        const std::size_t end = std::min(text.find_first_of(" ,.'"), text.size());
        const std::string_view group = text.substr(0, end);
        const bool isWhole = groups == 0 ? !group.empty() && end <= digitsOfGroup : end == digitsOfGroup;
        if (!isWhole || group.find_first_not_of("0123456789") != std::string_view::npos) return false;
        isMore = end < text.size();
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return groups > 1;
}

std::string listOf(const std::vector<std::string>& needed, const std::vector<std::string>& optional) {
    if (needed.empty()) return fmt::format("the columns {}", fmt::join(optional, ", "));
    return fmt::format("the columns {}{}{}", fmt::join(needed, ", "), optional.empty() ? "" : " and optionally ",
                       fmt::join(optional, ", "));
}

}    // namespace

CsvReader::CsvReader(TextFile file, const std::vector<std::string>& needed, const std::vector<std::string>& optional) : name_(file.name()) {
    DecodedText decoded = decodedText(name_, std::move(file).takeText());
    text_ = std::move(decoded.text);
    if (!decoded.note.empty()) notes_.push_back(fmt::format("{}: {}", printable(name_), decoded.note));
    takeSeparator();
    readHead(needed, optional);
}

/// Finds the character between the cells: that of a line 'sep=;', else the most frequent one in the head outside of quotes.
void CsvReader::takeSeparator() {
    while (position_ < text_.size() && isAtLineEnd()) endLine();
    const std::string_view rest = std::string_view(text_).substr(position_);
    if (rest.size() >= 5 && foldedName(rest.substr(0, 4)) == "sep=" && std::string_view(",;\t|").find(rest[4]) != std::string_view::npos) {
        separator_ = rest[4];
        skipLine();
        return;
    }
    std::size_t most = 0;
    const std::string_view head = rest.substr(0, rest.find_first_of("\r\n"));
    for (const char candidate : {',', ';', '\t', '|'}) {
        std::size_t count = 0;
        bool isQuoted = false;
        for (const char symbol : head) {
            if (symbol == '"') isQuoted = !isQuoted;
            if (symbol == candidate && !isQuoted) ++count;
        }
        if (count <= most) continue;
        most = count;
        separator_ = candidate;
    }
}

void CsvReader::readHead(const std::vector<std::string>& needed, const std::vector<std::string>& optional) {
    std::vector<std::string> head;
    if (!readRow(head)) head = {""};
    if (head.size() > mostColumns)
        throw InputError(name_, lineNumber_, fmt::format("expected at most {} columns, found {}", mostColumns, head.size()));
    columnCount_ = head.size();
    std::vector<std::string> all = needed;
    all.insert(all.end(), optional.begin(), optional.end());
    std::vector<std::string> unknown;
    for (std::size_t i = 0; i < head.size(); ++i) {
        const std::string column = foldedName(head[i]);
        if (!isIn(all, column)) {
            if (!column.empty()) unknown.push_back(head[i]);
            continue;
        }
        if (!columns_.try_emplace(column, i).second)
            throw InputError(name_, lineNumber_, fmt::format("expected each column once, found '{}' twice", column));
    }
    std::vector<std::string> missing;
    std::copy_if(needed.begin(), needed.end(), std::back_inserter(missing), [&](const std::string& column) { return !hasColumn(column); });
    if (!missing.empty() && (columns_.empty() || !unknown.empty())) {
        const std::string found = unknown.empty() ? head.front() : unknown.front();
        const std::string title = columns_.empty() ? cureForTitle(needed, optional) : "";
        throw InputError(name_, lineNumber_,
                         fmt::format("expected {}, {}{}", listOf(needed, optional), foundInWords(found),
                                     title.empty() ? meantInstead(found, missing) : title));
    }
    if (!missing.empty())
        throw InputError(name_, lineNumber_, fmt::format("expected a column '{}', found none", fmt::join(missing, "' and a column '")));
    for (const std::string& column : needed) leastCells_ = std::max(leastCells_, columns_.find(column)->second + 1);
    for (const std::string& column : unknown)
        notes_.push_back(fmt::format("{}:{}: column '{}' is left out; {} count{}", printable(name_), lineNumber_, printable(column),
                                     listOf(needed, optional), meantInstead(column, all)));
}

bool CsvReader::isAtLineEnd() const { return text_[position_] == '\n' || text_[position_] == '\r'; }

/// The cure where lines with a title stand above the head.
std::string CsvReader::cureForTitle(const std::vector<std::string>& needed, const std::vector<std::string>& optional) const {
    constexpr std::size_t mostLines = 20;
    std::size_t position = position_;
    for (std::size_t line = nextLine_; line < nextLine_ + mostLines && position < text_.size(); ++line) {
        const std::size_t end = std::min(text_.find_first_of("\r\n", position), text_.size());
        std::vector<std::string> cells;
        for (std::size_t begin = position; begin <= end;) {
            const std::size_t next = std::min(text_.find_first_of(",;\t|", begin), end);
            std::string cell = withSingleBlanks(std::string_view(text_).substr(begin, next - begin));
            std::erase(cell, '"');
            cells.push_back(foldedName(cell));
            begin = next + 1;
        }
        const auto isThere = [&](const std::string& column) { return isIn(cells, column); };
        const bool hasAll = std::all_of(needed.begin(), needed.end(), isThere);
        if (hasAll && (!needed.empty() || std::any_of(optional.begin(), optional.end(), isThere)))
            return fmt::format("; line {} has them, so take the lines above it away", line);
        position = end + (text_.compare(end, 2, "\r\n") == 0 ? 2 : 1);
    }
    return {};
}

/// Goes on behind an end of line: \r\n, \n or \r.
void CsvReader::endLine() {
    if (position_ >= text_.size()) return;
    if (text_[position_] == '\r' && position_ + 1 < text_.size() && text_[position_ + 1] == '\n') ++position_;
    ++position_;
    ++nextLine_;
}

void CsvReader::skipLine() {
    position_ = std::min(text_.find_first_of("\r\n", position_), text_.size());
    endLine();
}

/// Reads a row with at least one cell that is not empty. False at the end of the table.
bool CsvReader::readRow(std::vector<std::string>& cells) {
    for (;;) {
        cells.clear();
        lineNumber_ = nextLine_;
        if (position_ >= text_.size()) return false;
        const std::string_view blanks = separator_ == '\t' ? " " : " \t";
        for (bool isMore = true; isMore;) {
            position_ = std::min(text_.find_first_not_of(blanks, position_), text_.size());
            const bool isQuoted = position_ < text_.size() && text_[position_] == '"';
            cells.push_back(withoutFormulaGuard(withSingleBlanks(isQuoted ? quotedCell() : plainCell())));
            isMore = position_ < text_.size() && text_[position_] == separator_;
            if (isMore) ++position_;
        }
        endLine();
        if (std::any_of(cells.begin(), cells.end(), [](const std::string& cell) { return !cell.empty(); })) return true;
    }
}

std::string CsvReader::quotedCell() {
    const std::size_t begin = position_;
    std::size_t lines = 0;
    std::string cell;
    for (++position_;; ++position_) {
        if (position_ >= text_.size() || position_ - begin > longestQuotedCell) {
            position_ = begin;
            skipLine();
            throw InputError(name_, lineNumber_, "expected a closing quote, found none; write a quote in a cell as two quotes");
        }
        const char symbol = text_[position_];
        if (symbol == '"') {
            if (position_ + 1 >= text_.size() || text_[position_ + 1] != '"') break;
            ++position_;
        }
        const bool isPair = symbol == '\r' && position_ + 1 < text_.size() && text_[position_ + 1] == '\n';
        if ((symbol == '\n' || symbol == '\r') && !isPair) ++lines;
        cell += symbol;
    }
    ++position_;
    nextLine_ += lines;
    const std::string_view rest(text_.data() + position_, std::min(text_.find_first_of("\r\n", position_), text_.size()) - position_);
    const std::size_t blank = std::min(rest.find_first_not_of(separator_ == '\t' ? " " : " \t"), rest.size());
    if (blank < rest.size() && rest[blank] != separator_) {
        const std::string found = printable(rest.substr(blank));
        skipLine();
        throw InputError(name_, lineNumber_, fmt::format("expected '{}' behind a closing quote, found '{}'", separator_, found));
    }
    position_ += blank;
    return cell;
}

std::string CsvReader::plainCell() {
    const std::size_t begin = position_;
    while (position_ < text_.size() && text_[position_] != separator_ && !isAtLineEnd()) ++position_;
    return text_.substr(begin, position_ - begin);
}

bool CsvReader::next() {
    std::vector<std::string> cells;
    if (!readRow(cells)) return false;
    while (cells.size() > columnCount_ && cells.back().empty()) cells.pop_back();
    // Spreadsheets may leave out empty cells at the end of a row.
    if (cells.size() > columnCount_ || cells.size() < leastCells_)
        throw InputError(name_, lineNumber_, fmt::format("expected {} cells as in the head, found {}", columnCount_, cells.size()));
    cells.resize(columnCount_);
    cells_ = std::move(cells);
    return true;
}

bool CsvReader::has(std::string_view column) const {
    const auto found = columns_.find(column);
    return found != columns_.end() && !cells_[found->second].empty();
}

const std::string& CsvReader::text(std::string_view column) const {
    if (!has(column)) fail(column, "a value");
    return cells_[columns_.find(column)->second];
}

int CsvReader::number(std::string_view column, std::int64_t least, std::int64_t most) const {
    const std::string_view cell = withoutZeroFraction(text(column));
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size() || value < least || value > most)
        fail(column, fmt::format("a whole number from {} to {}", least, most),
             areThousands(text(column)) ? "; write thousands without a sign between them" : "");
    return static_cast<int>(value);
}

bool CsvReader::isYes(std::string_view column) const {
    if (!has(column)) return false;
    const std::string cell = foldedName(withoutZeroFraction(text(column)));
    if (isIn({"1", "yes", "y", "true", "x"}, cell)) return true;
    if (!isIn({"0", "no", "n", "false"}, cell)) fail(column, "1 or 0, yes or no");
    return false;
}

void CsvReader::fail(std::string_view column, std::string_view expected, std::string_view cure) const {
    const auto found = columns_.find(column);
    throw InputError(name_, lineNumber_,
                     fmt::format("column '{}': expected {}, {}{}", column, expected,
                                 found == columns_.end() ? "found no such column" : foundInWords(cells_[found->second]), cure));
}

}    // namespace timetabling
