#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <ferry/connector/message/state/Regions.hpp>

namespace ferry::detail {

class Mailbox;

/// Earlier states of the mailbox of a group. When a guarded region of a mailbox around fails, the mailbox of the group goes back to the
/// state at the beginning of that region. There is one state for each region around that this rank is in.
///
/// Ownership: borrows the regions of the mailbox.
class RegionSnapshots {
public:
    /// A region of a mailbox around.
    struct Place {
        const Mailbox* mailbox = nullptr;
        std::int32_t region = 0;

        friend bool operator==(const Place&, const Place&) = default;
    };
    /// The notice that a region of this mailbox has failed, and the regions of the mailboxes around in which it was sent.
    struct FailureNotice {
        std::vector<std::int32_t> regionsAround{};
        std::int32_t region = 0;
        int rank = -1;
    };

    explicit RegionSnapshots(Regions& regions) noexcept : regions_(regions) {}
    RegionSnapshots(const RegionSnapshots&) = delete;
    RegionSnapshots& operator=(const RegionSnapshots&) = delete;

    /// Sets save(), which is called when a region of a mailbox around begins. save() returns a function that restores the saved state. The
    /// function is called if that region fails.
    void onSave(std::function<std::function<void()>()> save) { saves_.push_back(std::move(save)); }

    /// Saves the state at the beginning of a region around.
    void save(const Place& place);
    /// Forgets the state that was saved last, if that was for this region. A group that was made in the region has none.
    void forget(const Place& place);
    /// Goes back to the state that was saved last, if that was for this region. Notices that were not dropped count again.
    void restore(const Place& place);

    /// Keeps a notice for restore(). The notices of one region may come from ranks that have left a failed region around it, and from ranks
    /// that have not.
    void keep(FailureNotice notice);
    /// Drops the notices for which isOver(FailureNotice) holds.
    template <class IsOver>
    void dropNotices(const IsOver& isOver) {
        std::erase_if(notices_, isOver);
    }

private:
    struct Snapshot {
        Place place;
        Regions::State regions;
        std::vector<std::function<void()>> restores;
    };

    bool isLast(const Place& place) const noexcept { return !snapshots_.empty() && snapshots_.back().place == place; }
    void forgetOldNotices();

    Regions& regions_;
    std::vector<std::function<std::function<void()>()>> saves_;
    std::vector<Snapshot> snapshots_;
    std::vector<FailureNotice> notices_;    ///< since the first snapshot, and of regions that this rank has not entered yet
};

}    // namespace ferry::detail
