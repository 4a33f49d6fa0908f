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
    std::string from;     ///< in words: "day 0 period 1 room A.1"; empty for one that the published timetable did not have
    std::string to;       ///< empty for one that no longer takes place
    std::string cause;    ///< why it could not stay, as far as its own place tells: "the room is no longer there"; or empty
    int period = -1;      ///< where it is now, counted through the week; -1 for one that no longer takes place
    int room = -1;        ///< the same

    bool isMoved() const { return !from.empty() && !to.empty(); }
};

/// How many of all were moved, and how many of these had to be, in words. 'noun' is "lecture" or "event".
std::string sumUpMoved(const std::vector<Moved>& moved, std::int64_t total, const char* noun);
/// One of them, in words. 'name' is that of the item.
std::string describe(const Moved& moved, const char* noun, const std::string& name);
/// The list in words: the sum, then the first ones line by line.
std::string describeMoved(const std::vector<Moved>& moved, std::int64_t total, const char* noun,
                          const std::function<std::string(int)>& nameOf);

/// Adds the sum and the list to a view, and where they were to the entries of those that have moved. entryOf() may tell null.
void showMoved(TimetableView& view, const std::vector<Moved>& moved, std::int64_t total, const char* noun,
               const std::function<std::string(int)>& nameOf, const std::function<WeekEntry*(const Moved&)>& entryOf);

/// Adds "movedCount" and the list "moved" to a report. 'key' says what an item is, 'nameOf' which one.
void addMoved(nlohmann::ordered_json& report, const std::vector<Moved>& moved, const char* key,
              const std::function<nlohmann::ordered_json(int)>& nameOf);

}    // namespace timetabling
