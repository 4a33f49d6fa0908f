#include <ferry/connector/message/GroupNest.hpp>

#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/droppedConnectors.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/message/state/MailboxHooks.hpp>
#include <ferry/connector/message/state/OneThread.hpp>
#include <ferry/connector/message/state/Standstill.hpp>
#include <ferry/connector/message/state/TakenInRegions.hpp>
#include <ferry/connector/message/state/insist.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

GroupNest::GroupNest(Mailbox& mailbox, Regions& regions, TakenInRegions& taken, GroupTransport* group)
    : mailbox_(mailbox),
      group_(group),
      snapshots_(regions),
      taken_(taken),
      bornIn_(regionsAround()) {
    if (around() == nullptr) {
        mailbox_.thread().dropped().begin(mailbox_.transport());
        return;
    }
    // Letters that were sent in a failed region are dropped, and do not count in the search for deadlocks.
    onRegionAround([this] { return [this, sent = mailbox_.standstill().sentCounts()] { mailbox_.standstill().restoreSent(sent); }; });
    around()->nest().inside_.push_back(&mailbox);    // the last step: without memory nobody knows the mailbox
}

GroupNest::~GroupNest() {
    destroyAllDropped(mailbox_);
    if (around() != nullptr) std::erase(around()->nest().inside_, &mailbox_);
    for (Mailbox* inner : inside_) inner->nest().loseAround();
    if (group_ == nullptr) endDropping(mailbox_);
}

void GroupNest::loseAround() {
    group_->forgetAround();
    try {
        mailbox_.due().stop(std::make_exception_ptr(UsageError("the connector from which this one was split off has ended")));
    } catch (...) {    // no memory for the text: a destructor calls this function, and the stop counts more than its words
        mailbox_.due().stop(std::current_exception(), {});
    }
}

Mailbox& GroupNest::outermost() const noexcept { return around() != nullptr ? around()->nest().outermost() : mailbox_; }

std::vector<Mailbox*>& GroupNest::owners() const noexcept { return outermost().nest().owners_; }

int GroupNest::rankInJob(int rank) const noexcept {
    return around() != nullptr ? around()->nest().rankInJob(group_->rankAround(rank)) : rank;
}

int GroupNest::jobSize() const noexcept { return outermost().transport().size(); }

Awaited GroupNest::countedIn(const Mailbox& outer, Awaited awaited) const {
    if (&mailbox_ == &outer) return awaited;
    for (const Mailbox* mailbox = &mailbox_; mailbox != &outer; mailbox = mailbox->nest().around()) {
        for (int& rank : awaited.ranks) rank = mailbox->nest().group_->rankAround(rank);
    }
    awaited.what += fmt::format(", counted in group {} of {} ranks", group_->id(), group_->size());
    return awaited;
}

const WaitLimit& GroupNest::limit() const noexcept {
    const WaitLimit& own = limits_->present();
    if (around() == nullptr || around()->nest().limit().until >= own.until) return own;
    return around()->nest().limit();
}

Overlooked GroupNest::overlooked() const {
    Overlooked overlooked{{}, mailbox_.factory(), outermost().hooks().remarkOnWork()};
    overlooked.letters.push_back({mailbox_.arrived()});
    for (Mailbox* outer = around(); outer != nullptr; outer = outer->nest().around())
        overlooked.letters.push_back({outer->arrived(), nullptr, " of the connector from which this one was split off"});
    addInside(overlooked);
    return overlooked;
}

/// Adds the letters of groups, also those that the groups have not taken in yet.
void GroupNest::addInside(Overlooked& overlooked) const {
    for (Mailbox* inner : inside_) {
        overlooked.letters.push_back({inner->arrived(), &inner->nest().group()->waitingData(), " of a connector that was split off"});
        inner->nest().addInside(overlooked);
    }
}

void GroupNest::setNextGroup(std::int32_t id) {
    nextGroup_ = std::max(nextGroup_, id);
    const auto isLate = [this](const Letter& letter) {
        return letter.envelope.kind == MessageKind::Group && letter.envelope.key < nextGroup_;
    };
    mailbox_.arrived().removeIf(isLate);
    mailbox_.hooks().unhandled().removeIf(isLate);
}

void GroupNest::enterRegion() {
    std::vector<Mailbox*>& regionOwners = owners();
    insist([&] { regionOwners.reserve(regionOwners.size() + 1); });
    insist([this] { mailbox_.regions().enter(); });    // without memory this rank would miss the end, where the others wait
    regionOwners.push_back(&mailbox_);
    const RegionSnapshots::Place place{&mailbox_, mailbox_.regions().innermost()};
    for (Mailbox* inner : inside_) inner->nest().saveAt(place);
}

void GroupNest::leaveRegion() {
    const RegionSnapshots::Place place{&mailbox_, mailbox_.regions().innermost()};
    mailbox_.regions().leave();
    owners().pop_back();
    for (Mailbox* inner : inside_) inner->nest().forgetSaved(place);
}

void GroupNest::leaveFailedRegion(std::int32_t last, std::int32_t clock) {
    Regions& regions = mailbox_.regions();
    const RegionSnapshots::Place place{&mailbox_, regions.innermost()};
    insist([&] { regions.leaveFailed(last, clock); });
    owners().pop_back();
    const auto isOver = [&regions](const Letter& letter) { return regions.isOver(letter.envelope.region); };
    mailbox_.arrived().drop(isOver);
    mailbox_.due().forget([&regions](const DueFailures::Due& failure) { return regions.isOver(failure.region); });
    mailbox_.hooks().unhandled().removeIf(isOver);
    for (Mailbox* inner : inside_) inner->nest().restore(place);
}

void GroupNest::failRegion() {
    Regions& regions = mailbox_.regions();
    if (regions.hasInnermostFailed()) return;
    const std::int32_t region = regions.innermost();
    const int own = mailbox_.transport().rank();
    regions.noteFailure(region, own);
    for (int rank = 0; rank < mailbox_.transport().size(); ++rank) {
        if (rank == own) continue;
        insist([&] { mailbox_.post(rank, Channel::Control, Envelope{MessageKind::RegionFailed, 0, region}, [](IntWriter&) {}); });
    }
}

void GroupNest::noteRegionFailed(const Letter& letter) {
    mailbox_.regions().noteFailure(letter.envelope.number, letter.from);
    if (group_ != nullptr) snapshots_.keep({letter.regionsAround, letter.envelope.number, letter.from});
}

bool GroupNest::hasOuterFailed() const noexcept { return mailbox_.regions().hasOuterFailed() || hasAroundFailed(); }

bool GroupNest::hasAroundFailed() const noexcept {
    return around() != nullptr && (around()->regions().hasAnyFailed() || around()->nest().hasAroundFailed());
}

bool GroupNest::areOver(std::span<const std::int32_t> regions) const noexcept {
    Mailbox* mailbox = &mailbox_;
    for (const std::int32_t region : regions) {
        if (mailbox == nullptr) return false;
        if (mailbox->regions().isOver(region)) return true;
        mailbox = mailbox->nest().around();
    }
    return false;
}

std::vector<std::int32_t> GroupNest::regionsAround() const {
    return around() != nullptr ? around()->nest().regionPath() : std::vector<std::int32_t>();
}

std::vector<std::int32_t> GroupNest::regionPath() const {
    std::vector<std::int32_t> regions;
    for (Mailbox* mailbox = &mailbox_; mailbox != nullptr; mailbox = mailbox->nest().around())
        regions.push_back(mailbox->regions().innermost());
    return regions;
}

bool GroupNest::isUnwinding() const noexcept {
    const std::vector<Mailbox*>& regionOwners = owners();
    return !regionOwners.empty() && regionOwners.back()->regions().isUnwinding();
}

bool GroupNest::failIfUnwinding() {
    if (!isUnwinding()) return false;
    owners().back()->nest().failRegion();
    return true;
}

void GroupNest::requireNoUnwindingInRegion() {
    if (failIfUnwinding()) owners().back()->regions().throwIfFailed();
}

void GroupNest::requireOwnRegion() const {
    const std::vector<Mailbox*>& regionOwners = owners();
    if (regionOwners.empty()) return;
    for (Mailbox* mailbox = &mailbox_; mailbox != nullptr; mailbox = mailbox->nest().around()) {
        if (mailbox == regionOwners.back()) return;
    }
    throw UsageError(
        "a guarded region of a group cannot call a collective of ranks outside of the group: some of these ranks are not in the region");
}

void GroupNest::noteDue(const std::exception_ptr& exception) {
    if (!owners().empty()) owners().back()->regions().noteDue(exception);
}

void GroupNest::saveAt(const RegionSnapshots::Place& place) {
    snapshots_.save(place);
    for (Mailbox* inner : inside_) inner->nest().saveAt(place);
}

void GroupNest::forgetSaved(const RegionSnapshots::Place& place) {
    snapshots_.forget(place);
    std::size_t level = 0;
    Mailbox* outer = around();
    for (; outer != place.mailbox; outer = outer->nest().around()) ++level;
    taken_.moveOut(level, place.region, outer->regions().last(), outer->regions().innermost());
    for (Mailbox* inner : inside_) inner->nest().forgetSaved(place);
}

/// Undoes what happened in a failed region of a mailbox around, on all ranks of the group.
void GroupNest::restore(const RegionSnapshots::Place& place) {
    const auto areOverAround = [this](std::span<const std::int32_t> regions) { return around()->nest().areOver(regions); };
    const auto isOver = [&areOverAround](const auto& one) { return areOverAround(one.regionsAround); };
    group_->dropFailed();
    mailbox_.arrived().drop(isOver);
    mailbox_.hooks().unhandled().removeIf(isOver);
    mailbox_.due().forget(isOver);
    snapshots_.dropNotices(isOver);
    mailbox_.due().forgetStop(areOverAround);
    snapshots_.restore(place);
    taken_.takeBack(areOverAround, [this](int from, std::uint64_t count) { mailbox_.standstill().uncountTaken(from, count); });
    if (areOverAround(bornIn_)) {
        mailbox_.due().stop(
            std::make_exception_ptr(UsageError("this connector was split off in a guarded region that has failed: not all ranks have it")));
    }
    for (Mailbox* inner : inside_) inner->nest().restore(place);
}

}    // namespace ferry::detail
