#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>

namespace timetabling::curriculum {

/// Collects pins one after the other. Reports a pin that contradicts the instance or an earlier pin.
///
/// Does not detect contradictions of more than two pins; findInfeasibility() may detect them.
/// Ownership: refers to the problem. The pins of the problem itself are ignored.
class PinBoard {
public:
    explicit PinBoard(const Problem& problem);

    /// Adds the pin. When the pin is impossible, returns the reason in words and does not add it. The indices have to be in range.
    std::optional<std::string> add(const Pin& pin);

private:
    std::optional<std::string> findContradiction(const Pin& pin) const;

    const Problem& problem_;
    std::vector<int> pinnedLectures_;            ///< indexed by course
    std::vector<std::vector<int>> coursesIn_;    ///< indexed by period
    std::set<std::pair<int, int>> roomsInPeriods_;
};

}    // namespace timetabling::curriculum
