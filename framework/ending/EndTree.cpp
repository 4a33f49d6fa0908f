#include <ferry/framework/ending/EndTree.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>

#include <fmt/format.h>

#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/state/insist.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry::detail {

namespace {

constexpr int leastRanks = 8;
constexpr int leastRanksOfFailedJob = 32;
constexpr std::chrono::milliseconds mostPatience{250};
constexpr int patiencesInGrace = 8;
constexpr std::int32_t keyOfOneLeft = 0;    // the key of a Left of one rank

bool contains(const std::vector<int>& ranks, int rank) { return std::find(ranks.begin(), ranks.end(), rank) != ranks.end(); }

}    // namespace

EndTree::EndTree(Mailbox& mailbox, int size, std::chrono::milliseconds grace)
    : mailbox_(mailbox),
      rank_(mailbox.transport().rank()),
      size_(size),
      patience_(std::min(grace / patiencesInGrace, mostPatience)),
      place_(rank_ < size ? placeInTree(rank_, size, 0) : TreePlace()) {}

bool EndTree::isWorthwhile(bool hasFailed) const {
    return rank_ < size_ && size_ >= (hasFailed ? leastRanksOfFailedJob : leastRanks) && !mailbox_.departures().hasLosses();
}

bool EndTree::hasManyRanks() const noexcept { return size_ >= leastRanks; }

/// The rank and all ranks below it. In the tree, they are neighbours.
std::vector<int> EndTree::below(int rank) const {
    const int count = std::min(rank & -rank, size_ - rank);
    std::vector<int> ranks(static_cast<std::size_t>(count));
    std::iota(ranks.begin(), ranks.end(), rank);
    return ranks;
}

void EndTree::say(int to, std::int32_t key, std::int32_t number) {
    insist([&] { mailbox_.post(to, Channel::Control, Envelope{MessageKind::Left, key, number}, [](IntWriter&) {}); });
}

void EndTree::sayBelowLeft(int to, int root) {
    std::vector<std::int32_t> alone;
    insist([&] {
        alone.clear();
        const auto isBelowRoot = [root](int rank) { return rank >= root && rank < root + (root & -root); };
        std::copy_if(alone_.begin(), alone_.end(), std::back_inserter(alone), isBelowRoot);
    });
    const Envelope envelope{MessageKind::Left, belowLeft, root};
    insist([&] { mailbox_.post(to, Channel::Control, envelope, [&alone](IntWriter& out) { out << alone; }); });
}

void EndTree::pump(const std::function<bool()>& condition) { mailbox_.pumpUntil(condition, deadline()); }

void EndTree::stop(std::int32_t status, const std::string& reason) {
    isInUse_ = true;
    for (const int child : place_.children) {
        const auto post = [&] {
            mailbox_.post(child, Channel::Control, Envelope{MessageKind::Stop, stopBelow, status}, [&](IntWriter& out) { out << reason; });
        };
        ifMemory([&post] { insist(post); });    // the master tells those who have not left
    }
}

void EndTree::takeStop(const Letter& letter) {
    if (isInUse_) return;
    IntReader in(letter.body());
    std::string reason;
    in >> reason;
    stop(letter.envelope.number, reason);
}

std::vector<int> EndTree::leftBy(const Letter& letter) const {
    const int root = letter.envelope.number;
    if (root < 1 || root >= size_)
        throw SerializationError(fmt::format("rank {} says that the ranks from {} on have left, of {} ranks", letter.from, root, size_));
    std::vector<int> ranks = below(root);
    const std::vector<std::int32_t> alone = readAlone(letter, ranks.size());
    std::erase_if(ranks, [&alone](int rank) { return contains(alone, rank); });
    return ranks;
}

/// The ranks in the letter that tell the master themselves that they have left. mostRanks: the greatest number that there can be.
std::vector<std::int32_t> EndTree::readAlone(const Letter& letter, std::size_t mostRanks) {
    IntReader in(letter.body());
    std::vector<std::int32_t> alone;
    in >> alone;
    if (alone.size() > mostRanks)
        throw SerializationError(fmt::format("rank {} names {} ranks that leave alone, of {}", letter.from, alone.size(), mostRanks));
    return alone;
}

void EndTree::noteBelowLeft(const Letter& letter) {
    const int child = letter.envelope.number;
    if (!contains(place_.children, child))
        throw SerializationError(fmt::format("rank {} is not below rank {} in the tree of {} ranks", child, rank_, size_));
    if (contains(left_, child)) return;
    const std::vector<std::int32_t> alone = readAlone(letter, below(child).size());
    insist([&] {
        alone_.reserve(alone_.size() + alone.size());
        left_.reserve(left_.size() + 1);
    });
    alone_.insert(alone_.end(), alone.begin(), alone.end());
    left_.push_back(child);
    if (leaving_ == Leaving::Alone) sayBelowLeft(0, child);
}

void EndTree::leave(bool tellsMaster, const std::function<bool()>& isOver) {
    const auto haveAllLeft = [this] { return left_.size() == place_.children.size(); };
    const auto isAnyLost = [this] {
        return std::any_of(place_.children.begin(), place_.children.end(), [this](int child) { return isLost(child); });
    };
    pump([&] { return isOver() || haveAllLeft() || isAnyLost(); });
    if (!haveAllLeft()) {
        if (!tellsMaster) say(0, keyOfOneLeft, exitStatus::success);
        return leaveAround();
    }
    leaving_ = Leaving::WithAllBelow;
    if (tellsMaster) insist([this] { alone_.push_back(rank_); });
    sayBelowLeft(place_.parent, rank_);
}

void EndTree::leaveAround() {
    leaving_ = Leaving::Alone;
    for (const int child : left_) sayBelowLeft(0, child);
}

void EndTree::tellMaster() {
    if (leaving_ == Leaving::WithAllBelow) sayBelowLeft(0, rank_);
}

}    // namespace ferry::detail
