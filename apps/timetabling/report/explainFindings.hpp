#pragma once

#include <string>

#include <ferry/apps/timetabling/report/Examination.hpp>

namespace timetabling {

/// Explains the findings by constraint, the worst findings first. The subjects with the most findings follow.
/// The last line is the summary of the score.
std::string explainFindings(const Examination& examination);

}    // namespace timetabling
