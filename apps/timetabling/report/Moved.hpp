#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <ferry/apps/timetabling/report/TimetableView.hpp>

namespace timetabling {

/// A lecture or an event that is not where it was published.
struct Moved {
    int item = 0;         ///< the number of the course or the event
    std::string from;     ///< published place in words: "day 0 period 1 room A.1"; empty for an item that the published timetable did not
                          ///< have
    std::string to;       ///< present place in words; empty for an item that no longer takes place
    std::string cause;    ///< the reason why the item could not stay, such as "the room is no longer there"; empty when its place gives no
                          ///< reason
    int period = -1;      ///< present period, counted through the week; -1 for an item that no longer takes place
    int room = -1;        ///< present room; -1 for an item that no longer takes place

    bool isMoved() const { return !from.empty() && !to.empty(); }
};

/// Says in words how many items of all were moved, and how many of these had to move. 'noun' is "lecture" or "event".
std::string sumUpMoved(const std::vector<Moved>& moved, std::int64_t total, const char* noun);
/// Describes one moved item in words. 'name' is the name of the item.
std::string describe(const Moved& moved, const char* noun, const std::string& name);
/// Describes the list in words: the summary, then the first items line by line.
std::string describeMoved(const std::vector<Moved>& moved, std::int64_t total, const char* noun,
                          const std::function<std::string(int)>& nameOf);

/// Adds the summary and the list to a view. Adds the published place to the entry of each moved item. entryOf() may return null.
void showMoved(TimetableView& view, const std::vector<Moved>& moved, std::int64_t total, const char* noun,
               const std::function<std::string(int)>& nameOf, const std::function<WeekEntry*(const Moved&)>& entryOf);

/// Adds "movedCount" and the list "moved" to a report. 'key' is the JSON key for the name of an item, and 'nameOf' returns the name.
void addMoved(nlohmann::ordered_json& report, const std::vector<Moved>& moved, const char* key,
              const std::function<nlohmann::ordered_json(int)>& nameOf);

}    // namespace timetabling
