#pragma once

#include <ferry/apps/timetabling/report/Examination.hpp>
#include <ferry/apps/timetabling/sectioning/model/Evaluation.hpp>

namespace timetabling::sectioning {

/// Examines a timetable, valid or not: all remarks, and a table of the score.
Examination examineSections(const Problem& problem, const Solution& solution);

}    // namespace timetabling::sectioning
