#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include <ferry/apps/timetabling/report/TimetableView.hpp>
#include <ferry/apps/timetabling/report/page/PageText.hpp>

namespace timetabling {

/// Writes the pages of a timetable, which link to each other: the index, a page for each week, and one for each day with all rooms.
///
/// Ownership: refers to the view.
class Pages {
public:
    Pages(const TimetableView& view, WeekAddresses addresses) : view_(view), addresses_(std::move(addresses)) {}

    /// 'more' is markup that is put before the tables.
    std::string index(const std::string& more = {}) const;
    std::string week(std::size_t index) const;
    std::string day(std::size_t day) const;

private:
    bool isServed() const { return !addresses_.desk.empty(); }
    const char* indexAddress() const { return isServed() ? "./" : "index.html"; }
    void addHead(PageText& page, const std::string& title) const;
    void addNeighbour(PageText& page, const std::string& address, const char* rel, const char* title, const std::string& name) const;

    const TimetableView& view_;
    WeekAddresses addresses_;
};

}    // namespace timetabling
