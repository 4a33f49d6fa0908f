#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>

namespace timetabling::curriculum {

/// Takes pins one after the other and tells what a pin cannot go together with: the instance, or a pin before it.
///
/// What only several pins make impossible together is not seen here; findInfeasibility() may.
/// Ownership: refers to the problem, whose own pins are of no account.
class PinBoard {
public:
    explicit PinBoard(const Problem& problem);

    /// Takes the pin; or tells in words why it cannot be, and does not take it. The indices have to be in range.
    std::optional<std::string> add(const Pin& pin);

private:
    std::optional<std::string> findContradiction(const Pin& pin) const;

    const Problem& problem_;
    std::vector<int> pinnedLectures_;            ///< by course
    std::vector<std::vector<int>> coursesIn_;    ///< by period
    std::set<std::pair<int, int>> roomsInPeriods_;
};

}    // namespace timetabling::curriculum
