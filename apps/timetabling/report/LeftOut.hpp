#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <ferry/apps/timetabling/report/TimetableView.hpp>

namespace timetabling {

/// Lectures of a course, or an event, that a timetable leaves out.
struct LeftOut {
    int item = 0;          ///< the number of the course or the event
    int count = 0;         ///< number of lectures; 1 for an event
    std::string reason;    ///< why there is no place in this timetable, in one line
};

/// Counts for each obstacle the periods that it takes away, and says so in a line:
/// "of 25 periods, 4 are closed to it, 20 have lectures of teacher Rossi, 1 has no free room".
class Obstacles {
public:
    /// Adds a period with one of these obstacles. 'who' is "teacher Rossi", or "another lecture of it".
    void addClosed() { ++closed_; }
    void addTaken(const std::string& who) { ++taken_[who]; }
    void addFull() { ++full_; }
    /// Adds a period without obstacles. 'place' says in words where the lecture could be.
    void addFree(const std::string& place);

    /// 'periods' is the number of all periods, and 'room' what the full ones lack: "free room".
    std::string text(int periods, const std::string& room) const;

private:
    int closed_ = 0;
    std::map<std::string, int> taken_;
    int full_ = 0;
    int free_ = 0;
    std::string firstFree_;
};

/// Says in words how many items of all are left out. 'noun' is "lecture" or "event".
std::string sumUpLeftOut(const std::vector<LeftOut>& leftOut, std::int64_t total, const char* noun);
/// Describes the items of one entry: "LAW-101: 2 lectures left out: of 25 periods, ...".
std::string describe(const LeftOut& leftOut, const char* noun, const std::string& name);
/// Describes the list in words: the summary, then each entry in a line. Empty when nothing is left out.
std::string describeLeftOut(const std::vector<LeftOut>& leftOut, std::int64_t total, const char* noun,
                            const std::function<std::string(int)>& nameOf);

/// Adds the summary and the list to a view. Adds nothing when nothing is left out.
void showLeftOut(TimetableView& view, const std::vector<LeftOut>& leftOut, std::int64_t total, const char* noun,
                 const std::function<std::string(int)>& nameOf);

/// Adds "leftOutCount" and the list "leftOut" to a report when something is left out. 'key' is the JSON key for the name of an item.
void addLeftOut(nlohmann::ordered_json& report, const std::vector<LeftOut>& leftOut, const char* key,
                const std::function<nlohmann::ordered_json(int)>& nameOf);

}    // namespace timetabling
