#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/search/Matching.hpp>

namespace timetabling::enrolment {

/// Collects pins one after the other. Reports a pin that contradicts the instance or earlier pins.
///
/// The pinned events fit together at their places. Does not check which places they leave to the other events.
/// Ownership: refers to the problem, which must not have pins of its own.
class PinBoard {
public:
    explicit PinBoard(const Problem& problem);

    /// Adds the pin. When the pin is impossible, returns the reason in words and does not add it. The indices have to be in range.
    std::optional<std::string> add(const Pin& pin);

private:
    std::optional<std::string> findContradiction(const Pin& pin) const;

    const Problem& problem_;
    std::vector<Pin> pins_;
    std::vector<Matching> rooms_;    ///< indexed by period
};

}    // namespace timetabling::enrolment
