#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/model/WeekNames.hpp>
#include <ferry/apps/timetabling/report/Calendar.hpp>
#include <ferry/apps/timetabling/report/Examination.hpp>

/// A timetable for the display on pages, for any kind of problem. All texts are plain text.

namespace timetabling {

/// A text that may link to a week.
struct LinkedText {
    std::string text;
    int week = -1;    ///< index into TimetableView::weeks; -1: none
};

/// A lecture or an event.
struct WeekEntry {
    int period = -1;    ///< counted through the week; -1: the entry is left out of the timetable
    std::string name;
    std::vector<LinkedText> details;       ///< for example teacher and room
    int item = -1;                         ///< index into TimetableView::items
    int room = -1;                         ///< index of the week of the room; -1: the entry has no room
    int week = -1;                         ///< index of the week of the course; -1: none
    std::vector<std::string> notes{};      ///< for example "pinned", or the published place
    std::vector<std::size_t> remarks{};    ///< violations at this entry: indices into TimetableView::remarks, ascending
};

/// The kind of item that a week belongs to.
enum class WeekKind { Room, Teacher, Curriculum, Course };

/// The week of one room, teacher, curriculum or course.
struct WeekView {
    WeekKind kind{};
    std::string name;
    std::string note;                      ///< for example "42 seats"
    std::vector<std::size_t> entries{};    ///< indices into TimetableView::entries
    std::vector<std::size_t> remarks{};    ///< violations of the week or its entries that concern this week: indices into
                                           ///< TimetableView::remarks, ascending
};

/// One row of the table of courses or events.
struct ItemRow {
    std::string name;
    LinkedText about;                       ///< the teacher, or the number of students
    std::vector<LinkedText> moreAbout{};    ///< further teachers
    std::vector<LinkedText> places{};       ///< times and rooms
    std::vector<std::size_t> remarks{};     ///< violations: indices into TimetableView::remarks, ascending
    int week = -1;                          ///< index of the week of the course; -1: none
};

/// One row of the table with the parts of the score.
struct ScoreRow {
    std::string constraint;
    std::string kind;
    std::string amount;
};

/// The timetable of one student.
struct StudentView {
    std::vector<int> entries;            ///< indices into TimetableView::entries
    std::vector<std::string> remarks;    ///< violations in the student's week
};

struct TimetableView {
    std::string name;       ///< name of the instance
    std::string summary;    ///< "feasible, cost 61"
    Examination examination;
    int dayCount = 0;
    int periodsPerDay = 0;
    WeekNames names;                    ///< names of days and periods
    std::optional<Term> term;           ///< the dates of the days; nothing: not known
    std::vector<std::string> notes;     ///< what does not count or was left out, in words
    std::vector<ScoreRow> scoreRows;    ///< the last row is the sum
    std::vector<Finding> remarks;       ///< violations that weeks and rows refer to; several remarks may be about the same violation
    std::vector<WeekEntry> entries;
    std::vector<WeekView> weeks;       ///< sorted by kind; those of the rooms come first
    std::vector<bool> closedPlaces;    ///< indexed by period and room; empty: no room is closed
    std::string entriesTitle;          ///< for example "Lectures"
    std::string itemTitle;             ///< for example "Course"
    std::string itemsTitle;            ///< for example "Courses"
    std::string aboutTitle;            ///< for example "Teacher"
    std::vector<ItemRow> items;
    std::vector<StudentView> students;    ///< empty for a problem without known students
    std::string movedSummary;             ///< number of items outside their published places, in words; empty without a published timetable
    std::string leftOutSummary;           ///< number of items that are left out, in words; empty when nothing is left out
    std::vector<std::string> leftOut;     ///< one text for each course or event with items that are left out
    std::vector<std::string> moved;       ///< one text for each of these items
};

/// Gives the days of the timetable the dates of the term. A term without a first day changes nothing.
inline void setDates(TimetableView& view, const Term& term) {
    if (term.firstDay.ok()) view.term = termOf(term, view.dayCount, view.names);
}

}    // namespace timetabling
