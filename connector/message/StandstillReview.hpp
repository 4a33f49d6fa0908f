#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <ferry/connector/message/StillnessReport.hpp>

namespace ferry {

/// Decides from what the ranks report whether any of them can go on. Moves nothing.
///
/// Ranks report at different times, so that one round of reports proves nothing: a letter may have been sent by a rank that reported early,
/// to one that reported late. When a second round, which was asked for after the first was complete, finds every rank in the same wait with
/// the same numbers of letters, then all ranks stood still at the moment between, and where every letter that was sent to one of them had
/// also been taken, none was under way (Mattern, four-counter method).
class StandstillReview {
public:
    enum class Finding {
        Open,           ///< not every rank has reported
        Moving,         ///< a letter is under way, or a report is out of date
        Unconfirmed,    ///< nothing moves, if a second round finds the same
        Stuck,
    };

    explicit StandstillReview(int rankCount) : rankCount_(static_cast<std::size_t>(rankCount)) {}

    /// The next round; it may confirm what the one before it has found.
    void beginRound();
    /// The next round; what was found before does not count.
    void beginAnew();

    void add(int rank, StillnessReport report);

    /// hasLeft: by rank; who has left need not report.
    Finding judge(const std::vector<bool>& hasLeft) const;

    /// By rank; empty before the first.
    const std::vector<std::optional<StillnessReport>>& reports() const noexcept { return reports_; }

private:
    bool isComplete(const std::vector<bool>& hasLeft) const;
    bool isBalanced() const;
    bool isConfirmed() const;

    std::size_t rankCount_;
    std::vector<std::optional<StillnessReport>> reports_;    ///< of this round
    std::vector<std::optional<StillnessReport>> before_;     ///< of a complete round before; empty: none
};

}    // namespace ferry
