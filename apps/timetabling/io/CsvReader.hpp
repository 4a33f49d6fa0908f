#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling {

/// Reads a table in the format CSV (RFC 4180) line by line: a head with the names of the columns, in any order, then the rows. Cells are
/// separated by commas, or by semicolons when the head has some and no comma; they may be quoted, but hold no end of a line. Blanks around
/// cells are left out, and so are blank lines and the mark of UTF-8 at the beginning.
///
/// Errors: InputError with file, line and column, what was expected and what was found.
class CsvReader {
public:
    /// Refuses a head without one of the needed columns, with one that is in neither list, or with one twice.
    CsvReader(TextFile file, const std::vector<std::string>& needed, const std::vector<std::string>& optional = {});

    /// Goes on to the next row; false behind the last one.
    bool next();

    const std::string& file() const { return file_.name(); }
    /// Of the row, counted from 1.
    std::size_t line() const { return lineNumber_; }

    /// Whether the row has something in the column.
    bool has(std::string_view column) const;
    /// What is in the column; refuses an empty cell.
    const std::string& text(std::string_view column) const;
    /// The same, a name without blanks, as the files of the competitions need it.
    const std::string& name(std::string_view column) const;
    /// A whole number within the limits.
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
