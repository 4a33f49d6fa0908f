#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/report/Examination.hpp>

/// A timetable as pages show it, whatever the kind of its problem. All text is plain.

namespace timetabling {

/// Text that may lead to a week.
struct LinkedText {
    std::string text;
    int week = -1;    ///< index into TimetableView::weeks; -1: none
};

/// A lecture or an event.
struct WeekEntry {
    int period = -1;    ///< counted through the week; -1: it is left out
    std::string name;
    std::vector<LinkedText> details;       ///< who and where
    std::vector<std::string> notes{};      ///< "pinned", say, or where it was before
    std::vector<std::size_t> remarks{};    ///< what is wrong about it: indices into TimetableView::remarks, ascending
};

/// Whose week it is.
enum class WeekKind { Room, Teacher, Curriculum };

/// The week of one room, teacher or curriculum.
struct WeekView {
    WeekKind kind{};
    std::string name;
    std::string note;                      ///< "42 seats", say
    std::vector<std::size_t> entries{};    ///< indices into TimetableView::entries
    std::vector<std::size_t> remarks{};    ///< what is wrong about it or its entries, as far as it concerns this week; ascending
};

/// One row of the table of courses or events.
struct ItemRow {
    std::string name;
    LinkedText about;                      ///< its teacher, or how many students it has
    std::vector<LinkedText> places{};      ///< when and where
    std::vector<std::size_t> remarks{};    ///< as for a week
};

/// One row of the table that breaks the score down.
struct ScoreRow {
    std::string constraint;
    std::string kind;
    std::string amount;
};

/// What one student has.
struct StudentView {
    std::vector<int> entries;            ///< indices into TimetableView::entries
    std::vector<std::string> remarks;    ///< what is wrong about the student's week
};

struct TimetableView {
    std::string name;       ///< of the instance
    std::string summary;    ///< "feasible, cost 61"
    Examination examination;
    int dayCount = 0;
    int periodsPerDay = 0;
    std::vector<ScoreRow> scoreRows;    ///< the last one is the sum
    std::vector<Finding> remarks;       ///< what weeks and rows explain; several of them may tell of one thing
    std::vector<WeekEntry> entries;
    std::vector<WeekView> weeks;    ///< by kind
    std::string entriesTitle;       ///< "Lectures"
    std::string itemTitle;          ///< "Course"
    std::string itemsTitle;         ///< "Courses"
    std::string aboutTitle;         ///< "Teacher"
    std::vector<ItemRow> items;
    std::vector<StudentView> students;    ///< none where a problem does not know them
    std::string movedSummary;             ///< how many are not where they were published; empty when nothing was published
    std::vector<std::string> moved;       ///< each of them
};

}    // namespace timetabling
