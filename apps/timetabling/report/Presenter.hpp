#pragma once

#include <string>
#include <vector>

#include <ferry/apps/timetabling/model/Slots.hpp>
#include <ferry/apps/timetabling/report/Calendar.hpp>
#include <ferry/apps/timetabling/report/Examination.hpp>
#include <ferry/apps/timetabling/report/TimetableView.hpp>

namespace timetabling {

/// Shows timetables of one problem to people and programs, whatever the kind of the problem.
class Presenter {
public:
    Presenter() = default;
    Presenter(const Presenter&) = delete;
    Presenter& operator=(const Presenter&) = delete;
    virtual ~Presenter() = default;

    /// The name and the sizes of the problem, in one line.
    virtual std::string problemLine() const = 0;
    virtual Examination examine(const Slots& slots) const = 0;
    /// Examines a timetable that a file states, valid or not.
    /// Errors: InputError.
    virtual Examination examine(const std::string& solutionFile) const = 0;

    /// The timetable as pages show it; of a file as examine() takes it.
    virtual TimetableView view(const Slots& slots) const = 0;
    virtual TimetableView view(const std::string& solutionFile) const = 0;

    /// The timetable in the format of its competition, and as a JSON document.
    virtual std::string solutionFile(const Slots& slots) const = 0;
    virtual std::string jsonDocument(const Slots& slots) const = 0;
    /// A table with a head, a line for each lecture or event, in the format CSV (RFC 4180).
    virtual std::string csvTable(const Slots& slots) const = 0;
    /// What each room, teacher and curriculum has in a week; those with nothing left out.
    virtual std::vector<Calendar> calendars(const Slots& slots) const = 0;
    virtual int dayCount() const = 0;
    virtual int periodsPerDay() const = 0;
    /// Which lectures are not where they were published, in words; empty where no timetable was published.
    virtual std::string describeMoved(const Slots& /*slots*/) const { return {}; }
};

}    // namespace timetabling
