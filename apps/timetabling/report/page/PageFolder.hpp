#pragma once

#include <ferry/apps/timetabling/io/OutputFolder.hpp>
#include <ferry/apps/timetabling/report/TimetableView.hpp>

namespace timetabling {

/// Writes the timetable as pages with links between them: a page for each week, "room-A.1.html", one for each day, and one for
/// all students, if there are any.
/// index.html is written last. Pages of an earlier timetable stay in the folder unless a new page replaces them.
/// Errors: InputError when a page cannot be written.
void writePages(const TimetableView& view, const OutputFolder& folder);

}    // namespace timetabling
