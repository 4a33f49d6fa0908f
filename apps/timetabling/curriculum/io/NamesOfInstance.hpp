#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/io/TimetableRows.hpp>

namespace timetabling::curriculum {

/// Finds courses, rooms and places by their names. A blank in a name may be a '_', as in the format of the competition.
/// Ownership: refers to the problem.
class NamesOfInstance {
public:
    explicit NamesOfInstance(const Problem& problem);

    /// The number of the course or room, or -1.
    int course(std::string_view name) const;
    int room(std::string_view name) const;

    /// The numbers of the row. These functions refuse what the instance does not have.
    int courseOf(const TimetableRows& rows, const TimetableRow& row) const;
    int roomOf(const TimetableRows& rows, const TimetableRow& row) const;
    /// The period of the row, counted through the week.
    int periodOf(const TimetableRows& rows, const TimetableRow& row) const;
    /// The day of the row, and the period of the day, if the week has them. A number counts from 0 unless the rows are a table, where the
    /// names come first. Refuses a span of times that begins with a period and ends elsewhere.
    std::optional<int> findDay(const TimetableRows& rows, const TimetableRow& row) const;
    std::optional<int> findPeriod(const TimetableRows& rows, const TimetableRow& row) const;

    /// The end of an error text about a course that does not exist: "; did you mean 'Algebra'?", or nothing.
    std::string likeCourse(std::string_view name) const;

    /// The name with '_' for blanks.
    static std::string plain(std::string_view name);

private:
    const WeekNames& namesFor(const TimetableRows& rows, const std::string& text) const;
    std::string wantedPeriod(const TimetableRows& rows) const;

    const Problem& problem_;
    std::unordered_map<std::string, int> courses_;
    std::unordered_map<std::string, int> rooms_;
};

}    // namespace timetabling::curriculum
