#include <ferry/framework/ending/ReleaseTree.hpp>

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/message/state/insist.hpp>
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
      patience_(patience) {}

bool ReleaseTree::hasManyRanks() const noexcept { return size_ >= leastRanksOfTree; }

int ReleaseTree::rankOf(int index) const noexcept {
    int rank = index;
    for (const int lost : lost_) {
        if (lost > rank) break;
        ++rank;
    }
    return rank;
}

int ReleaseTree::indexOf(int rank) const noexcept {
    return rank - static_cast<int>(std::lower_bound(lost_.begin(), lost_.end(), rank) - lost_.begin());
}

/// The child and all ranks below it. In the tree, they are neighbours.
std::vector<int> ReleaseTree::below(int child) const {
    const int index = indexOf(child);
    const int count = std::min(index & -index, size_ - static_cast<int>(lost_.size()) - index);
    std::vector<int> ranks(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) ranks[static_cast<std::size_t>(i)] = rankOf(index + i);
    return ranks;
}

void ReleaseTree::say(int to, std::int32_t key, std::int32_t number) {
    insist([&] { mailbox_.post(to, Channel::Control, Envelope{MessageKind::Left, key, number}, [](IntWriter&) {}); });
}

void ReleaseTree::sayRelease(int to, std::int32_t key) {
    const Envelope envelope{MessageKind::Left, key, status_};
    insist([&] { mailbox_.post(to, Channel::Control, envelope, [this](IntWriter& out) { out << lost_; }); });
}

/// Takes a place in the tree of the ranks that are not lost.
void ReleaseTree::enter(std::vector<std::int32_t> lost) {
    insist([&] {
        const std::vector<std::int32_t> before = std::exchange(lost_, lost);
        try {
            TreePlace place = placeInTree(indexOf(rank_), size_ - static_cast<int>(lost_.size()), 0);
            if (place.parent >= 0) place.parent = rankOf(place.parent);
            for (int& child : place.children) child = rankOf(child);
            place_ = std::move(place);
        } catch (...) {
            lost_ = before;
            throw;
        }
    });
    root_ = rankOf(0);
    released_.clear();
    isHandedOn_ = false;
    isAwaited_ = false;
}

void ReleaseTree::begin(std::int32_t status) {
    status_ = status;
    std::vector<std::int32_t> lost;
    insist([&] {
        lost.clear();
        for (int rank = 0; rank < size_; ++rank) {
            if (isLost(rank)) lost.push_back(rank);
        }
    });
    enter(std::move(lost));
    isHandedOn_ = true;
    for (const int child : place_.children) sayRelease(child, release);
}

std::vector<std::int32_t> ReleaseTree::readLost(const Letter& letter) const {
    IntReader in(letter.body());
    std::vector<std::int32_t> lost;
    in >> lost;
    in.expectEnd();
    const bool isAscending = std::adjacent_find(lost.begin(), lost.end(), std::greater_equal<>()) == lost.end();
    const bool isInRange = lost.empty() || (lost.front() >= 0 && lost.back() < size_);
    const bool isOfOthers = !std::binary_search(lost.begin(), lost.end(), rank_);
    if (!isAscending || !isInRange || !isOfOthers || rank_ >= size_)
        throw SerializationError(fmt::format("expected a list of lost ranks of {}, without rank {}; found another one from rank {}", size_,
                                             rank_, letter.from));
    return lost;
}

void ReleaseTree::take(const Letter& letter) {
    std::vector<std::int32_t> lost = readLost(letter);
    int root = 0;
    while (std::binary_search(lost.begin(), lost.end(), root)) ++root;
    if (root > root_) {
        status_ = letter.envelope.number;
        enter(std::move(lost));
    }
    if (letter.envelope.key == releaseAlone) return say(letter.from, belowReleased, root_);
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

void ReleaseTree::awaitBelow() {
    if (!isHandedOn_ || std::exchange(isAwaited_, true)) return;
    const int root = root_;
    const std::vector<int> children = place_.children;
    await(children, patience_);
    if (root_ != root) return;
    std::vector<int> around;
    insist([&] {
        around.clear();
        for (const int child : children) {
            if (holds(released_, child)) continue;
            for (const int rank : below(child)) {
                if (!isDone(rank)) around.push_back(rank);
            }
        }
    });
    for (const int rank : around) sayRelease(rank, releaseAlone);
    const bool areDone = await(around, rank_ == root ? patiencesOfRoot * patience_ : patience_);
    // Without this word the ranks above go around this one, too: it may die before its letters have arrived.
    if (areDone && rank_ != root_) say(place_.parent, belowReleased, root_);
    mailbox_.pumpUntil([this] { return mailbox_.transport().pendingSends() == 0; }, mailbox_.transport().now() + patience_);
}

void ReleaseTree::tellAll() {
    areAllReleased_ = true;
    for (const int child : place_.children) {
        if (holds(released_, child) && !isLost(child)) {
            say(child, allReleased);
            continue;
        }
        for (const int rank : below(child)) say(rank, allReleased);
    }
}

void ReleaseTree::noteAll() {
    if (isReleased() && !areAllReleased_) tellAll();
}

}    // namespace ferry::detail
