#include <ferry/framework/ending/ReleaseTree.hpp>

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/message/state/insist.hpp>
#include <ferry/framework/ending/sayLeft.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry::detail {

namespace {

constexpr int leastRanksOfTree = 8;
constexpr int patiencesOfRoot = 8;    // the root waits longer for the last answers: without them a rank could be forgotten

bool holds(const std::vector<int>& ranks, int rank) { return std::find(ranks.begin(), ranks.end(), rank) != ranks.end(); }

}    // namespace

ReleaseTree::ReleaseTree(Mailbox& mailbox, int size, std::chrono::milliseconds patience)
    : mailbox_(mailbox),
      rank_(mailbox.transport().rank()),
      size_(size),
      patience_(patience),
      living_(size) {}

bool ReleaseTree::hasManyRanks() const noexcept { return size_ >= leastRanksOfTree; }

void ReleaseTree::sayRelease(int to, std::int32_t key) {
    const Envelope envelope{MessageKind::Left, key, status_};
    insist([&] { mailbox_.post(to, Channel::Control, envelope, [this](IntWriter& out) { out << living_.lost(); }); });
}

/// Takes a place in the tree of these ranks.
void ReleaseTree::enter(LivingRanks living) {
    place_ = insist([&] { return living.placeOf(rank_); });
    living_ = std::move(living);
    root_ = living_.root();
    released_.clear();
    isHandedOn_ = false;
    isAwaited_ = false;
}

void ReleaseTree::begin(std::int32_t status) {
    status_ = status;
    enter(insist([&] { return LivingRanks::of(mailbox_.departures(), size_); }));
    isHandedOn_ = true;
    for (const int child : place_.children) sayRelease(child, release);
}

void ReleaseTree::take(const Letter& letter) {
    IntReader in(letter.body());
    LivingRanks living = LivingRanks::read(in, size_, rank_, letter.from);
    in.expectEnd();
    const int root = living.root();
    if (root > root_) {
        status_ = letter.envelope.number;
        enter(std::move(living));
    }
    if (letter.envelope.key == releaseAlone) return sayLeft(mailbox_, letter.from, belowReleased, root_);
    if (isHandedOn_ || root != root_) return;
    isHandedOn_ = true;
    for (const int child : place_.children) sayRelease(child, release);
}

void ReleaseTree::noteBelowReleased(const Letter& letter) {
    if (letter.envelope.number != root_ || holds(released_, letter.from)) return;    // an answer to a former root says nothing
    insist([&] { released_.push_back(letter.from); });
}

bool ReleaseTree::isDone(int rank) const { return holds(released_, rank) || isLost(rank); }

bool ReleaseTree::await(const std::vector<int>& ranks, std::chrono::milliseconds time) {
    const int root = root_;
    const auto areDone = [&] { return std::all_of(ranks.begin(), ranks.end(), [this](int rank) { return isDone(rank); }); };
    mailbox_.pumpUntil([&] { return root_ != root || isLost(root) || areAllReleased_ || areDone(); }, mailbox_.transport().now() + time);
    return root_ == root && areDone();
}

/// The ranks below children that have not answered, without those that are lost or have answered themselves.
std::vector<int> ReleaseTree::silentBelow(const std::vector<int>& children, const std::vector<int>& answered) const {
    return insist([&] {
        std::vector<int> silent;
        for (const int child : children) {
            if (holds(answered, child)) continue;
            for (const int rank : living_.from(child)) {
                if (!holds(answered, rank) && !isLost(rank)) silent.push_back(rank);
            }
        }
        return silent;
    });
}

void ReleaseTree::awaitBelow() {
    if (!isHandedOn_ || std::exchange(isAwaited_, true)) return;
    const int root = root_;
    const std::vector<int> children = place_.children;
    await(children, patience_);
    if (root_ != root) return;
    const std::vector<int> around = silentBelow(children, released_);
    for (const int rank : around) sayRelease(rank, releaseAlone);
    const bool areDone = await(around, rank_ == root ? patiencesOfRoot * patience_ : patience_);
    // Without this word the ranks above go around this one, too: it may die before its letters have arrived.
    if (areDone && rank_ != root_) sayLeft(mailbox_, place_.parent, belowReleased, root_);
    mailbox_.pumpUntil([this] { return mailbox_.transport().pendingSends() == 0; }, mailbox_.transport().now() + patience_);
}

void ReleaseTree::tellAll() {
    areAllReleased_ = true;
    for (const int child : place_.children) {
        if (holds(released_, child) && !isLost(child)) {
            sayLeft(mailbox_, child, allReleased);
            continue;
        }
        for (const int rank : living_.from(child)) sayLeft(mailbox_, rank, allReleased);
    }
}

void ReleaseTree::noteAll(const Letter& letter) {
    if (isReleased() && !areAllReleased_) tellAll();
    if (areAllReleased_ && letter.envelope.number != 0) sayLeft(mailbox_, letter.from, allHeard);
}

void ReleaseTree::noteHeard(const Letter& letter) {
    if (holds(heard_, letter.from)) return;
    insist([&] { heard_.push_back(letter.from); });
}

bool ReleaseTree::awaitHeard(const std::vector<int>& ranks) {
    const auto haveHeard = [&] {
        return std::all_of(ranks.begin(), ranks.end(), [this](int rank) { return holds(heard_, rank) || isLost(rank); });
    };
    return mailbox_.pumpUntil(haveHeard, mailbox_.transport().now() + patience_);
}

void ReleaseTree::awaitHeard() {
    if (!areAllReleased_ || !mailbox_.transport().survivesLosses()) return;
    const std::vector<int> children = place_.children;
    awaitHeard(children);
    const std::vector<int> around = silentBelow(children, heard_);
    for (const int rank : around) sayLeft(mailbox_, rank, allReleased, 1);
    awaitHeard(around);
    if (place_.parent >= 0) sayLeft(mailbox_, place_.parent, allHeard);
}

}    // namespace ferry::detail
