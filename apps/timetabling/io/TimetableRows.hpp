#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling {

/// One lecture or event of a timetable as a file states it. Texts are not checked yet.
struct TimetableRow {
    std::string item;    ///< the course or the number of the event
    std::string day;     ///< empty for an event that is left out
    std::string period;
    std::string room;        ///< may be empty
    std::size_t line = 0;    ///< line number, or the number of the entry in a JSON report
};

/// Whether the line is a lecture in the format of the competition: four words, of which the last two are whole numbers.
bool isLineOfLecture(const TextLine& line);

/// The rows of a timetable, and how to name a row in an error.
class TimetableRows {
public:
    /// The formats that `solve` writes.
    enum class Format { Competition, Table, Json };

    /// Recognises the format by the begin of the text. The format of the competition is the rest.
    static Format formatOf(const TextFile& file);

    /// Reads a table with the columns 'item', day, period, [room]; or the list 'list' of a JSON report, whose entries have such keys.
    /// Refuses more than 'most' rows. Rows of courses with a text in the column 'left_out'
    /// and without a place are passed over.
    /// Errors: InputError with file and line.
    static TimetableRows readTable(TextFile file, const std::string& item, std::size_t most);
    static TimetableRows readJson(TextFile file, const std::string& item, const std::string& list, std::size_t most);
    /// Reads lines in the format of the competition: course, room, day and period.
    static TimetableRows readLines(TextFile file, std::size_t most);
    /// Reads a table or a JSON report.
    static TimetableRows read(TextFile file, const std::string& item, const std::string& list, std::size_t most);

    const std::vector<TimetableRow>& rows() const { return rows_; }
    const std::string& file() const { return file_; }
    /// One line for each thing of the table that is a guess or is left out, such as an unknown column.
    const std::vector<std::string>& notes() const { return notes_; }

    /// Whether numbers of days and periods count from 0, whatever the names of these are. In a table, names count first.
    bool countsFromZero() const { return format_ != Format::Table; }

    /// Returns the text of a column as a whole number from 0 to count - 1. Errors: InputError.
    int number(const TimetableRow& row, const char* column, const std::string& text, int count) const;

    /// Throws an error of the row: "t.csv:3: column 'room': expected a room of the instance, found 'x'". 'cure' follows behind that.
    [[noreturn]] void fail(const TimetableRow& row, const char* column, const std::string& expected, const std::string& found,
                           const std::string& cure = {}) const;

    /// Throws an error of the row as a whole.
    [[noreturn]] void failAt(const TimetableRow& row, const std::string& text) const;

private:
    std::string file_;
    Format format_ = Format::Table;
    std::vector<TimetableRow> rows_;
    std::vector<std::string> notes_;
};

}    // namespace timetabling
