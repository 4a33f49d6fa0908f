#include <ferry/connector/message/Departures.hpp>

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/state/Regions.hpp>
#include <ferry/connector/message/state/Remarks.hpp>
#include <ferry/connector/message/state/Standstill.hpp>
#include <ferry/connector/message/state/insist.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>

namespace ferry::detail {

namespace {

/// The groups of a mailbox lose the rank without a letter of their own.
void beginSearchesAnew(Mailbox& mailbox) noexcept {
    mailbox.standstill().noteGone();
    for (Mailbox* inner : mailbox.nest().inside()) beginSearchesAnew(*inner);
}

}    // namespace

Departures::Departures(Mailbox& mailbox, const Transport& transport, bool isOfGroup)
    : mailbox_(mailbox),
      rank_(transport.rank()),
      isOfGroup_(isOfGroup),
      hasLeft_(static_cast<std::size_t>(transport.size()), false) {}

void Departures::sayFarewell() {
    for (int rank = 0; rank < mailbox_.transport().size(); ++rank) {
        if (rank != rank_) sayFarewellTo(rank);
    }
}

/// The farewell goes on the data channel. So it arrives behind all data letters of this rank.
void Departures::sayFarewellTo(int rank) {
    insist([&] {
        const Envelope farewell{MessageKind::Left, 0, mailbox_.standstill().countWithNextTo(rank)};
        mailbox_.postNow(rank, mailbox_.pack(farewell, [](IntWriter&) {}));
    });
}

void Departures::noteFarewell(const Letter& letter) {
    mailbox_.standstill().noteFarewell(letter.from, letter.envelope.number);
    leaving_.push_back(letter.from);
    noteWhoHasLeft();
}

/// Notes the ranks that have said farewell and whose letters are all here.
void Departures::noteWhoHasLeft() {
    std::erase_if(leaving_, [this](int rank) {
        if (!mailbox_.standstill().hasAllOf(rank)) return false;
        noteGone(rank);
        return true;
    });
}

void Departures::noteGone(int rank) noexcept {
    std::vector<bool>::reference hasLeft = hasLeft_[static_cast<std::size_t>(rank)];
    if (hasLeft) return;
    mailbox_.regions().noteGone(rank);
    ++leftCount_;
    hasLeft = true;
    beginSearchesAnew(mailbox_);
}

bool Departures::hasLeft(int rank) const noexcept {
    if (hasLeft_[static_cast<std::size_t>(rank)]) return true;
    const GroupNest& nest = mailbox_.nest();
    if (nest.around() == nullptr) return false;
    return nest.around()->departures().hasLeft(nest.group()->rankAround(rank)) && !nest.group()->holdsFrom(rank);
}

int Departures::leftCount() const noexcept {
    const GroupNest& nest = mailbox_.nest();
    if (nest.around() == nullptr || nest.outermost().departures().leftCount_ == 0) return leftCount_;
    int count = 0;
    for (int rank = 0; rank < mailbox_.transport().size(); ++rank) count += hasLeft(rank) ? 1 : 0;
    return count;
}

bool Departures::isHopeless(const Filter& filter) const noexcept {
    if (filter.from() != AnyRank) return hasLeft(filter.from());
    const int count = leftCount();
    return count + 1 == mailbox_.transport().size() && count != 0 && ownUnderWay_ == 0;
}

void Departures::throwIfGone(const Filter& filter) {
    if (filter.isOfCollective()) throwIfAnyLost();
    if (filter.from() == AnyRank) throwNewLoss();
    if (!isHopeless(filter)) return;
    if (filter.from() != AnyRank) throwIfLost(filter.from());
    throw RankHasLeft(filter.from(), remarksOn(mailbox_.nest().overlooked(), &filter));
}

const Departures& Departures::outermost() const noexcept { return mailbox_.nest().outermost().departures(); }

std::optional<Loss> Departures::lossOf(int rank) const {
    if (const auto own = losses_.find(rank); own != losses_.end()) return own->second;
    const GroupNest& nest = mailbox_.nest();
    if (nest.around() == nullptr) return std::nullopt;
    const int rankInJob = nest.rankInJob(rank);
    std::optional<Loss> loss = outermost().lossOf(rankInJob);
    if (loss) loss = Loss{rank, fmt::format("(rank {} of the job) {}", rankInJob, loss->reason)};
    return loss;
}

std::optional<Loss> Departures::firstLoss() const {
    if (!mayHaveLosses()) return std::nullopt;
    for (int rank = 0; rank < mailbox_.transport().size(); ++rank) {
        if (std::optional<Loss> loss = lossOf(rank)) return loss;
    }
    return std::nullopt;
}

bool Departures::isAnyLost() const noexcept {
    if (!losses_.empty() || !mayHaveLosses()) return !losses_.empty();
    const GroupNest& nest = mailbox_.nest();
    for (int rank = 0; rank < mailbox_.transport().size(); ++rank) {
        if (outermost().isLost(nest.rankInJob(rank))) return true;
    }
    return false;
}

void Departures::throwLossOf(int rank) const {
    if (const std::optional<Loss> loss = lossOf(rank)) throw LostRank(*loss);
}

void Departures::throwFirstLoss() const {
    if (const std::optional<Loss> loss = firstLoss()) throw LostRank(*loss);
}

void Departures::throwUntoldLoss() {
    if (!outermost().tellsEachLoss_) return;
    for (int rank = 0; rank < mailbox_.transport().size(); ++rank) {
        if (toldLosses_.contains(rank)) continue;
        const std::optional<Loss> loss = lossOf(rank);
        if (!loss) continue;
        LostRank lost(*loss);
        toldLosses_.insert(rank);    // behind all that may lack memory: a loss is told once
        throw lost;
    }
}

void Departures::lose(const Loss& loss) {
    if (isLost(loss.rank)) return;
    std::map<int, Loss> lost{{loss.rank, loss}};
    std::list<Loss> untaken{loss};
    mailbox_.transport().forget(loss.rank);
    // From here on nothing needs memory: a loss that is noted by half would never be noted whole.
    losses_.merge(lost);
    untakenLosses_.splice(untakenLosses_.end(), untaken);
    noteGone(loss.rank);
}

void Departures::tellOthers(const Loss& loss) {
    for (int rank = 0; rank < mailbox_.transport().size(); ++rank) {
        if (rank == rank_ || isLost(rank)) continue;
        insist([&] {
            mailbox_.post(rank, Channel::Control, Envelope{MessageKind::Lost, 0, loss.rank}, [&](IntWriter& out) { out << loss.reason; });
        });
    }
}

void Departures::noteLost(const Letter& letter) {
    Loss loss{letter.envelope.number, {}};
    IntReader in(letter.body(), mailbox_.factory());
    in >> loss.reason;
    in.expectEnd();
    const bool isPossible = loss.rank >= 0 && loss.rank < mailbox_.transport().size() && loss.rank != rank_ && loss.rank != letter.from;
    if (!isPossible)
        throw SerializationError(fmt::format("expected the loss of another rank, found rank {}'s word of rank {}", letter.from, loss.rank));
    lose(loss);
}

std::optional<Loss> Departures::takeLoss() {
    if (untakenLosses_.empty()) return std::nullopt;
    std::optional<Loss> loss = std::move(untakenLosses_.front());
    untakenLosses_.pop_front();
    return loss;
}

void Departures::admitJoined() {
    const int size = mailbox_.transport().size();
    mailbox_.regions().admitJoined(size);
    mailbox_.standstill().admitJoined(size);
    hasLeft_.resize(static_cast<std::size_t>(size), false);
}

void Departures::noteJoined() {
    for (int rank = 1; rank < rank_; ++rank) lose({rank, "is not reached from a rank that has joined later"});
    untakenLosses_.clear();
}

}    // namespace ferry::detail
