#pragma once

#include <string>

#include <ferry/apps/timetabling/report/Examination.hpp>

namespace timetabling {

/// What is wrong, by constraint, the worst first; then whom it concerns most; then the last line of the score.
std::string explainFindings(const Examination& examination);

}    // namespace timetabling
