#include <ferry/connector/message/state/RegionSnapshots.hpp>

#include <cstddef>

#include <ferry/connector/message/state/insist.hpp>

namespace ferry::detail {

namespace {

// A rank is ahead of another by a few regions. Damaged letters alone bring more notices than this limit.
constexpr std::size_t maxFailureNotices = 1024;

}    // namespace

void RegionSnapshots::save(const Place& place) {
    insist([&] {
        Snapshot snapshot{place, regions_.save(), {}};
        for (const auto& save : saves_) snapshot.restores.push_back(save());
        snapshots_.push_back(std::move(snapshot));
    });
}

void RegionSnapshots::forget(const Place& place) {
    if (isLast(place)) snapshots_.pop_back();
    forgetOldNotices();
}

void RegionSnapshots::restore(const Place& place) {
    if (!isLast(place)) return;
    const Snapshot snapshot = std::move(snapshots_.back());
    snapshots_.pop_back();
    insist([&] { regions_.restore(snapshot.regions); });
    for (const FailureNotice& notice : notices_) insist([&] { regions_.noteFailure(notice.region, notice.rank); });
    for (const auto& bringBack : snapshot.restores) insist(bringBack);
    forgetOldNotices();
}

void RegionSnapshots::keep(FailureNotice notice) {
    forgetOldNotices();
    if (notices_.size() < maxFailureNotices) notices_.push_back(std::move(notice));
}

void RegionSnapshots::forgetOldNotices() {
    if (!snapshots_.empty()) return;
    dropNotices([this](const FailureNotice& notice) { return !comesBefore(regions_.last(), notice.region); });
}

}    // namespace ferry::detail
