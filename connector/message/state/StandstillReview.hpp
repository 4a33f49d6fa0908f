#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <ferry/connector/message/state/StillnessReport.hpp>

namespace ferry::detail {

/// Decides from the reports of the ranks whether any rank can go on. Sends nothing.
///
/// Ranks report at different times, so one round of reports proves nothing. A rank that reported early may have sent a letter to a rank
/// that reported late. The second round begins after the first is complete. It may find every rank in the same wait with the same numbers
/// of letters. Then all ranks stood still at a moment between the rounds. If every letter to a waiting rank was also taken, no letter was
/// under way at that moment (Mattern, four-counter method).
class StandstillReview {
public:
    enum class Finding {
        Open,           ///< not every rank has reported
        Moving,         ///< a letter is under way, or a report is out of date
        Unconfirmed,    ///< no rank can go on, if a second round finds the same
        Stuck,
    };

    explicit StandstillReview(int rankCount) : rankCount_(static_cast<std::size_t>(rankCount)) {}

    /// Begins the next round. It may confirm the round before it.
    void beginRound();
    /// Begins a first round. Earlier rounds do not count.
    void beginAnew();

    void add(int rank, StillnessReport report);

    /// hasLeft: by rank. A rank that has left need not report.
    Finding judge(const std::vector<bool>& hasLeft) const;

    /// The reports of this round, by rank; empty before the first round.
    const std::vector<std::optional<StillnessReport>>& reports() const noexcept { return reports_; }

private:
    bool isComplete(const std::vector<bool>& hasLeft) const;
    bool isBalanced() const;
    bool isConfirmed() const;

    std::size_t rankCount_;
    std::vector<std::optional<StillnessReport>> reports_;    ///< of the present round, by rank
    std::vector<std::optional<StillnessReport>> before_;     ///< the reports of the complete round before it; empty: there is none
};

}    // namespace ferry::detail
