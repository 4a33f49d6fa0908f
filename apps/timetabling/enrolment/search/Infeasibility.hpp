#pragma once

#include <optional>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/search/Infeasibility.hpp>

namespace timetabling::enrolment {

/// Looks for a cheap proof that not all events can be placed. States the proof in the numbers of the file.
/// Leaves out the demands that the proof does not need. Names the pins that the proof needs.
/// An empty result does not mean that all events can be placed.
std::optional<Infeasibility> findInfeasibility(const Problem& problem);

}    // namespace timetabling::enrolment
