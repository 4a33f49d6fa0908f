// The mailbox and ranks that leave, are lost, or join while the job runs.
#include <ferry/connector/message/Mailbox.hpp>

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/connector/message/insist.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>

namespace ferry {

/// The farewell goes on the data channel. So it arrives behind all data letters of this rank.
void Mailbox::sayFarewell() {
    for (int rank = 0; rank < transport_.size(); ++rank) {
        if (rank == transport_.rank()) continue;
        insist([&] { postNow(rank, pack(Envelope{MessageKind::Left, 0, standstill_.countWithNextTo(rank)}, [](IntWriter&) {})); });
    }
}

void Mailbox::noteFarewell(const Letter& letter) {
    standstill_.noteFarewell(letter.from, letter.envelope.number);
    leaving_.push_back(letter.from);
    noteWhoHasLeft();
}

/// Notes the ranks that have said farewell and whose letters are all here. A control letter may come behind the farewell of its sender.
void Mailbox::noteWhoHasLeft() {
    std::erase_if(leaving_, [this](int rank) {
        if (!standstill_.hasAllOf(rank)) return false;
        noteGone(rank);
        return true;
    });
}

void Mailbox::noteGone(int rank) {
    std::vector<bool>::reference hasLeft = hasLeft_[static_cast<std::size_t>(rank)];
    if (hasLeft) return;
    regions_.noteGone(rank);
    ++leftCount_;
    hasLeft = true;
}

void Mailbox::lose(const Loss& loss) {
    if (isLost(loss.rank)) return;
    losses_.emplace(loss.rank, loss);
    untakenLosses_.push_back(loss);
    noteGone(loss.rank);
    standstill_.setQuietTime(Clock::duration::max());    // letters to the rank are never taken: the search for deadlocks cannot count any
                                                         // more
    transport_.forget(loss.rank);
}

std::optional<Loss> Mailbox::takeLoss() {
    if (untakenLosses_.empty()) return std::nullopt;
    std::optional<Loss> loss = std::move(untakenLosses_.front());
    untakenLosses_.pop_front();
    return loss;
}

void Mailbox::admitJoined() {
    const int size = transport_.size();
    regions_.admitJoined(size);
    standstill_.leaveOut(size);    // the first ranks do not count letters of ranks that joined later
    hasLeft_.resize(static_cast<std::size_t>(size), false);
}

void Mailbox::noteJoined() {
    for (int rank = 1; rank < rank_; ++rank) lose({rank, "is not reached from a rank that has joined later"});
    untakenLosses_.clear();
    standstill_.leaveOut(transport_.size());
}

/// Takes in the master's notice of a loss.
void Mailbox::handleLost(const Letter& letter) {
    Loss loss{letter.envelope.number, {}};
    IntReader in(letter.body(), factory_);
    in >> loss.reason;
    in.expectEnd();
    const bool isKnown = letter.from == 0 && loss.rank > 0 && loss.rank < transport_.size() && loss.rank != rank_;
    if (!isKnown)
        throw SerializationError(fmt::format("expected the master's word of a slave, found rank {}'s of rank {}", letter.from, loss.rank));
    lose(loss);
}

}    // namespace ferry
