#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <ferry/connector/exception/Awaited.hpp>
#include <ferry/connector/message/GroupTransport.hpp>
#include <ferry/connector/message/letter/Deadline.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/message/state/RegionSnapshots.hpp>
#include <ferry/connector/message/state/Remarks.hpp>
#include <ferry/connector/message/state/WaitLimits.hpp>

namespace ferry::detail {

class Mailbox;
class TakenInRegions;

/// The place of a mailbox among the mailboxes of its rank. The mailbox of a group lies inside the mailbox whose letters carry its letters.
/// A guarded region of one mailbox holds for the mailboxes inside it: when the region fails, they go back to their states at its beginning.
/// Only the RegionRunner enters and leaves regions.
///
/// Ownership: is a part of its mailbox, and borrows it, the mailbox around and those inside. A mailbox inside is stopped when its mailbox
/// around ends.
class GroupNest {
public:
    /// regions, taken: those of the mailbox. group: the transport of the mailbox of a group; null for others.
    GroupNest(Mailbox& mailbox, Regions& regions, TakenInRegions& taken, GroupTransport* group);
    GroupNest(const GroupNest&) = delete;
    GroupNest& operator=(const GroupNest&) = delete;
    ~GroupNest();

    /// The mailbox whose letters carry the letters of this one; null: none, or it has ended.
    Mailbox* around() const noexcept { return group_ != nullptr ? group_->around() : nullptr; }
    /// The mailboxes of the groups inside this one.
    const std::vector<Mailbox*>& inside() const noexcept { return inside_; }
    Mailbox& outermost() const noexcept;
    /// The transport of the group; null: this is no mailbox of a group.
    GroupTransport* group() const noexcept { return group_; }

    /// The number of a rank in the outermost mailbox, and the number of its ranks.
    int rankInJob(int rank) const noexcept;
    int jobSize() const noexcept;
    /// The description of a wait, with the numbers that the ranks have in a mailbox around this one.
    Awaited countedIn(const Mailbox& outer, Awaited awaited) const;

    /// The present limit on waits: the earliest of those of this mailbox and the mailboxes around.
    const WaitLimit& limit() const noexcept;
    /// The limits of this mailbox. Only DeadlineScope changes them.
    const std::shared_ptr<WaitLimits>& ownLimits() const noexcept { return limits_; }

    /// The number of the next group: groups made from now on have this number or greater ones.
    std::int32_t nextGroup() const noexcept { return nextGroup_; }
    void setNextGroup(std::int32_t id);

    /// Enters a region of this mailbox.
    void enterRegion();
    /// Leaves the innermost region when it has not failed, or when the ranks cannot meet at its end any more.
    void leaveRegion();
    /// Leaves the innermost region after its failure (Regions::leaveFailed), and drops all letters that were sent in it.
    void leaveFailedRegion(std::int32_t last, std::int32_t clock);
    /// Lets the innermost region fail because of this rank, and tells all other ranks. Does nothing when the region has failed already.
    /// Waits for nothing.
    void failRegion();
    /// Takes in the notice that a region of this mailbox has failed on another rank.
    void noteRegionFailed(const Letter& letter);

    /// Whether a region around the innermost one has failed, in this mailbox or in a mailbox around.
    bool hasOuterFailed() const noexcept;
    /// Whether a region of a mailbox around has failed.
    bool hasAroundFailed() const noexcept;
    /// Whether one of the regions has failed: the first of this mailbox, the others of the mailboxes around, innermost first.
    bool areOver(std::span<const std::int32_t> regions) const noexcept;
    /// The innermost regions of the mailboxes around; regionPath(): that of this mailbox before them.
    std::vector<std::int32_t> regionsAround() const;
    std::vector<std::int32_t> regionPath() const;

    /// Whether an exception is leaving the region that was entered last, of any group. A call made then comes from a destructor.
    bool isUnwinding() const noexcept;
    /// Whether isUnwinding() holds. If so, that region fails.
    bool failIfUnwinding();
    /// While an exception leaves the region entered last, no call may wait: other ranks may already wait for letters that this rank will
    /// never send. In that case the region fails, and RegionFailed is thrown.
    void requireNoUnwinding() {
        if (group_ != nullptr || !owners_.empty()) requireNoUnwindingInRegion();
    }
    /// Checks that a collective of this mailbox may be called in the present region. Errors: UsageError when the region entered last
    /// belongs neither to this mailbox nor to one around it. Then some ranks of this mailbox are not in the region, and a collective of
    /// this mailbox could not end with the region.
    void requireOwnRegion() const;
    /// Notes that the region entered last now throws an exception that was thrown elsewhere.
    void noteDue(const std::exception_ptr& exception);

    /// The letters and the work of this rank that a wait in this mailbox may have overlooked.
    Overlooked overlooked() const;

    /// Sets a function that saves a state of this mailbox's users (RegionSnapshots::onSave).
    void onRegionAround(std::function<std::function<void()>()> save) { snapshots_.onSave(std::move(save)); }

private:
    void requireNoUnwindingInRegion();
    void addInside(Overlooked& overlooked) const;
    void loseAround();
    void saveAt(const RegionSnapshots::Place& place);
    void forgetSaved(const RegionSnapshots::Place& place);
    void restore(const RegionSnapshots::Place& place);
    std::vector<Mailbox*>& owners() const noexcept;

    Mailbox& mailbox_;
    GroupTransport* const group_;
    std::vector<Mailbox*> inside_;
    std::vector<Mailbox*> owners_;    ///< used in the outermost mailbox: owners of the regions that this rank is in, outermost first
    const std::shared_ptr<WaitLimits> limits_ = std::make_shared<WaitLimits>();
    std::int32_t nextGroup_ = 1;
    RegionSnapshots snapshots_;
    TakenInRegions& taken_;
    const std::vector<std::int32_t> bornIn_;    ///< regions of the mailboxes around in which this mailbox was made
};

}    // namespace ferry::detail
