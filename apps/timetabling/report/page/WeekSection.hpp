#pragma once

#include <string>
#include <vector>

#include <ferry/apps/timetabling/report/page/PageText.hpp>

namespace timetabling {

/// Writes the week of one room, teacher, curriculum or course: the grid, and beside the grid a list of violations in words.
class WeekSection {
public:
    /// 'week' is an index into the view's weeks. 'headingLevel' is the level of the headings below the heading of the week.
    WeekSection(const TimetableView& view, const WeekAddresses& addresses, int week, int headingLevel);

    void addTo(PageText& page) const;

private:
    void addList(PageText& page, const std::vector<std::vector<std::size_t>>& cells) const;
    void addGrid(PageText& page, const std::vector<std::vector<std::size_t>>& cells, int firstDay, int endDay) const;
    void addLinkToDesk(PageText& page, const WeekEntry& entry, const char* styleClass) const;
    void addEntry(PageText& page, const WeekEntry& entry) const;
    void addMark(PageText& page, const std::vector<std::size_t>& remarks, bool isHard) const;
    void addRemarks(PageText& page) const;
    void addCosts(PageText& page) const;
    std::vector<std::size_t> remarksHere(const WeekEntry& entry) const;

    const TimetableView& view_;
    const WeekAddresses& addresses_;
    const WeekView& week_;
    int index_;
    int headingLevel_;
};

}    // namespace timetabling
