#pragma once

#include <string>
#include <vector>

#include <ferry/apps/timetabling/model/Slots.hpp>
#include <ferry/apps/timetabling/report/Calendar.hpp>
#include <ferry/apps/timetabling/report/Examination.hpp>
#include <ferry/apps/timetabling/report/TimetableView.hpp>

namespace timetabling {

/// Shows timetables of one problem to people and programs. One interface serves all kinds of problems.
class Presenter {
public:
    Presenter() = default;
    Presenter(const Presenter&) = delete;
    Presenter& operator=(const Presenter&) = delete;
    virtual ~Presenter() = default;

    /// The name and the sizes of the problem in one line.
    virtual std::string problemLine() const = 0;
    virtual Examination examine(const Slots& slots) const = 0;
    /// Examines the timetable in a file, whether it is valid or not.
    /// Errors: InputError.
    virtual Examination examine(const std::string& solutionFile) const = 0;

    /// Returns the timetable for the display on pages. The second form reads a file, like examine().
    virtual TimetableView view(const Slots& slots) const = 0;
    virtual TimetableView view(const std::string& solutionFile) const = 0;
    /// Returns the slots of the timetable in a file, -1 for what is left out.
    /// Errors: InputError; std::invalid_argument for lectures that the problem does not have.
    virtual Slots slotsOf(const std::string& solutionFile) const = 0;

    /// Returns the timetable in the format of its competition, and as a JSON document.
    virtual std::string solutionFile(const Slots& slots) const = 0;
    virtual std::string jsonDocument(const Slots& slots) const = 0;
    /// Returns a table in the format CSV (RFC 4180): a head, and a line for each lecture or event.
    virtual std::string csvTable(const Slots& slots) const = 0;
    /// Returns the week of each room, teacher and curriculum. Weeks without entries are left out.
    virtual std::vector<Calendar> calendars(const Slots& slots) const = 0;
    virtual int dayCount() const = 0;
    virtual int periodsPerDay() const = 0;
    /// The names and times of days and periods.
    virtual WeekNames weekNames() const { return {}; }
    /// Says in words which lectures or events the timetable leaves out, each with a reason. Empty when all take place.
    virtual std::string describeLeftOut(const Slots& slots) const = 0;
    /// Says in words which lectures are not in their published places. Empty without a published timetable.
    virtual std::string describeMoved(const Slots& /*slots*/) const { return {}; }
};

}    // namespace timetabling
