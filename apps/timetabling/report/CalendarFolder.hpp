#pragma once

#include <string>
#include <vector>

#include <ferry/apps/timetabling/io/OutputFolder.hpp>
#include <ferry/apps/timetabling/report/Calendar.hpp>

namespace timetabling {

/// A folder of calendars, one file each, checked early like an OutputFile.
class CalendarFolder {
public:
    /// Creates the folder when it does not exist. dayCount and periodsPerDay are those of the timetable.
    /// Errors: InputError when the folder cannot be created or written to, for a day longer than 24 hours,
    /// for a lecture longer than a period, and for a period without a begin where other periods have one.
    CalendarFolder(const std::string& path, Term term, int dayCount, int periodsPerDay, WeekNames names = {});

    /// Errors: InputError when a file cannot be written.
    void write(const std::vector<Calendar>& calendars) const;

private:
    Term term_;
    OutputFolder folder_;
};

}    // namespace timetabling
