#pragma once

#include <cstdint>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Score.hpp>

namespace timetabling::curriculum {

/// Returns the violations of the rules of OwnRules that have a weight.
/// 'isPlaced' has a row for each course, with a 1 for each period in which the course has a lecture.
std::vector<Violation> findOwnRuleViolations(const Problem& problem, const std::vector<std::uint8_t>& isPlaced);

/// Describes such a violation in words.
std::string describeOwnRule(const Problem& problem, const Violation& violation);

}    // namespace timetabling::curriculum
