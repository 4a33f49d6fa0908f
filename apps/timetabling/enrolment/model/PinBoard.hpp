#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/search/Matching.hpp>

namespace timetabling::enrolment {

/// Takes pins one after the other and tells what a pin cannot go together with: the instance, or pins before it.
///
/// The events that were taken can be where they are pinned, all together; what they leave to the others is not looked at here.
/// Ownership: refers to the problem, which has to be one without pins.
class PinBoard {
public:
    explicit PinBoard(const Problem& problem);

    /// Takes the pin; or tells in words why it cannot be, and does not take it. The indices have to be in range.
    std::optional<std::string> add(const Pin& pin);

private:
    std::optional<std::string> findContradiction(const Pin& pin) const;

    const Problem& problem_;
    std::vector<Pin> pins_;
    std::vector<Matching> rooms_;    ///< by period
};

}    // namespace timetabling::enrolment
