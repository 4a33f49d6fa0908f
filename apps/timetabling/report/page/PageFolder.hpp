#pragma once

#include <ferry/apps/timetabling/io/OutputFolder.hpp>
#include <ferry/apps/timetabling/report/TimetableView.hpp>

namespace timetabling {

/// Writes the timetable as pages that link to each other: a page for each week, "room-A.1.html", one for all students, if there are any,
/// and index.html, which comes last. Pages of an earlier timetable that have no successor stay.
/// Errors: InputError when a page cannot be written.
void writePages(const TimetableView& view, const OutputFolder& folder);

}    // namespace timetabling
