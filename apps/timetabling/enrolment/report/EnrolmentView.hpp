#pragma once

#include <string>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Score.hpp>
#include <ferry/apps/timetabling/enrolment/model/Solution.hpp>
#include <ferry/apps/timetabling/report/TimetableView.hpp>

namespace timetabling::enrolment {

/// Returns the score as a table: one line per constraint, then the sums.
std::string describeScore(const Score& score);

/// Returns one line: "feasible, cost 61", "infeasible: 2 violations, distance to feasibility 31, cost 61".
std::string summarize(const Score& score);

Examination examine(const Problem& problem, const Solution& solution);

/// Returns the timetable with a week for each room, and the students.
///
/// The cost of an event for its students is one remark for each soft constraint.
/// The costs of all remarks add up to the cost of the timetable, with one exception:
/// when a student has two events at once, each of the two counts.
/// The events that these pins hold have a note about the pin.
TimetableView makeView(const Problem& problem, const Solution& solution, const std::vector<Pin>& pins = {});

}    // namespace timetabling::enrolment
