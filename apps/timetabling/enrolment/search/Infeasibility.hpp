#pragma once

#include <optional>
#include <string>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>

namespace timetabling::enrolment {

/// Looks for a cheap proof that not all events can be placed, and states it in the numbers of the file. Nothing found does not mean that
/// they can.
std::optional<std::string> findInfeasibility(const Problem& problem);

}    // namespace timetabling::enrolment
