#pragma once

#include <string>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Score.hpp>
#include <ferry/apps/timetabling/enrolment/model/Solution.hpp>
#include <ferry/apps/timetabling/report/TimetableView.hpp>

namespace timetabling::enrolment {

/// The score as a table: one line per constraint, then the sums.
std::string describeScore(const Score& score);

/// One line: "feasible, cost 61", "infeasible: 2 violations, distance to feasibility 31, cost 61".
std::string summarize(const Score& score);

Examination examine(const Problem& problem, const Solution& solution);

/// The timetable with a week for each room, and the students.
///
/// What an event costs its students is one remark for each soft constraint. The remarks of all events cost what the timetable costs,
/// unless a student has two events at once, each of which then counts. Events that are where these pins hold them say so.
TimetableView makeView(const Problem& problem, const Solution& solution, const std::vector<Pin>& pins = {});

}    // namespace timetabling::enrolment
