#pragma once

#include <string>
#include <vector>

#include <ferry/apps/timetabling/report/page/PageText.hpp>

namespace timetabling {

/// Writes the parts about the whole timetable: the score, tables of weeks and of courses or events, and all violations.
class Overview {
public:
    Overview(const TimetableView& view, const WeekAddresses& addresses) : view_(view), addresses_(addresses) {}

    /// Adds the heading, links to the parts, and the filter. 'more' is markup that is put behind the links.
    void addHead(PageText& page, const std::string& more) const;
    void addScore(PageText& page) const;
    void addWeeks(PageText& page, WeekKind kind) const;
    void addItems(PageText& page) const;
    void addFindings(PageText& page) const;
    /// Adds the items that are not in their published places. Adds nothing without a published timetable.
    void addMoved(PageText& page) const;

    /// Adds the lectures or events that are left out. Adds nothing when all take place.
    void addLeftOut(PageText& page) const;

    /// Adds all parts: the whole at a glance, 'before' and then the tables. Both 'more' and 'before' are markup.
    void addTo(PageText& page, const std::string& more, const std::string& before) const;

private:
    std::vector<int> weeksOf(WeekKind kind) const;
    void addAmounts(PageText& page, const std::vector<std::size_t>& remarks) const;
    void addConstraint(PageText& page, std::vector<const Finding*> findings) const;

    const TimetableView& view_;
    const WeekAddresses& addresses_;
};

}    // namespace timetabling
