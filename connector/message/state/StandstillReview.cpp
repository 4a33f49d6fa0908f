#include <ferry/connector/message/state/StandstillReview.hpp>

#include <utility>

namespace ferry::detail {

void StandstillReview::beginRound() { before_ = std::exchange(reports_, std::vector<std::optional<StillnessReport>>(rankCount_)); }

void StandstillReview::beginAnew() {
    beginRound();
    before_.clear();
}

void StandstillReview::add(int rank, StillnessReport report) {
    reports_.resize(rankCount_);    // the size is set here because most ranks never ask for reports
    reports_[static_cast<std::size_t>(rank)] = std::move(report);
}

StandstillReview::Finding StandstillReview::judge(const std::vector<bool>& hasLeft) const {
    if (!isComplete(hasLeft)) return Finding::Open;
    if (!isBalanced()) return Finding::Moving;
    return isConfirmed() ? Finding::Stuck : Finding::Unconfirmed;
}

bool StandstillReview::isComplete(const std::vector<bool>& hasLeft) const {
    for (std::size_t rank = 0; rank < rankCount_; ++rank) {
        const bool hasReported = rank < reports_.size() && reports_[rank];
        if (!hasReported && !hasLeft[rank]) return false;
    }
    return true;
}

/// Whether every letter that was sent to a waiting rank has been taken.
bool StandstillReview::isBalanced() const {
    for (std::size_t to = 0; to < reports_.size(); ++to) {
        if (!reports_[to]) continue;
        for (std::size_t from = 0; from < reports_.size(); ++from) {
            const bool isTaken = reports_[from] ? reports_[from]->sent[to] == reports_[to]->taken[from] : reports_[to]->isThrough[from];
            if (!isTaken) return false;
        }
    }
    return true;
}

bool StandstillReview::isConfirmed() const {
    if (before_.empty()) return false;
    for (std::size_t rank = 0; rank < reports_.size(); ++rank) {
        if (reports_[rank].has_value() != before_[rank].has_value()) return false;
        if (reports_[rank] && !reports_[rank]->isSameStillness(*before_[rank])) return false;
    }
    return true;
}

}    // namespace ferry::detail
