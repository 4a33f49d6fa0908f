#include <ferry/framework/ending/EndTree.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/state/insist.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/ending/sayLeft.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry::detail {

namespace {

constexpr int leastRanks = 8;
constexpr int leastRanksOfFailedJob = 32;
constexpr std::chrono::milliseconds mostPatience{250};
constexpr int patiencesInGrace = 8;
constexpr std::size_t mostStayersToldAlone = 32;
constexpr std::int32_t keyOfOneLeft = 0;    // the key of a Left of one rank

bool contains(const std::vector<int>& ranks, int rank) { return std::find(ranks.begin(), ranks.end(), rank) != ranks.end(); }

}    // namespace

EndTree::EndTree(Mailbox& mailbox, int size, std::chrono::milliseconds grace)
    : mailbox_(mailbox),
      rank_(mailbox.transport().rank()),
      size_(size),
      patience_(std::min(grace / patiencesInGrace, mostPatience)),
      living_(size),
      place_(rank_ < size ? living_.placeOf(rank_) : TreePlace()) {}

bool EndTree::isWorthwhile(bool hasFailed) const { return rank_ < size_ && size_ >= (hasFailed ? leastRanksOfFailedJob : leastRanks); }

bool EndTree::hasManyRanks() const noexcept { return size_ >= leastRanks; }

void EndTree::enter(LivingRanks living) {
    place_ = insist([&] { return living.placeOf(rank_); });
    living_ = std::move(living);
    left_.clear();
    alone_.clear();
    leaving_ = Leaving::NotYet;
    isHeard_ = false;
}

void EndTree::mend() {
    LivingRanks living = insist([this] { return LivingRanks::of(mailbox_.departures(), size_); });
    if (living.lost().size() > lostCount()) enter(std::move(living));
}

bool EndTree::isMended(std::size_t count) const {
    if (lostCount() != count) return true;
    if (!mailbox_.departures().hasLosses()) return false;
    return insist([this] { return LivingRanks::of(mailbox_.departures(), size_).lost().size() > lostCount(); });
}

void EndTree::tellLosses() {
    mend();
    sayLosses();
    tellsEachAt_ = deadline();
}

void EndTree::sayLosses() {
    handedOn_ = lostCount();
    std::vector<std::string> reasons;
    insist([&] {
        reasons.clear();
        for (const int rank : living_.lost()) reasons.push_back(mailbox_.departures().lossOf(rank).value_or(Loss{}).reason);
    });
    for (const int child : place_.children) {
        insist([&] {
            mailbox_.post(child, Channel::Control, Envelope{MessageKind::Left, losses, 0},
                          [&](IntWriter& out) { out << living_.lost() << reasons; });
        });
    }
}

void EndTree::tellLossesTo(const std::vector<int>& ranks) {
    tellsEachAt_ = Clock::time_point::max();
    for (const int lost : living_.lost()) {
        const std::string reason = insist([&] { return mailbox_.departures().lossOf(lost).value_or(Loss{}).reason; });
        for (const int rank : ranks) {
            const Envelope envelope{MessageKind::Lost, 0, lost};
            insist([&] { mailbox_.post(rank, Channel::Control, envelope, [&reason](IntWriter& out) { out << reason; }); });
        }
    }
}

void EndTree::takeLosses(const Letter& letter, const std::function<void(const Loss&)>& lose) {
    IntReader in(letter.body());
    LivingRanks living = LivingRanks::read(in, size_, rank_, letter.from);
    std::vector<std::string> reasons;
    in >> reasons;
    in.expectEnd();
    if (reasons.size() != living.lost().size() || living.isLost(letter.from) || living.isLost(0))
        throw SerializationError(fmt::format("expected {} reasons of losses of other ranks, found {} from rank {}", living.lost().size(),
                                             reasons.size(), letter.from));
    for (std::size_t i = 0; i < reasons.size(); ++i) {
        if (!isLost(living.lost()[i])) insist([&] { lose({living.lost()[i], reasons[i]}); });
    }
    if (living.lost().size() > lostCount()) enter(std::move(living));
    if (lostCount() > handedOn_) sayLosses();
}

void EndTree::sayBelowLeft(int to, int root) {
    std::vector<std::int32_t> alone;
    insist([&] {
        const std::vector<int> ranks = living_.from(root);
        alone.clear();
        std::copy_if(alone_.begin(), alone_.end(), std::back_inserter(alone), [&ranks](int rank) { return contains(ranks, rank); });
    });
    const Envelope envelope{MessageKind::Left, belowLeft, root};
    insist([&] { mailbox_.post(to, Channel::Control, envelope, [&](IntWriter& out) { out << alone << living_.lost(); }); });
}

void EndTree::pump(const std::function<bool()>& condition) { mailbox_.pumpUntil(condition, deadline()); }

void EndTree::stop(std::int32_t status, const std::string& reason) {
    isInUse_ = true;
    if (lostCount() > handedOn_) sayLosses();
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

EndTree::Word EndTree::read(const Letter& letter) const {
    const int root = letter.envelope.number;
    Word word{{}, LivingRanks(size_)};
    IntReader in(letter.body());
    in >> word.alone;
    word.living = LivingRanks::read(in, size_, rank_, letter.from);
    in.expectEnd();
    if (root < 1 || root >= size_ || word.living.isLost(root))
        throw SerializationError(fmt::format("rank {} says that the ranks from {} on have left, of {} ranks", letter.from, root, size_));
    if (const std::size_t most = word.living.from(root).size(); word.alone.size() > most)
        throw SerializationError(fmt::format("rank {} names {} ranks that leave alone, of {}", letter.from, word.alone.size(), most));
    return word;
}

std::vector<int> EndTree::leftBy(const Letter& letter) const {
    const Word word = read(letter);
    std::vector<int> ranks = word.living.from(letter.envelope.number);
    std::erase_if(ranks, [&word](int rank) { return contains(word.alone, rank); });
    return ranks;
}

void EndTree::noteBelowLeft(const Letter& letter) {
    const int child = letter.envelope.number;
    const Word word = read(letter);
    // Ranks that hear of losses earlier, or later, have another tree. After a time the sender tells the master itself.
    if (word.living.lost() != living_.lost()) return;
    if (!contains(place_.children, child))
        throw SerializationError(fmt::format("rank {} is not below rank {} in the tree of {} ranks", child, rank_, living_.count()));
    if (contains(left_, child)) return;
    insist([&] {
        alone_.reserve(alone_.size() + word.alone.size());
        left_.reserve(left_.size() + 1);
    });
    alone_.insert(alone_.end(), word.alone.begin(), word.alone.end());
    left_.push_back(child);
    if (leaving_ == Leaving::Alone) sayBelowLeft(0, child);
}

void EndTree::leave(bool tellsMaster, const std::function<bool()>& isOver) {
    const auto haveAllLeft = [this] { return left_.size() == place_.children.size(); };
    const auto isAnyLost = [this] {
        return std::any_of(place_.children.begin(), place_.children.end(), [this](int child) { return isLost(child); });
    };
    std::size_t count = 0;
    do {
        count = lostCount();
        pump([&] { return isOver() || lostCount() != count || haveAllLeft() || isAnyLost(); });
    } while (lostCount() != count);
    if (!haveAllLeft()) {
        if (!tellsMaster) sayLeft(mailbox_, 0, keyOfOneLeft, exitStatus::success);
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

bool EndTree::askParent() {
    isHeard_ = false;
    if (leaving_ != Leaving::WithAllBelow || place_.parent <= 0 || isLost(place_.parent)) return false;
    sayLeft(mailbox_, place_.parent, askHeard);
    return true;
}

/// A rank has the words of its children only in the tree in which it is. Whoever is in another one gets no answer, and tells the master.
void EndTree::answer(const Letter& letter) {
    if (contains(left_, letter.from)) sayLeft(mailbox_, letter.from, heard);
}

/// tree: the tree along which the word goes; null: the receiver hands it on to nobody.
void EndTree::sayStayers(int to, const std::vector<int>& ranks, const LivingRanks* tree) const {
    const Envelope envelope{MessageKind::Left, stayers, tree == nullptr ? 1 : 0};
    const std::vector<int> none;
    insist([&] {
        mailbox_.post(to, Channel::Control, envelope, [&](IntWriter& out) { out << ranks << (tree == nullptr ? none : tree->lost()); });
    });
}

void EndTree::tellStayers(const std::vector<int>& late) {
    insist([&] {
        const LivingRanks living = LivingRanks::of(mailbox_.departures(), size_);
        std::vector<int> gone;
        std::set_union(living.lost().begin(), living.lost().end(), late.begin(), late.end(), std::back_inserter(gone));
        const LivingRanks tree(size_, std::move(gone));
        for (const int child : tree.placeOf(rank_).children) sayStayers(child, late, &tree);
    });
    // A rank that leaves later says farewell to the other late ones. Where these are many, it tells all ranks.
    for (std::size_t i = 0; i < late.size() && late.size() <= mostStayersToldAlone; ++i) {
        std::vector<int> others = insist([&] { return late; });
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        sayStayers(late[i], others, nullptr);
    }
}

std::vector<int> EndTree::takeStayers(const Letter& letter) const {
    return insist([&] {
        IntReader in(letter.body());
        std::vector<int> ranks = LivingRanks::read(in, size_, rank_, letter.from).lost();
        const LivingRanks tree = LivingRanks::read(in, size_, rank_, letter.from);
        in.expectEnd();
        if (letter.envelope.number != 0) return ranks;
        for (const int child : tree.placeOf(rank_).children) sayStayers(child, ranks, &tree);
        return ranks;
    });
}

}    // namespace ferry::detail
