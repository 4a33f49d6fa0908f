#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling {

/// Reads a table in the format CSV (RFC 4180) row by row: a head with the names of the columns, in any order, then the rows.
///
/// Takes what spreadsheets save: the encodings of decodedText(), commas, semicolons or tabs, a first line such as 'sep=;'.
/// Rows and columns without text are left out, and so are columns with other names, which notes() tells.
/// Capitals in the head do not matter. A quoted cell may hold ends of line. In a cell, these and rows of blanks become one blank.
///
/// Errors: InputError with file, line and column, what was expected and what was found. After an error of next(), the next call
///         goes on behind the wrong row.
class CsvReader {
public:
    /// Refuses a head that lacks a needed column or has a column twice.
    CsvReader(TextFile file, const std::vector<std::string>& needed, const std::vector<std::string>& optional = {});

    /// Goes on to the next row. False behind the last row.
    bool next();

    const std::string& file() const { return name_; }
    /// Line number of the begin of the row, counted from 1.
    std::size_t line() const { return lineNumber_; }
    /// One line for each thing of the table that is a guess or is left out.
    const std::vector<std::string>& notes() const { return notes_; }

    /// Whether the head has the column.
    bool hasColumn(std::string_view column) const { return columns_.find(column) != columns_.end(); }
    /// Whether the cell of the row in the column is not empty.
    bool has(std::string_view column) const;
    /// Returns the text of the cell. Refuses an empty cell.
    const std::string& text(std::string_view column) const;
    /// Returns the cell as a whole number. Takes '40.0' and '40,0' as well. Refuses a number outside the limits.
    int number(std::string_view column, std::int64_t least, std::int64_t most) const;

    /// Whether the cell says yes: '1', 'yes', 'true' or 'x'. An empty cell, '0', 'no' and 'false' say no. Refuses other texts.
    bool isYes(std::string_view column) const;

    /// Throws an error of the cell. 'cure' follows behind what was found.
    [[noreturn]] void fail(std::string_view column, std::string_view expected, std::string_view cure = {}) const;

private:
    bool readRow(std::vector<std::string>& cells);
    std::string quotedCell();
    std::string plainCell();
    bool isAtLineEnd() const;
    void endLine();
    void skipLine();
    void takeSeparator();
    std::string cureForTitle(const std::vector<std::string>& needed, const std::vector<std::string>& optional) const;
    void readHead(const std::vector<std::string>& needed, const std::vector<std::string>& optional);

    std::string name_;
    std::string text_;
    std::size_t position_ = 0;
    std::size_t nextLine_ = 1;      ///< number of the line at position_
    std::size_t lineNumber_ = 1;    ///< number of the line at which the row begins
    char separator_ = ',';
    std::map<std::string, std::size_t, std::less<>> columns_;
    std::size_t columnCount_ = 0;    ///< with columns that have no name or an unknown one
    std::size_t leastCells_ = 0;     ///< number of cells up to the last needed column
    std::vector<std::string> cells_;
    std::vector<std::string> notes_;
};

}    // namespace timetabling
