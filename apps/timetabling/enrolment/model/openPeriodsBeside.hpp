#pragma once

#include <cstdint>
#include <span>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>

namespace timetabling::enrolment {

/// A set of periods of the week: bit p stands for period p.
using PeriodSet = std::uint64_t;

/// The periods that are open to the event and that the pins leave to it: of a pinned event its own one, of others those in which no pinned
/// event excludes it or takes the last room that suits it, and that are before and after those that they should be.
PeriodSet openPeriodsBeside(const Problem& problem, int event, std::span<const Pin> pins);

}    // namespace timetabling::enrolment
