#include <ferry/apps/timetabling/io/TimetableRows.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ferry/apps/timetabling/io/CsvReader.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/LineParser.hpp>
#include <ferry/apps/timetabling/io/closestName.hpp>
#include <ferry/apps/timetabling/model/withoutZeroFraction.hpp>

namespace timetabling {

namespace {

using Json = nlohmann::json;

/// Takes the entries of one list of a JSON report. All other parts are passed over, so memory is needed for these entries only.
class RowHandler final : public nlohmann::json_sax<Json> {
public:
    RowHandler(std::string file, std::string item, std::string list, std::size_t most)
        : file_(std::move(file)),
          item_(std::move(item)),
          list_(std::move(list)),
          most_(most) {}

    std::vector<TimetableRow> takeRows() {
        if (!hasList_) throw InputError(file_, fmt::format("expected a JSON report with a list '{}', found none", list_));
        return std::move(rows_);
    }

    bool null() override { return true; }
    bool boolean(bool /*value*/) override { return true; }
    bool number_integer(number_integer_t value) override { return take(fmt::to_string(value)); }
    bool number_unsigned(number_unsigned_t value) override { return take(fmt::to_string(value)); }
    bool number_float(number_float_t /*value*/, const string_t& text) override { return take(text); }
    bool string(string_t& value) override { return take(value); }
    bool binary(binary_t& /*value*/) override { return true; }
    bool key(string_t& name) override {
        if (depth_ == 1) isInList_ = name == list_;
        if (depth_ == entryDepth) key_ = name;
        return true;
    }
    bool start_object(std::size_t /*count*/) override {
        ++depth_;
        if (depth_ == entryDepth && isInList_) {
            if (rows_.size() >= most_)
                throw InputError(file_, fmt::format("expected at most {} entries in '{}', found more", most_, list_));
            rows_.emplace_back().line = rows_.size();
            key_.clear();
        }
        return true;
    }
    bool end_object() override {
        --depth_;
        return true;
    }
    bool start_array(std::size_t /*count*/) override {
        ++depth_;
        if (depth_ == 2 && isInList_) hasList_ = true;
        return true;
    }
    bool end_array() override {
        --depth_;
        return true;
    }
    bool parse_error(std::size_t position, const std::string& /*last*/, const nlohmann::detail::exception& /*error*/) override {
        throw InputError(file_, fmt::format("expected a whole JSON report, found an error at byte {}", position));
    }

private:
    static constexpr std::size_t entryDepth = 3;    ///< an entry lies in a list, and the list in the report

    bool take(const std::string& value) {
        if (depth_ != entryDepth || !isInList_ || rows_.empty()) return true;
        TimetableRow& row = rows_.back();
        if (key_ == item_) row.item = value;
        if (key_ == "day") row.day = value;
        if (key_ == "period") row.period = value;
        if (key_ == "room") row.room = value;
        return true;
    }

    std::string file_;
    std::string item_;
    std::string list_;
    std::size_t most_;
    std::size_t depth_ = 0;
    bool isInList_ = false;
    bool hasList_ = false;
    std::string key_;
    std::vector<TimetableRow> rows_;
};

/// Whether the line has cells 'day' and 'period', as the head of a table.
bool isTableHead(std::string_view line) {
    bool hasDay = false;
    bool hasPeriod = false;
    std::string cell;
    for (std::size_t i = 0; i <= line.size(); ++i) {
        const bool isEnd = i == line.size() || std::string_view(",;\t|").find(line[i]) != std::string_view::npos;
        if (!isEnd && line[i] != '"' && line[i] != ' ' && line[i] != '\0') cell += line[i];
        if (!isEnd) continue;
        hasDay = hasDay || foldedName(cell) == "day";
        hasPeriod = hasPeriod || foldedName(cell) == "period";
        cell.clear();
    }
    return hasDay && hasPeriod;
}

}    // namespace

bool isLineOfLecture(const TextLine& line) {
    const auto isNumber = [](std::string_view word) { return word.find_first_not_of("0123456789") == std::string_view::npos; };
    return line.words.size() == 4 && isNumber(line.words[2]) && isNumber(line.words[3]);
}

TimetableRows::Format TimetableRows::formatOf(const TextFile& file) {
    constexpr std::size_t longestHead = 10'000;
    std::string_view text = file.text();
    const std::size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    text = text.substr(first, longestHead);
    // The name of the first course may begin with '{' or have a separator of a table.
    TextFile head(file.name(), std::string(text.substr(0, text.find_first_of("\r\n"))));
    if (isLineOfLecture(head.next())) return Format::Competition;
    if (text.starts_with('{')) return Format::Json;
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return Format::Table;    // UTF-16, which only spreadsheets write
    if (text.starts_with("sep=")) return Format::Table;
    return isTableHead(text.substr(0, text.find_first_of("\r\n"))) ? Format::Table : Format::Competition;
}

TimetableRows TimetableRows::readTable(TextFile file, const std::string& item, std::size_t most) {
    std::vector<std::string> optional{"room", "left_out"};
    if (item == "course") optional.insert(optional.end(), {"teacher", "curricula"});    // `solve --csv` writes these; they are for readers
    CsvReader table(std::move(file), {item, "day", "period"}, optional);
    TimetableRows result;
    result.notes_ = table.notes();
    result.file_ = table.file();
    while (table.next()) {
        const auto cell = [&](const char* column) { return table.has(column) ? table.text(column) : std::string(); };
        if (item == "course" && !cell("left_out").empty() && cell("day").empty() && cell("period").empty())
            continue;    // the table itself says that the lecture is left out
        if (result.rows_.size() >= most) table.fail(item, fmt::format("at most {} rows", most));
        result.rows_.push_back({table.text(item), cell("day"), cell("period"), cell("room"), table.line()});
    }
    return result;
}

TimetableRows TimetableRows::readJson(TextFile file, const std::string& item, const std::string& list, std::size_t most) {
    TimetableRows result;
    result.file_ = file.name();
    result.format_ = Format::Json;
    RowHandler handler(result.file_, item, list, most);
    Json::sax_parse(file.text(), &handler);
    result.rows_ = handler.takeRows();
    return result;
}

TimetableRows TimetableRows::readLines(TextFile file, std::size_t most) {
    TimetableRows result;
    result.file_ = file.name();
    result.format_ = Format::Competition;
    for (TextLine line = file.next(); !line.words.empty(); line = file.next()) {
        const LineParser parser(result.file_, line);
        parser.expectWords(4, 4, "course room day period");
        if (result.rows_.size() >= most) parser.fail(fmt::format("at most {} rows", most), line.text);
        const auto word = [&](std::size_t i) { return std::string(line.words[i]); };
        result.rows_.push_back({word(0), word(2), word(3), word(1), line.number});
    }
    return result;
}

TimetableRows TimetableRows::read(TextFile file, const std::string& item, const std::string& list, std::size_t most) {
    if (formatOf(file) == Format::Json) return readJson(std::move(file), item, list, most);
    return readTable(std::move(file), item, most);
}

int TimetableRows::number(const TimetableRow& row, const char* column, const std::string& text, int count) const {
    int value = -1;
    const std::string_view digits = withoutZeroFraction(text);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < 0 || value >= count)
        fail(row, column, fmt::format("a whole number from 0 to {}", count - 1), text);
    return value;
}

void TimetableRows::failAt(const TimetableRow& row, const std::string& text) const {
    if (format_ == Format::Json) throw InputError(file_, fmt::format("entry {}: {}", row.line, printable(text, 1000)));
    throw InputError(file_, row.line, printable(text, 1000));
}

void TimetableRows::fail(const TimetableRow& row, const char* column, const std::string& expected, const std::string& found,
                         const std::string& cure) const {
    const std::string place =
        format_ == Format::Json ? fmt::format("entry {}, '{}'", row.line, column) : fmt::format("column '{}'", column);
    const std::string text = fmt::format("{}: expected {}, {}{}", place, expected, foundInWords(found), cure);
    if (format_ == Format::Json) throw InputError(file_, text);
    throw InputError(file_, row.line, text);
}

}    // namespace timetabling
