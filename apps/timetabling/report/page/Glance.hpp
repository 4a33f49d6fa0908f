#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/report/page/PageText.hpp>

namespace timetabling {

/// Writes parts that show all rooms together: a map of their use, the costs as bars, free rooms, and the rooms of one day.
class Glance {
public:
    Glance(const TimetableView& view, const WeekAddresses& addresses);

    /// Adds the map, with a row for each room and a cell for each period, and a bar for each constraint that costs.
    void addMapAndBars(PageText& page) const;
    /// Adds a table with the rooms that are free in each period.
    void addFreeRooms(PageText& page) const;
    /// Adds the lectures of the day: a table with a row for each room, and a list for narrow screens.
    void addDay(PageText& page, int day, int headingLevel) const;

private:
    const std::vector<std::size_t>& entriesIn(int period, int room) const {
        return cells_[static_cast<std::size_t>(period) * roomCount_ + static_cast<std::size_t>(room)];
    }
    bool isClosed(int period, int room) const {
        return !view_.closedPlaces.empty() &&
               view_.closedPlaces[static_cast<std::size_t>(period) * roomCount_ + static_cast<std::size_t>(room)];
    }
    const WeekView& room(int index) const { return view_.weeks[static_cast<std::size_t>(index)]; }
    int rooms() const { return static_cast<int>(roomCount_); }
    int periods() const { return view_.dayCount * view_.periodsPerDay; }
    std::string timeOf(int period) const;
    void addBars(PageText& page) const;
    void addCell(PageText& page, int period, int room) const;

    const TimetableView& view_;
    const WeekAddresses& addresses_;
    std::size_t roomCount_ = 0;
    std::vector<std::vector<std::size_t>> cells_;    ///< indexed by period and room: indices into TimetableView::entries
};

}    // namespace timetabling
