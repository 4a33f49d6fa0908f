#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace timetabling {

/// A lecture or an event as a week shows it, with what is wrong about it.
struct WeekEntry {
    int period = 0;         ///< counted through the week
    std::string name;       ///< plain text, as are the others
    std::string details;    ///< shown smaller
    bool isHard = false;    ///< something that is wrong makes the timetable infeasible
    std::string remarks;    ///< what is wrong, one line each

    void addRemark(const std::string& text, bool isAboutHard);
};

/// One row of the table that breaks the score down.
struct ScoreRow {
    std::string constraint;
    std::string kind;
    std::string amount;
};

/// A row of an index, or what is wrong: text with a class of the page's style.
struct StyledLine {
    std::string text;
    bool isBad = false;
};

/// Writes timetables as one page of HTML that needs no other file: weeks, indices, the score, and what is wrong.
class WeekPage {
public:
    WeekPage(int dayCount, int periodsPerDay) : dayCount_(dayCount), periodsPerDay_(periodsPerDay) {}

    /// The head of the page; the sections are pairs of anchor and title.
    void begin(const std::string& name, const std::string& summary, bool isGood,
               const std::vector<std::pair<std::string, std::string>>& sections);
    /// The score; the last row is the sum.
    void addScore(const std::vector<ScoreRow>& rows);
    /// A section with a link to each week of it, which are numbered from 0.
    void addIndex(const std::string& title, const std::string& anchor, const std::vector<std::string>& names);
    void addWeek(const std::string& anchor, int number, const std::string& title, const std::vector<const WeekEntry*>& entries);
    void addViolations(const std::vector<StyledLine>& lines);
    /// The whole page.
    std::string finish();

private:
    template <class... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        text_ += fmt::format(format, std::forward<Values>(values)...);
    }
    void addEntry(const WeekEntry& entry);

    int dayCount_;
    int periodsPerDay_;
    std::string text_;
};

}    // namespace timetabling
