// The calls between mailboxes of groups and the mailboxes around them.
#include <ferry/connector/message/Mailbox.hpp>

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/message/insist.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

// A rank is ahead of another by a few regions. Damaged letters alone bring more notices than this limit.
constexpr std::size_t maxFailureNotices = 1024;

}    // namespace

Mailbox::Mailbox(GroupTransport& transport, const ObjectFactory& factory)
    : transport_(transport),
      thread_(transport.around()->thread_),
      rank_(transport.rank()),
      factory_(factory),
      regions_(transport.size()),
      standstill_(*this, transport.size()),
      hasLeft_(static_cast<std::size_t>(transport.size()), false),
      group_(&transport),
      bornIn_(regionsAround()) {
    joinAround();
}

Mailbox::~Mailbox() {
    if (Mailbox* mailbox = around()) std::erase(mailbox->inner_, this);
    for (Mailbox* inner : inner_) inner->loseAround();
}

/// Takes over the letters that came for the group before this rank made it.
void Mailbox::joinAround() {
    Mailbox& mailbox = *around();
    mailbox.inner_.reserve(mailbox.inner_.size() + 1);
    const auto isOwn = [this](const Letter& letter) {
        return letter.envelope.kind == MessageKind::Group && letter.envelope.key == group_->id();
    };
    const auto takeOver = [&](LetterQueue& letters, Channel channel) {
        letters.handOver(isOwn, [&](Letter&& letter) {
            try {
                group_->give(channel, letter);
            } catch (const std::bad_alloc&) {
                throw;
            } catch (...) {
                throwSoon(std::current_exception());
            }
        });
    };
    takeOver(mailbox.arrived_, Channel::Data);
    takeOver(mailbox.unhandled_, Channel::Control);
    takeInControl();
    mailbox.inner_.push_back(this);
}

void Mailbox::loseAround() {
    group_->forgetAround();
    stop(std::make_exception_ptr(UsageError("the connector from which this one was split off has ended")));
}

Mailbox& Mailbox::outermost() noexcept { return around() != nullptr ? around()->outermost() : *this; }

const Mailbox& Mailbox::outermost() const noexcept { return around() != nullptr ? std::as_const(*around()).outermost() : *this; }

int Mailbox::rankInJob(int rank) const noexcept { return around() != nullptr ? around()->rankInJob(group_->rankAround(rank)) : rank; }

Awaited Mailbox::inJob(Awaited awaited) const {
    if (around() == nullptr) return awaited;
    for (int& rank : awaited.ranks) rank = rankInJob(rank);
    awaited.what += fmt::format(", counted in group {} of {} ranks", group_->id(), transport_.size());
    return awaited;
}

const WaitLimit& Mailbox::limit() const noexcept {
    if (around() == nullptr || around()->limit().until >= limit_.until) return limit_;
    return around()->limit();
}

bool Mailbox::hasLeft(int rank) const noexcept {
    if (hasLeft_[static_cast<std::size_t>(rank)]) return true;
    return around() != nullptr && around()->hasLeft(group_->rankAround(rank)) && !group_->holdsFrom(rank);
}

int Mailbox::leftCount() const noexcept {
    if (around() == nullptr || outermost().leftCount_ == 0) return leftCount_;
    int count = 0;
    for (int rank = 0; rank < transport_.size(); ++rank) count += hasLeft(rank) ? 1 : 0;
    return count;
}

void Mailbox::setNextGroup(std::int32_t id) {
    nextGroup_ = std::max(nextGroup_, id);
    const auto isLate = [this](const Letter& letter) {
        return letter.envelope.kind == MessageKind::Group && letter.envelope.key < nextGroup_;
    };
    arrived_.removeIf(isLate);
    unhandled_.removeIf(isLate);
}

/// Gives the letter to its group. False when this rank may still make the group.
bool Mailbox::giveToGroup(Channel channel, const Letter& letter) {
    const auto inner =
        std::find_if(inner_.begin(), inner_.end(), [&letter](const Mailbox* one) { return one->group_->id() == letter.envelope.key; });
    if (inner == inner_.end()) return letter.envelope.key < nextGroup_;
    (*inner)->group_->give(channel, letter);
    if (channel == Channel::Control) (*inner)->tryTakeInControl();
    return true;
}

void Mailbox::takeInControl() {
    isBehind_ = true;
    if (untaken_ && untaken_->channel == Channel::Control) takeInAgain();
    while (std::optional<Packet> packet = group_->takeControl()) takeIn(std::move(*packet));
    isBehind_ = false;
}

/// Takes in the control letters of the group. Without memory a later step does it: the letters belong to the group already.
void Mailbox::tryTakeInControl() {
    try {
        takeInControl();
    } catch (const std::bad_alloc&) {}
}

void Mailbox::enterRegion() {
    std::vector<Mailbox*>& owners = outermost().regionOwners_;
    insist([&] { owners.reserve(owners.size() + 1); });
    insist([this] { regions_.enter(); });    // without memory this rank would miss the end, where the others wait
    owners.push_back(this);
    for (Mailbox* inner : inner_) inner->save(*this, regions_.innermost());
}

void Mailbox::leaveRegion() {
    const std::int32_t region = regions_.innermost();
    regions_.leave();
    outermost().regionOwners_.pop_back();
    for (Mailbox* inner : inner_) inner->forgetSaved(*this, region);
}

void Mailbox::requireOwnRegion() const {
    const std::vector<Mailbox*>& owners = outermost().regionOwners_;
    if (owners.empty()) return;
    for (const Mailbox* mailbox = this; mailbox != nullptr; mailbox = mailbox->around()) {
        if (mailbox == owners.back()) return;
    }
    throw UsageError(
        "inside a guarded region of a group, ranks outside of it cannot be called together: some of them are not in the region");
}

bool Mailbox::hasAroundFailed() const noexcept {
    const Mailbox* mailbox = around();
    return mailbox != nullptr && (mailbox->regions_.hasAnyFailed() || mailbox->hasAroundFailed());
}

bool Mailbox::isUnwinding() const noexcept {
    const std::vector<Mailbox*>& owners = outermost().regionOwners_;
    return !owners.empty() && owners.back()->regions_.isUnwinding();
}

bool Mailbox::failIfUnwinding() {
    if (!isUnwinding()) return false;
    outermost().regionOwners_.back()->failRegion();
    return true;
}

std::vector<std::int32_t> Mailbox::regionsAround() const {
    return around() != nullptr ? around()->regionPath() : std::vector<std::int32_t>();
}

std::vector<std::int32_t> Mailbox::regionPath() const {
    std::vector<std::int32_t> regions{regions_.innermost()};
    for (const Mailbox* mailbox = around(); mailbox != nullptr; mailbox = mailbox->around())
        regions.push_back(mailbox->regions_.innermost());
    return regions;
}

/// Letters sent from now on belong to these regions, of this mailbox and those around; none: to the regions that the rank is in.
void Mailbox::setStamps(std::span<const std::int32_t> regions) {
    stamp_ = regions.empty() ? std::nullopt : std::optional(regions.front());
    if (around() != nullptr) around()->setStamps(regions.empty() ? regions : regions.subspan(1));
}

bool Mailbox::areOver(std::span<const std::int32_t> regions) const noexcept {
    const Mailbox* mailbox = this;
    for (const std::int32_t region : regions) {
        if (mailbox == nullptr) return false;
        if (mailbox->regions_.isOver(region)) return true;
        mailbox = mailbox->around();
    }
    return false;
}

void Mailbox::save(const Mailbox& mailbox, std::int32_t region) {
    insist([&] {
        Snapshot snapshot{&mailbox, region, regions_.save(), {}};
        for (const auto& save : saves_) snapshot.restores.push_back(save());
        snapshots_.push_back(std::move(snapshot));
    });
    for (Mailbox* inner : inner_) inner->save(mailbox, region);
}

/// Forgets what was saved when the region began. A group that was made in the region has nothing saved.
void Mailbox::forgetSaved(const Mailbox& mailbox, std::int32_t region) {
    if (!snapshots_.empty() && snapshots_.back().mailbox == &mailbox && snapshots_.back().region == region) snapshots_.pop_back();
    forgetOldNotices();
    for (Mailbox* inner : inner_) inner->forgetSaved(mailbox, region);
}

/// Undoes what happened in a failed region of a mailbox around, on all ranks of the group.
void Mailbox::restore(const Mailbox& mailbox, std::int32_t region) {
    const auto isOver = [this](const auto& one) { return around()->areOver(one.regionsAround); };
    group_->dropFailed();
    arrived_.removeIf(isOver);
    unhandled_.removeIf(isOver);
    forgetExpected(isOver);
    std::erase_if(failures_, isOver);
    std::erase_if(failureNotices_, isOver);
    if (around()->areOver(stoppedIn_)) stopReason_ = nullptr;
    if (!snapshots_.empty() && snapshots_.back().mailbox == &mailbox && snapshots_.back().region == region) {
        const Snapshot snapshot = std::move(snapshots_.back());
        snapshots_.pop_back();
        insist([&] { regions_.restore(snapshot.regions); });
        for (const FailureNotice& notice : failureNotices_) insist([&] { regions_.noteFailure(notice.region, notice.rank); });
        for (const auto& bringBack : snapshot.restores) insist(bringBack);
        forgetOldNotices();
    }
    if (around()->areOver(bornIn_))
        stop(
            std::make_exception_ptr(UsageError("this connector was split off in a guarded region that has failed: not all ranks have it")));
    for (Mailbox* inner : inner_) inner->restore(mailbox, region);
}

void Mailbox::stop(std::exception_ptr reason, std::vector<std::int32_t> regionsAround) {
    if (stopReason_) return;
    stopReason_ = std::move(reason);
    stoppedIn_ = std::move(regionsAround);
}

/// The notices of one region may come from ranks that have left a failed region around it, and from ranks that have not.
void Mailbox::noteRegionFailed(const Letter& letter) {
    regions_.noteFailure(letter.envelope.number, letter.from);
    if (group_ == nullptr) return;
    forgetOldNotices();
    if (failureNotices_.size() < maxFailureNotices) failureNotices_.push_back({letter.regionsAround, letter.envelope.number, letter.from});
}

void Mailbox::forgetOldNotices() {
    if (!snapshots_.empty()) return;
    std::erase_if(failureNotices_, [this](const FailureNotice& notice) { return !comesBefore(regions_.last(), notice.region); });
}

/// Throws the exceptions that must wake a wait of the mailbox around.
void Mailbox::throwDueInside() {
    throwFailures();
    regions_.throwIfFailed();
    for (Mailbox* inner : inner_) inner->throwDueInside();
}

/// Moves on the background work of this mailbox and of its groups. So a rank that waits in one mailbox moves on all work inside it.
bool Mailbox::moveAllBackground() {
    if (isBehind_) [[unlikely]] {
        takeInControl();
    }
    bool hasMoved = !background_.empty() && !isInBackground() && moveBackground();
    for (Mailbox* inner : inner_) hasMoved = inner->moveAllBackground() || hasMoved;
    return hasMoved;
}

bool Mailbox::hasUnsentBackground() const noexcept {
    const auto isUnsent = [](const UnderWay& underWay) { return underWay.work != nullptr && underWay.work->hasUnsent(); };
    return std::any_of(background_.begin(), background_.end(), isUnsent) ||
           std::any_of(inner_.begin(), inner_.end(), [](const Mailbox* inner) { return inner->hasUnsentBackground(); });
}

}    // namespace ferry
