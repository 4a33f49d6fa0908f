#pragma once

#include <cstdint>
#include <span>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>

namespace timetabling::enrolment {

/// A set of periods of the week: bit p stands for period p.
using PeriodSet = std::uint64_t;

/// Returns the periods that are open to the event and that the pins leave to it.
/// For a pinned event, this is its own period. For another event, three things close a period:
/// a pinned event there excludes the event; a pinned event takes the last suitable room;
/// or a pinned event that has to be earlier or later is not on the right side of the period.
PeriodSet openPeriodsBeside(const Problem& problem, int event, std::span<const Pin> pins);

}    // namespace timetabling::enrolment
