#pragma once

#include <optional>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/search/Infeasibility.hpp>

namespace timetabling::enrolment {

/// Looks for a cheap proof that not all events can be placed, states it in the numbers of the file, and leaves out what it can do without.
/// Pins are named where they are part of it.
/// Nothing found does not mean that they can.
std::optional<Infeasibility> findInfeasibility(const Problem& problem);

}    // namespace timetabling::enrolment
