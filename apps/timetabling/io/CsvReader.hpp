#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling {

/// Reads a table in the format CSV (RFC 4180) line by line: a head with the names of the columns, in any order, then the rows.
/// Commas separate the cells, or semicolons when the head has a semicolon and no comma.
/// Cells may be quoted, but cannot hold an end of line.
/// Blanks around cells, blank lines, and the UTF-8 byte order mark at the begin are dropped.
///
/// Errors: InputError with file, line and column, what was expected and what was found.
class CsvReader {
public:
    /// Refuses a head that lacks a needed column, has a column that is in neither list, or has a column twice.
    CsvReader(TextFile file, const std::vector<std::string>& needed, const std::vector<std::string>& optional = {});

    /// Goes on to the next row. False behind the last row.
    bool next();

    const std::string& file() const { return file_.name(); }
    /// Line number of the row, counted from 1.
    std::size_t line() const { return lineNumber_; }

    /// Whether the cell of the row in the column is not empty.
    bool has(std::string_view column) const;
    /// Returns the text of the cell. Refuses an empty cell.
    const std::string& text(std::string_view column) const;
    /// Returns the text of the cell as a name. Refuses blanks in it, as the files of the competitions do.
    const std::string& name(std::string_view column) const;
    /// Returns the cell as a whole number. Refuses a number outside the limits.
    int number(std::string_view column, std::int64_t least, std::int64_t most) const;

    [[noreturn]] void fail(std::string_view column, std::string_view expected) const;

private:
    std::vector<std::string> cellsOf(std::string_view line) const;

    TextFile file_;
    char separator_ = ',';
    std::map<std::string, std::size_t, std::less<>> columns_;
    std::size_t lineNumber_ = 0;
    std::vector<std::string> cells_;
};

}    // namespace timetabling
